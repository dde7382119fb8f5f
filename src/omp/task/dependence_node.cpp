// SPDX-License-Identifier: Apache-2.0
#include "omp/task/dependence_node.hpp"

#include <mutex>
#include <new>

#include "omp/run/tasks.hpp"
#include "omp/run/wait.hpp"
#include "omp/tool/hooks.hpp"
#include "platform/base/fatal.hpp"
#include "platform/base/race_detector.hpp"
#include "sched/worker/block_cache.hpp"

namespace kasuri::omp {
namespace {

void* take_memory(std::size_t bytes) noexcept {
  void* const memory = sched::allocate_record(bytes);
  if (memory == nullptr) platform::fatal("no memory for the dependences of an OpenMP task");
  return memory;
}

successor& new_place(dependence_node& n) noexcept {
  if (n.more == nullptr) {
    if (n.places_used != n.slot_count) return n.places()[n.places_used++];
    n.places_used = successor_chunk::room;
  }
  if (n.places_used == successor_chunk::room) {
    auto* const chunk = new (take_memory(sizeof(successor_chunk))) successor_chunk;
    chunk->next = n.more;
    n.more = chunk;
    n.places_used = 0;
  }
  return n.more->places[n.places_used++];
}

void drop_exclusion(exclusion& e) noexcept {
  // acq_rel: pairs with itself: the last user frees it
  if (e.users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;  // pairs with itself
  e.~exclusion();
  sched::free_record(&e, sizeof(exclusion));
}

/// The node's dependences are met: its task may begin, as soon as its exclusions allow.
void begin(member* m, dependence_node& n) noexcept {
  if (!take_exclusions(n)) return;
  explicit_task& t = *n.task;
  if (m != nullptr)
    queue_task(*m, t);
  else
    release_task(t);
}

void hand_over_exclusions(member* m, dependence_node& n) noexcept {
  for (std::uint16_t i = 0; i != n.slot_count; ++i) {
    exclusion* const e = n.slots()[i].excludes;
    if (e == nullptr) continue;
    platform::happens_before(e);
    if (dependence_node* next = e->hand_over()) {
      ++next->taken;
      begin(m, *next);
    }
    drop_exclusion(*e);
  }
}

}  // namespace

bool exclusion::take(dependence_node& n) noexcept {
  const std::lock_guard hold(lock_);
  if (!taken_) return taken_ = true;
  n.next_in_queue = nullptr;
  (first_ == nullptr ? first_ : last_->next_in_queue) = &n;
  last_ = &n;
  return false;
}

dependence_node* exclusion::hand_over() noexcept {
  const std::lock_guard hold(lock_);
  dependence_node* const next = first_;
  if (next != nullptr)
    first_ = next->next_in_queue;
  else
    taken_ = false;
  return next;
}

bool take_exclusions(dependence_node& n) noexcept {
  for (; n.taken != n.slot_count; ++n.taken) {
    exclusion* const e = n.slots()[n.taken].excludes;
    if (e != nullptr && !e->take(n)) return false;
  }
  return true;
}

dependence_node& make_node(std::size_t dependences) noexcept {
  auto& n = *new (take_memory(dependence_node::bytes_for(dependences))) dependence_node;
  if (platform::race_detector_runs()) [[unlikely]]
    platform::forget_accesses(&n, sizeof n, sizeof n);
  n.slot_count = static_cast<std::uint16_t>(dependences);
  return n;
}

void free_node(dependence_node& n) noexcept {
  if (n.seen != nullptr) [[unlikely]]
    tool::drop(n.seen);
  while (successor_chunk* const chunk = n.more) {
    n.more = chunk->next;
    sched::free_record(chunk, sizeof(successor_chunk));
  }
  sched::free_record(&n, dependence_node::bytes_for(n.slot_count));
}

void follow(dependence_node& n, dependence_node& before) noexcept {
  if (&n == &before || before.has_ended()) return;
  std::uintptr_t head = before.successors.load(std::memory_order_relaxed);
  // It depends on the same task by two addresses: nobody else enters the list meanwhile.
  if (n.owns(reinterpret_cast<successor*>(head & ~dependence_node::bits))) return;
  successor& place = new_place(n);
  place.who = &n;
  do {
    // acquire: pairs with the release in release_successors
    if ((head & dependence_node::ended) != 0) {
      --n.places_used;
      (void)before.has_ended();
      return;
    }
    place.next = reinterpret_cast<successor*>(head & ~dependence_node::bits);
    // release: pairs with the acquire in release_successors, which reads the place
  } while (!before.successors.compare_exchange_weak(
      head, reinterpret_cast<std::uintptr_t>(&place) | (head & dependence_node::bits),
      std::memory_order_release, std::memory_order_acquire));  // pairs with release_successors
  ++n.added;
  if (tool::active()) [[unlikely]]
    tool::tell_dependence(before.seen, n.seen);
}

bool met(dependence_node& node, std::int32_t n) noexcept {
  // acq_rel: pairs with itself: whoever begins the task has seen what all the others did
  return node.pending.fetch_sub(n, std::memory_order_acq_rel) == n;  // pairs with itself
}

void order_behind_others(dependence_node& n) noexcept {
  platform::happens_after(&n);
  for (std::uint16_t i = 0; i != n.slot_count; ++i)
    if (n.slots()[i].excludes != nullptr) platform::happens_after(n.slots()[i].excludes);
}

void unname(dependence_node& n) noexcept {
  if (--n.named != 0) return;
  // acq_rel: pairs with the same in release_successors: the second of us frees the node
  if (n.has_ended() || (n.successors.fetch_or(dependence_node::dropped, std::memory_order_acq_rel) &
                        dependence_node::ended) != 0)
    free_node(n);
}

void release_successors(member* m, explicit_task& t) noexcept {
  dependence_node& n = *t.node;
  t.node = nullptr;
  hand_over_exclusions(m, n);
  platform::happens_before(&n.successors);
  // acq_rel: pairs with follow, has_ended and unname
  const std::uintptr_t head =
      n.successors.fetch_or(dependence_node::ended, std::memory_order_acq_rel);
  if ((head & dependence_node::dropped) != 0) free_node(n);
  auto* at = reinterpret_cast<successor*>(head & ~dependence_node::bits);
  while (at != nullptr) {
    dependence_node* const who = at->who;
    successor* const next = at->next;
    // Behind met() the waiting one may have gone on and taken the node along.
    const bool waits = who->task == nullptr;
    platform::happens_before(who);
    std::int32_t before;
    const sched::ordered one_less = sched::in_order::subtract(who->pending, 1, before);
    if (before == 1) {
      if (waits)
        notify(who, one_less);
      else
        begin(m, *who);
    }
    at = next;
  }
}

}  // namespace kasuri::omp
