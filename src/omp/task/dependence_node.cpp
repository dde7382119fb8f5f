// SPDX-License-Identifier: Apache-2.0
#include "omp/task/dependence_node.hpp"

#include <mutex>
#include <new>

#include "omp/tool/hooks.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/base/race_detector.hpp"
#include "sched/kernel/wait_queue.hpp"
#include "sched/worker/block_cache.hpp"

namespace kasuri::omp {
namespace {

void* take_memory(std::size_t bytes) noexcept {
  void* const memory = sched::allocate_record(bytes);
  if (memory == nullptr) platform::fatal("no memory for the dependences of an OpenMP task");
  return memory;
}

successor& new_place(dependence_node& n) noexcept {
  KASURI_EXPECT(cheap, n.places_used <= (n.more == nullptr ? n.slot_count : successor_chunk::room),
                "%u places used, %u slots, chunk %p", n.places_used, n.slot_count,
                static_cast<void*>(n.more));
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

/// n would have waited for `before`, which has ended.
void tell_order(dependence_node& n, const dependence_node& before) noexcept {
  if (tool::active()) [[unlikely]]
    tool::tell_order(before.seen, n.seen);
}

}  // namespace

void drop_user(exclusion& e) noexcept {
  KASURI_EXPECT(cheap, e.users.load(std::memory_order_relaxed) != 0, "an exclusion without users");
  // acq_rel: pairs with itself: the last user frees it
  if (e.users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  e.~exclusion();
  sched::free_record(&e, sizeof(exclusion));
}

bool exclusion::take(dependence_node& n) noexcept {
  const std::lock_guard hold(lock_);
  KASURI_EXPECT(cheap, taken_ || last_ == nullptr, "node %p waits for an exclusion that is free",
                static_cast<void*>(last_));
  if (!taken_) return taken_ = true;
  sched::append(last_, &n);
  return false;
}

dependence_node* exclusion::hand_over() noexcept {
  const std::lock_guard hold(lock_);
  KASURI_EXPECT(cheap, taken_, "an exclusion that is free is handed over, last %p",
                static_cast<void*>(last_));
  dependence_node* const next = sched::take_first(last_);
  if (next == nullptr) taken_ = false;
  return next;
}

dependence_node& make_node(std::size_t dependences) noexcept {
  KASURI_EXPECT(cheap, dependences <= most_dependences, "%zu dependences", dependences);
  auto& n = *new (take_memory(dependence_node::bytes_for(dependences))) dependence_node;
  if (platform::race_detector_runs()) [[unlikely]]
    platform::forget_accesses(&n, sizeof n, sizeof n);
  n.slot_count = static_cast<std::uint16_t>(dependences);
  return n;
}

void free_node(dependence_node& n) noexcept {
  KASURI_EXPECT(cheap, n.named == 0, "a node goes that the table names %u times", n.named);
  KASURI_EXPECT(cheap, n.pending.load(std::memory_order_relaxed) == 0,
                "a node goes that waits for %d others", n.pending.load(std::memory_order_relaxed));
  if (n.seen != nullptr) [[unlikely]]
    tool::drop(n.seen);
  while (successor_chunk* const chunk = n.more) {
    n.more = chunk->next;
    sched::free_record(chunk, sizeof(successor_chunk));
  }
  sched::free_record(&n, dependence_node::bytes_for(n.slot_count));
}

void follow(dependence_node& n, dependence_node& before) noexcept {
  KASURI_EXPECT(cheap, before.named != 0, "a node is followed that no table names, %u slots",
                before.slot_count);
  KASURI_EXPECT(cheap, n.pending.load(std::memory_order_relaxed) > 0,
                "a node may begin, pending %d, and follows another",
                n.pending.load(std::memory_order_relaxed));
  if (&n == &before) return;
  if (before.has_ended()) return tell_order(n, before);
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
      return tell_order(n, before);
    }
    place.next = reinterpret_cast<successor*>(head & ~dependence_node::bits);
    // release: pairs with the acquire in release_successors, which reads the place
  } while (!before.successors.compare_exchange_weak(
      head, reinterpret_cast<std::uintptr_t>(&place) | (head & dependence_node::bits),
      std::memory_order_release, std::memory_order_acquire));
  ++n.added;
  if (tool::active()) [[unlikely]]
    tool::tell_dependence(before.seen, n.seen);
}

bool met(dependence_node& node, std::int32_t n) noexcept {
  // acq_rel: pairs with itself: the thread that begins the task has seen what all the others did
  const std::int32_t before = node.pending.fetch_sub(n, std::memory_order_acq_rel);
  KASURI_EXPECT(cheap, before >= n, "%d reasons fewer of %d", n, before);
  return before == n;
}

void order_behind_others(dependence_node& n) noexcept {
  platform::happens_after(&n);
  for (std::uint16_t i = 0; i != n.slot_count; ++i)
    if (n.slots()[i].excludes != nullptr) platform::happens_after(n.slots()[i].excludes);
}

void unname(dependence_node& n) noexcept {
  KASURI_EXPECT(cheap, n.named != 0, "a node loses a name that it has not, %u slots", n.slot_count);
  if (--n.named != 0) return;
  // acq_rel: pairs with the same in release_successors: the second of us frees the node
  if (n.has_ended() || (n.successors.fetch_or(dependence_node::dropped, std::memory_order_acq_rel) &
                        dependence_node::ended) != 0)
    free_node(n);
}

}  // namespace kasuri::omp
