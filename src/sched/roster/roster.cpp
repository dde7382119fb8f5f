// SPDX-License-Identifier: Apache-2.0
#include "sched/roster/roster.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "platform/base/clock.hpp"
#include "platform/cpu/cpus.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/memory/memory.hpp"
#include "platform/settings/settings.hpp"
#include "platform/cpu/topology.hpp"
#include "profile/base/active.hpp"
#include "record/recorder.hpp"
#include "sched/measure/measured.hpp"

namespace kasuri::sched {

namespace {

// Of frames. One that is full refuses more, and the caller runs them: a smaller one is right as
// well.
constexpr std::size_t largest_deque = std::size_t{1} << 20;
constexpr std::size_t smallest_deque = std::size_t{1} << 12;
// Of the address space that the user allows, one deque takes this part at most.
constexpr std::size_t deques_of_limit = 128;

struct deque_room {
  detail::worker_slot* slots = nullptr;
  std::size_t capacity = 0;
};

[[noreturn]] void no_room_for(const char* what, int worker, std::size_t bytes) {
  platform::fatal(
      "no address space for %s %d (%zu bytes); accepted: fewer workers "
      "(KASURI_NUM_WORKERS) or a higher limit (ulimit -v)",
      what, worker, bytes);
}

/// Room for a deque, as much as can be had.
deque_room reserve_deque(int worker) {
  const std::size_t allowed =
      platform::address_space_limit() / deques_of_limit / sizeof(detail::worker_slot);
  std::size_t capacity = std::clamp(std::bit_floor(allowed), smallest_deque, largest_deque);
  for (;; capacity /= 2) {
    const std::size_t bytes = (capacity + 2) * sizeof(detail::worker_slot);
    if (void* const words = platform::reserve(bytes))
      return {static_cast<detail::worker_slot*>(words), capacity};
    if (capacity == smallest_deque) no_room_for("the deque of worker", worker, bytes);
  }
}

static_assert(deque<real_atomics>::holds(largest_deque));

/// Near the limit of the address space either of the two allocations may fail.
worker* make_worker(pool& p, int i) {
  const deque_room room = reserve_deque(i);
  const auto soft = static_cast<std::size_t>(platform::current_settings().queue_limit);
  try {
    return new worker(p, i, room.slots, room.capacity, soft);
  } catch (const std::bad_alloc&) {
    no_room_for("worker", i, sizeof(worker));
  }
}

// The record names a worker by 16 bits, the last value for none.
static_assert(platform::most_slots < record::no_peer);

}  // namespace

worker* roster::add_worker(record::worker_role role) {
  const std::lock_guard hold(slots_lock_);
  const int i = count_.load(std::memory_order_relaxed);
  if (i == platform::most_slots)
    platform::fatal("more than %d threads inside at once; accepted: at most %d",
                    platform::most_slots, platform::most_slots);
  KASURI_EXPECT(cheap, at(i) == nullptr, "the slot %d has a worker already", i);
  worker* const w = make_worker(of_, i);
  w->stats.role = role;
  w->timing = timing_;
  if (role == record::worker_role::guest) w->asleep.store(flag::awake, std::memory_order_relaxed);
  w->log = record::open_log(static_cast<std::uint16_t>(i), role);
  w->forks = new_fork_recorder();
  w->observed = w->timing || w->log != nullptr || w->forks != nullptr;
  if (w->forks != nullptr) [[unlikely]]
    w->queue.watch_pushes(true);
  // release: pairs with the acquire in at
  slots_[static_cast<std::size_t>(i)].store(w, std::memory_order_release);
  w->older = i == 0 ? nullptr : newest_worker.load(std::memory_order_relaxed);
  newest_worker.store(w, std::memory_order_relaxed);
  // release: pairs with the acquire in workers
  count_.store(i + 1, std::memory_order_release);
  return w;
}

// Workers beyond the configured ones (the pool was started before, with more) stay as sleepers: the
// tokens alone decide how many run.
std::uint32_t roster::line_up_again() {
  const platform::settings& s = platform::current_settings();
  configured_ = s.num_workers;
  timing_ = s.stats || profile::active();
  line_up();
  std::uint32_t sleeping = 0;
  for (int i = 0; i != workers(); ++i) {
    worker& w = *at(i);
    w.watched.forget_token();
    if (w.stats.role == record::worker_role::guest) continue;
    if (w.cell >= 0) place(w);
    // The wake-up that ended its thread may have come when it had ended already.
    w.asleep.store(flag::threadless, std::memory_order_relaxed);
    w.gone.store(false, std::memory_order_relaxed);
    ++sleeping;
  }
  check();
  return sleeping;
}

worker& roster::borrow_worker() {
  {
    const std::lock_guard hold(slots_lock_);
    if (!free_guests_.empty()) {
      worker* w = free_guests_.back();
      free_guests_.pop_back();
      KASURI_EXPECT(cheap, !w->has_thread.load(std::memory_order_relaxed),
                    "worker %d, which is free, has thread %d", w->index,
                    w->tid.load(std::memory_order_relaxed));
      w->bound_to = -1;
      return *w;
    }
  }
  return *add_worker(record::worker_role::guest);
}

void roster::give_worker_back(worker& w) noexcept {
  KASURI_EXPECT(
      cheap,
      w.stats.role == record::worker_role::guest && !w.has_thread.load(std::memory_order_relaxed),
      "worker %d, of thread %d, comes back", w.index, w.tid.load(std::memory_order_relaxed));
  const std::lock_guard hold(slots_lock_);
  KASURI_EXPECT(all, std::ranges::find(free_guests_, &w) == free_guests_.end(),
                "worker %d comes back twice, %zu are free", w.index, free_guests_.size());
  free_guests_.push_back(&w);
}

/// The configured workers in order, and the nodes that they lie on. There may be guests of an
/// earlier life between them.
void roster::line_up() {
  line_.clear();
  for (int i = 0; i != workers(); ++i) at(i)->cell = -1;
  for (int i = 0; line_.size() != static_cast<std::size_t>(configured_); ++i) {
    worker& w = i < workers() ? *at(i) : *add_worker(record::worker_role::worker);
    if (w.stats.role != record::worker_role::worker) continue;
    w.cell = static_cast<int>(line_.size());
    line_.push_back(i);
  }
  const platform::topology& machine = platform::machine_topology();
  nodes_.clear();
  for (int i = 0; i != configured_; ++i)
    nodes_.push_back(platform::pu_of_worker(machine, i).numa_node);
  std::ranges::sort(nodes_);
  nodes_.erase(std::ranges::unique(nodes_).begin(), nodes_.end());
}

/// In the trees that run invariants, at the end of line_up_again: each worker lies in the slot that
/// its index says, and those on the line have the cells in order.
inline void roster::check() const {
  if constexpr (platform::expectations < platform::expect_level::all) return;
  int placed = 0;
  for (int i = 0; i != workers(); ++i) {
    const worker& w = *at(i);
    KASURI_EXPECT(all, w.index == i, "worker %d lies in slot %d", w.index, i);
    placed += w.cell >= 0 ? 1 : 0;
    KASURI_EXPECT(all, w.cell < 0 || on_line(w.cell) == i, "worker %d has cell %d, which has %d", i,
                  w.cell, on_line(w.cell));
  }
  KASURI_EXPECT(all, placed == configured_ && line_.size() == static_cast<std::size_t>(placed),
                "%d workers have cells, %d are configured, the line has %zu", placed, configured_,
                line_.size());
}

/// Its place in the machine tree.
void roster::place(worker& w) const {
  const platform::topology& machine = platform::machine_topology();
  const auto node_of = [&](int cell) {
    return node_index(platform::pu_of_worker(machine, cell).numa_node);
  };
  w.node = node_of(w.cell);
  w.victims = platform::victim_order(machine, w.cell, configured_);
  KASURI_EXPECT(cheap, w.node >= 0 && w.victims.size() <= UINT8_MAX,
                "worker %d has node %d and %zu levels", w.index, w.node, w.victims.size());
  w.levels.assign(static_cast<std::size_t>(workers()), static_cast<std::uint8_t>(w.victims.size()));
  w.levels_of_node = 0;
  for (std::size_t level = 0; level != w.victims.size(); ++level) {
    std::vector<int>& group = w.victims[level];
    const bool near = std::ranges::all_of(group, [&](int cell) { return node_of(cell) == w.node; });
    if (near && w.levels_of_node == level) ++w.levels_of_node;
    for (int& other : group) {
      other = on_line(other);
      w.levels[static_cast<std::size_t>(other)] = static_cast<std::uint8_t>(level);
    }
  }
}

int roster::node_index(int os_node) const noexcept {
  const auto found = std::ranges::lower_bound(nodes_, os_node);
  return found == nodes_.end() || *found != os_node ? -1 : static_cast<int>(found - nodes_.begin());
}

void roster::give_identities_back() noexcept {
  for (int i = 0, n = workers(); i != n; ++i)
    if (worker* w = at(i)) w->identities.clear();
}

std::vector<const record::worker_stats*> roster::stats() const {
  std::vector<const record::worker_stats*> all;
  for (int i = 0, n = workers(); i != n; ++i)
    if (const worker* w = at(i)) all.push_back(&w->stats);
  return all;
}

}  // namespace kasuri::sched
