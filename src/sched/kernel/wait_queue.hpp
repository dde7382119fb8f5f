// SPDX-License-Identifier: Apache-2.0
#pragma once

// The threads that wait for something, oldest first: a circular list, named by its youngest entry,
// null when it is empty. An entry lies with the thread that waits, and has `next`. The caller holds
// the lock of the list, and wakes a thread only after its entry has been taken out.

#include <cstddef>

#include "platform/base/expect.hpp"

namespace kasuri::sched {

/// How many entries there are, for invariants: a walk.
template <class Node>
std::size_t length_of(const Node* last) noexcept {
  std::size_t n = 0;
  for (const Node* at = last; at != nullptr; at = at->next == last ? nullptr : at->next) {
    KASURI_EXPECT(cheap, at->next != nullptr, "entry %zu of a circular list has no next", n);
    ++n;
  }
  return n;
}

/// Puts `n` behind all others.
template <class Node>
void append(Node*& last, Node* n) noexcept {
  KASURI_EXPECT(cheap, n != nullptr && n != last, "entry %p, the youngest is %p",
                static_cast<void*>(n), static_cast<void*>(last));
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
  KASURI_EXPECT(cheap, first != nullptr, "the youngest, %p, has no next", static_cast<void*>(last));
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
  KASURI_EXPECT(cheap, first != nullptr, "the youngest, %p, has no next", static_cast<void*>(last));
  last->next = nullptr;
  last = nullptr;
  return first;
}

/// Calls see(entry) for each, oldest first.
template <class Node, class See>
void for_each(const Node* last, See see) noexcept {
  for (const Node* n = last; n != nullptr;) {
    n = n->next;
    see(*n);
    if (n == last) return;
  }
}

/// The oldest; null when nobody waits.
template <class Node>
Node* oldest(Node* last) noexcept {
  return last == nullptr ? nullptr : last->next;
}

/// What becomes of an entry that a walk meets.
enum class verdict { take, drop, keep, stop };

/// Walks from the oldest on, until `most` have been taken or judge(entry) says stop; it keeps that
/// one then. It takes others out as judge says, and calls taken(entry) for those of `take`. An
/// entry may be gone once it was judged to be dropped.
template <class Node, class Judge, class Taken>
void take_judged(Node*& last, std::size_t most, Judge judge, Taken taken) noexcept {
  Node* const youngest = last;
  Node* before = last;
  for (bool more = last != nullptr; more && most != 0;) {
    Node* const n = before->next;
    KASURI_EXPECT(cheap, n != nullptr, "%p has no next, the youngest is %p",
                  static_cast<void*>(before), static_cast<void*>(youngest));
    Node* const next = n->next;
    more = n != youngest;
    const verdict v = judge(*n);
    if (v == verdict::stop) return;
    if (v == verdict::keep) {
      before = n;
      continue;
    }
    if (n == before) {
      last = nullptr;
    } else {
      before->next = next;
      if (n == last) last = before;
    }
    if (v != verdict::take) continue;
    --most;
    taken(*n);
  }
}

/// Takes out up to `most` for which wanted(entry), oldest first, and calls taken(entry) for each.
template <class Node, class Wanted, class Taken>
void take_where(Node*& last, std::size_t most, Wanted wanted, Taken taken) noexcept {
  take_judged(
      last, most, [&](Node& n) { return wanted(n) ? verdict::take : verdict::keep; }, taken);
}

}  // namespace kasuri::sched
