// SPDX-License-Identifier: Apache-2.0
#pragma once

// Those who wait for something, oldest first: a circular list, named by its youngest entry, null
// when it is empty. An entry lies with the thread that waits, and has `next`. The caller holds the
// lock of the list, and wakes a thread only after its entry has been taken out.

namespace kasuri::sched {

/// Puts `n` behind all others.
template <class Node>
void append(Node*& last, Node* n) noexcept {
  n->next = last == nullptr ? n : last->next;
  if (last != nullptr) last->next = n;
  last = n;
}

/// Puts `n` before all others.
template <class Node>
void prepend(Node*& last, Node* n) noexcept {
  Node* const youngest = last;
  append(last, n);
  if (youngest != nullptr) last = youngest;
}

/// The oldest, taken out; null when nobody waits.
template <class Node>
Node* take_first(Node*& last) noexcept {
  if (last == nullptr) return nullptr;
  Node* const first = last->next;
  if (first == last)
    last = nullptr;
  else
    last->next = first->next;
  return first;
}

/// All, taken out, as a chain that ends with null.
template <class Node>
Node* take_all(Node*& last) noexcept {
  if (last == nullptr) return nullptr;
  Node* const first = last->next;
  last->next = nullptr;
  last = nullptr;
  return first;
}

/// Takes out up to `most` for which wanted(entry), oldest first, and calls taken(entry) for each.
template <class Node, class Wanted, class Taken>
void take_where(Node*& last, unsigned most, Wanted wanted, Taken taken) noexcept {
  Node* const youngest = last;
  Node* before = last;
  for (bool more = last != nullptr; more && most != 0;) {
    Node* const n = before->next;
    more = n != youngest;
    if (!wanted(*n)) {
      before = n;
      continue;
    }
    before->next = n->next;
    if (n == last) last = n == before ? nullptr : before;
    --most;
    taken(*n);
  }
}

}  // namespace kasuri::sched
