// SPDX-License-Identifier: Apache-2.0
#include "sched/pool/postbox.hpp"

#include "platform/base/expect.hpp"
#include "sched/pool/policy.hpp"
#include "sched/pool/pool.hpp"
#include "sched/rules/range_rules.hpp"
#include "sched/worker/range.hpp"

namespace kasuri::sched {

void postbox::send(detail::frame* f) noexcept {
  inbox_of(use_priorities() ? priority_of(arena_of(f)) : priority::normal).put({.what = f});
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  of_.work_is_visible();
}

void postbox::send_due(detail::frame* f) noexcept {
  due_.put({.what = f});
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  of_.work_is_visible();
  of_.ask_all();  // those that run tasks of their own one behind the other look up
}

namespace {

detail::frame* take_from(mailbox& box) noexcept {
  if (box.empty()) [[likely]]
    return nullptr;
  letter l;
  if (!box.take(l)) return nullptr;
  discard_place(l);
  return l.what;
}

}  // namespace

detail::frame* postbox::take_due() noexcept { return take_from(due_); }

detail::frame* postbox::take_from_inbox(priority p) noexcept { return take_from(inbox_of(p)); }

detail::frame* postbox::take_from_inboxes() noexcept {
  if (detail::frame* f = take_due()) return f;
  if (!use_priorities()) [[likely]]
    return take_from_inbox(priority::normal);
  for (const priority p : {priority::high, priority::normal, priority::low})
    if (detail::frame* f = take_from_inbox(p)) return f;
  return nullptr;
}

void postbox::post_to_worker(int to, const letter& l) noexcept {
  KASURI_EXPECT(cheap, to >= 0 && to < of_.workers(), "worker %d of %d", to, of_.workers());
  KASURI_EXPECT(cheap, l.depth == (l.fork == nullptr ? 0 : l.fork->depth), "depth %d, fork %p",
                l.depth, static_cast<void*>(l.fork));
  worker& w = *of_.at(to);
  if (worker* self = current()) self->stats.posted.add();
  w.box.put(l);
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  if (&w == current() && l.range != nullptr) return of_.work_is_visible();  // see may_open_wide
  // relaxed: after the fence above
  if (w.asleep.load(std::memory_order_relaxed) == flag::awake) {
    // relaxed: after the fence above
    if (w.is_aside.load(std::memory_order_relaxed) != 0) forward(w, l);
    return;
  }
  // Without a token for it others find the letter when they have nothing to do.
  if (!of_.idle_word().claim_for_one() || of_.use_claim_on(w)) return;
  forward(w, l);
}

/// The letter was posted to `w`, which does not come: anybody may have it.
void postbox::forward(worker& w, const letter& l) noexcept {
  letter back;
  if (!w.box.take(back, l.what)) return;
  inbox_of(priority::normal).put(back);
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  of_.anybody_may_come();
}

void postbox::post_to_node(int node, const letter& l) noexcept {
  if (worker* self = current()) self->stats.posted.add();
  KASURI_EXPECT(cheap, node >= 0 && static_cast<std::size_t>(node) < node_boxes_.size(),
                "node %d of %zu", node, node_boxes_.size());
  node_boxes_[static_cast<std::size_t>(node)].put(l);
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  // One of its own workers, if one sleeps: others would find it only when they have waited a while.
  for (const int i : of_.line()) {
    worker& w = *of_.at(i);
    // relaxed: after the fence above
    if (w.node != node || w.asleep.load(std::memory_order_relaxed) == flag::awake) continue;
    if (!of_.idle_word().claim_for_one()) break;
    of_.use_claim_on(w);
    return;
  }
  of_.work_is_visible();
}

bool postbox::take_back(const detail::frame* f) noexcept {
  letter l;
  for (mailbox& box : node_boxes_)
    if (box.take(l, f)) return true;
  for (int i = 0, n = of_.workers(); i != n; ++i)
    if (of_.at(i)->box.take(l, f)) return true;
  return false;
}

detail::frame* postbox::open(worker& w, const letter& l) noexcept {
  KASURI_EXPECT(cheap, current() == &w && w.next_range == nullptr,
                "worker %d opens for worker %d, whose next frame wears %p", index_of_caller(),
                w.index, static_cast<void*>(w.next_range));
  KASURI_EXPECT(cheap, l.what->type != &ready_thread || (l.range == nullptr && l.fork == nullptr),
                "thread %p comes with range %p and fork %p", static_cast<void*>(l.what),
                static_cast<void*>(l.range), static_cast<void*>(l.fork));
  if (l.worker >= 0 || l.node >= 0) {
    const bool same_node = l.worker >= 0 ? of_.at(l.worker)->node == w.node : l.node == w.node;
    if (l.worker == w.index || (l.worker < 0 && same_node))
      w.stats.where_kept.add();
    else
      (same_node ? w.stats.where_near : w.stats.where_missed).add();
  }
  if (l.fork != nullptr) take_part(w, l.fork);
  w.next_range = l.range;
  // Wherever it is taken to now, it is not sent on.
  if (l.what->type == &ready_thread) static_cast<suspended*>(l.what)->place = -1;
  return l.what;
}

void postbox::forward_mail_of(worker& w) noexcept {
  bool moved = false;
  w.box.check();
  for (letter l; w.box.take(l); moved = true) inbox_of(priority::normal).put(l);
  if (!moved) return;
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  of_.anybody_may_come();
}

void postbox::have_boxes_of_nodes(std::size_t nodes) {
  while (node_boxes_.size() < nodes) node_boxes_.emplace_back();
}

void postbox::leave_mail_in_child() noexcept {
  for (mailbox& box : inboxes_) box.begin_anew();
  due_.begin_anew();
  for (mailbox& box : node_boxes_) box.mend();
}

/// The mailbox of its node, or null.
mailbox* postbox::box_of_node(const worker& w) noexcept {
  const auto node = static_cast<std::size_t>(w.node);
  return node < node_boxes_.size() ? &node_boxes_[node] : nullptr;
}

detail::frame* postbox::take_letter(worker& w) noexcept {
  letter l;
  if (w.box.take(l)) return open(w, l);
  mailbox* const of_node = box_of_node(w);
  return of_node != nullptr && of_node->take(l) ? open(w, l) : nullptr;
}

detail::frame* postbox::take_far_letter(worker& w) noexcept {
  letter l;
  for (mailbox& box : node_boxes_)
    if (box.take(l)) return open(w, l);
  const auto may = [&w](const extent& range) { return rules::may_open_wide(w, range); };
  for (int i = 0, n = of_.workers(); i != n; ++i) {
    worker* const v = of_.at(i);
    if (v == nullptr || v == &w) continue;
    if (of_.scheduling().may_open(w, *v) ? v->box.take(l, of_.scheduling().depth_of(w))
                                         : v->box.take_wide(l, may))
      return open(w, l);
  }
  return nullptr;
}

detail::frame* postbox::take_any_letter(worker& w) noexcept {
  letter l;
  for (mailbox& box : node_boxes_)
    if (box.take(l)) return open(w, l);
  for (int i = 0, n = of_.workers(); i != n; ++i)
    if (of_.at(i)->box.take(l)) return open(w, l);
  return nullptr;
}

/// Whether `who` may open something that was sent to `owner`.
bool postbox::has_letter_for(const worker& owner, const worker& who) const noexcept {
  if (of_.scheduling().may_open(who, owner))
    return owner.box.reaches(of_.scheduling().depth_of(who));
  return owner.box.has_wide([&](const extent& range) { return rules::may_open_wide(who, range); });
}

bool postbox::has_letter(const worker& who) const noexcept {
  const auto node = static_cast<std::size_t>(who.node);
  return !who.box.empty() || (node < node_boxes_.size() && !node_boxes_[node].empty());
}

bool postbox::has_far_letter(const worker* who) const noexcept {
  for (const mailbox& box : node_boxes_)
    if (!box.empty()) return true;
  for (int i = 0, n = of_.workers(); i != n; ++i) {
    const worker* const v = of_.at(i);
    if (v == nullptr || v == who) continue;
    if (who == nullptr ? !v->box.empty() : has_letter_for(*v, *who)) return true;
  }
  return false;
}

}  // namespace kasuri::sched
