// SPDX-License-Identifier: Apache-2.0
#pragma once

// The records of dependence.hpp.

#include <atomic>
#include <cstdint>
#include <limits>

#include "omp/base/spin_lock.hpp"
#include "omp/task/dependence.hpp"
#include "omp/tool/info.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::omp {

struct dependence_node;
struct explicit_task;

/// A place in a node's list of successors. It belongs to the successor, which does not end before
/// the list has been read.
/// The fields stand as libomp has them (__kmpc_task_get_successors).
struct alignas(16) successor {
  dependence_node* who;
  successor* next;
};

/// More of them than a node has itself.
struct successor_chunk {
  static constexpr std::uint32_t room = 3;
  successor_chunk* next;
  successor places[room];
};

/// Mutual exclusion of the mutexinoutset tasks of an address.
class exclusion {
 public:
  ~exclusion() {
    KASURI_EXPECT(cheap, !taken_ && last_ == nullptr, "an exclusion goes: taken %d, last %p",
                  taken_, static_cast<void*>(last_));
  }

  /// True: the node has it. False: it will be handed over.
  bool take(dependence_node& n) noexcept;
  /// Passes it to the next in the queue, which is returned, or frees it.
  dependence_node* hand_over() noexcept;

  std::atomic<std::uint32_t> users{1};  // the table's entry, and nodes

  exclusion() = default;
  exclusion(const exclusion&) = delete;
  exclusion& operator=(const exclusion&) = delete;

 private:
  spin_lock lock_;  // guards the rest
  bool taken_ = false;
  dependence_node* last_ = nullptr;  // the nodes that wait (sched/kernel/wait_queue.hpp)
};

/// The exclusion has a user less: the last one frees it.
void drop_user(exclusion& e) noexcept;

/// A dependence of a node, as a member of an address's set.
struct dependence_slot {
  dependence_node* of;
  dependence_slot* next;  // in the set
  exclusion* excludes;    // of a mutexinoutset
};

struct alignas(16) dependence_node {
  static constexpr std::uintptr_t ended = 1;    // the task has: nobody enters the list
  static constexpr std::uintptr_t dropped = 2;  // no entry of the table names the node
  static constexpr std::uintptr_t bits = 3;
  /// Added to `pending` while the dependences are found.
  static constexpr std::int32_t creating = 1 << 30;

  std::atomic<std::uintptr_t> successors{0};  // the newest one, and bits
  std::atomic<std::int32_t> pending{creating};
  std::uint32_t named = 0;        // how often the table names it; the table's
  explicit_task* task = nullptr;  // null: somebody waits (wait_for_dependences)
  successor_chunk* more = nullptr;
  tool::task_info* seen = nullptr;  // the task's, or null without a tool
  dependence_node* next = nullptr;  // in the queue of an exclusion
  std::uint16_t slot_count = 0;
  std::uint16_t taken = 0;        // slots whose exclusions it has, or that have none
  std::uint32_t places_used = 0;  // of its own, then of the newest chunk
  std::uint32_t added = 0;        // places in lists of others

  /// Whether a place in some list is one of its own; of those that it took from chunks, the newest
  /// ones.
  bool owns(const successor* place) noexcept {
    return (place >= places() && place < places() + slot_count) ||
           (more != nullptr && place >= more->places &&
            place < more->places + successor_chunk::room);
  }

  // Behind it: slot_count slots, then as many successor places.
  dependence_slot* slots() noexcept { return reinterpret_cast<dependence_slot*>(this + 1); }
  successor* places() noexcept {
    return reinterpret_cast<successor*>(slots() + (slot_count + 1) / 2 * 2);
  }
  static std::size_t bytes_for(std::size_t slots) noexcept {
    return sizeof(dependence_node) + (slots + 1) / 2 * 2 * sizeof(dependence_slot) +
           slots * sizeof(successor);
  }

  bool has_ended() const noexcept {
    // acquire: pairs with the release in release_successors: what the task did is seen
    if ((successors.load(std::memory_order_acquire) & ended) == 0) return false;
    platform::happens_after(&successors);
    return true;
  }
};
static_assert(sizeof(dependence_node) % 16 == 0);
static_assert(alignof(successor) > dependence_node::bits, "the head of a list has room for bits");
inline constexpr std::size_t most_dependences = 0xffff;
static_assert(most_dependences <=
              std::numeric_limits<decltype(dependence_node::slot_count)>::max());

/// A new node with room for the dependences.
dependence_node& make_node(std::size_t dependences) noexcept;
void free_node(dependence_node& n) noexcept;

/// Makes n wait for `before`, unless that has ended.
void follow(dependence_node& n, dependence_node& before) noexcept;

/// One reason to wait less, or `n` of them. True: it was the last one.
bool met(dependence_node& node, std::int32_t n) noexcept;

/// Takes the node's remaining exclusions. False: it is in a queue now, not to be touched.
inline bool take_exclusions(dependence_node& n) noexcept {
  KASURI_EXPECT(cheap, n.taken <= n.slot_count, "%u of %u slots taken", n.taken, n.slot_count);
  for (; n.taken != n.slot_count; ++n.taken) {
    exclusion* const e = n.slots()[n.taken].excludes;
    if (e != nullptr && !e->take(n)) return false;
  }
  return true;
}

/// The table stops naming it once.
void unname(dependence_node& n) noexcept;

}  // namespace kasuri::omp
