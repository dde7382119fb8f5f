// SPDX-License-Identifier: Apache-2.0
#include "sched/watch/deadlock.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <optional>

#include "platform/base/expect.hpp"
#include "platform/settings/settings.hpp"
#include "platform/thread/os_thread.hpp"
#include "platform/thread/park.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/thread_counts.hpp"
#include "sched/time/timers.hpp"
#include "sched/watch/dump.hpp"
#include "sched/watch/dump_signal.hpp"
#include "sched/watch/outsiders.hpp"

namespace kasuri::sched {

constinit deadlock_watch deadlock;

namespace {

// A program of many tasks would drown the line in its list; a dump that was asked for has all.
constexpr std::size_t most_listed = 64;

/// The counts while everybody sleeps.
struct census {
  int threads = 0;          // OS threads that belong to the pool or wait outside
  std::uint64_t moves = 0;  // of all workers together: equal in two looks, nobody moved between
  bool operator==(const census&) const = default;
};

bool everybody_sleeps(const pool& p) noexcept {
  const idle_counts c = p.counts();
  return c.active == 0 && c.waiting == 0 && !p.outside_work().is_open();
}

/// Counts the workers. False, when one is awake or something is queued.
bool count_workers(census& c) noexcept {
  const pool& p = pool::get();
  if (!everybody_sleeps(p) || p.work_visible()) return false;
  for (int i = 0, n = p.workers(); i != n; ++i) {
    const worker& w = *p.at(i);
    c.moves += w.beat.load(std::memory_order_relaxed) + w.stats.tasks.get();
    if (!w.returning.empty()) return false;
    if (!w.has_thread.load(std::memory_order_relaxed)) continue;
    if (w.asleep.load(std::memory_order_relaxed) != flag::dozing &&
        w.is_aside.load(std::memory_order_relaxed) == 0)
      return false;
    ++c.threads;
  }
  return true;
}

/// Nothing, when somebody is awake. Before the pool has started there are no workers: the program's
/// own threads may wait for each other all the same.
std::optional<census> count() noexcept {
  if (!timers::get().at_rest()) return std::nullopt;
  census c;
  if (pool_runs() && !count_workers(c)) return std::nullopt;
  c.threads += thread_counts.outsiders.load(std::memory_order_relaxed);
  c.threads += thread_counts.for_calls_at_rest.load(std::memory_order_relaxed);
  c.threads += context::donors();
  c.threads += monitor::get().has_thread() ? 1 : 0;
  c.threads += dump_signal::get().has_thread() ? 1 : 0;
  c.threads += timers::get().has_thread() ? 1 : 0;
  return c;
}

}  // namespace

void deadlock_watch::forget_threads() noexcept {
  thread_counts.outsiders.store(0, std::memory_order_relaxed);
  forget_outsiders();
  watching_.store(false, std::memory_order_relaxed);
}

bool deadlock_watch::begin() noexcept {
  if (platform::current_settings().deadlock_s == 0) return false;
  if (pool_runs() && !everybody_sleeps(pool::get())) return false;
  return !watching_.exchange(true, std::memory_order_relaxed);
}

deadlock_watch::finding deadlock_watch::look() noexcept {
  KASURI_EXPECT(cheap, watching_.load(std::memory_order_relaxed),
                "%d threads wait outside, and nobody is to look",
                thread_counts.outsiders.load(std::memory_order_relaxed));
  give_up();
  const std::optional<census> before = count();
  // relaxed: count() has read it before and reads it again behind the fences
  const int outsiders = thread_counts.outsiders.load(std::memory_order_relaxed);
  const std::size_t waiting =
      (pool_runs() ? threads_that_wait() : 0) + static_cast<std::size_t>(outsiders);
  if (!before || waiting == 0) return finding::nobody_waits;
  // pairs with the system's own order of a thread's last stores and its end
  real_atomics::fence_full();
  const int threads = platform::threads_of_process();
  real_atomics::fence_full();  // pairs with the same
  if (threads != before->threads || count() != before) return finding::others_live;
  dprintf(STDERR_FILENO,
          "kasuri: deadlock: all tasks wait (%zu), nothing is queued, and no thread is left that "
          "could wake "
          "one; KASURI_DEADLOCK=0 keeps this quiet\n",
          waiting);
  dump(STDERR_FILENO, most_listed);
  return finding::told;
}

void sleep_and_watch(std::uint32_t& word, std::uint32_t value, outsider* self) noexcept {
  constexpr std::uint64_t second = 1'000'000'000;
  const auto seconds = static_cast<std::uint64_t>(platform::current_settings().deadlock_s);
  const std::atomic_ref<std::uint32_t> state(word);
  bool watch = true;
  // acquire: pairs with the release of the thread that changes the word to let the caller go on
  while (state.load(std::memory_order_acquire) == value) {
    const bool watches = watch && deadlock.begin();
    const bool notes = self != nullptr && seconds != 0 && !self->has_noted();
    if (!watches && !notes) {
      platform::park(word, value);
      continue;
    }
    platform::park_for(word, value, seconds * second);
    const bool stands_still = state.load(std::memory_order_relaxed) == value;
    if (notes && stands_still) self->note_calls();
    if (!watches) continue;
    if (stands_still)
      watch = deadlock.look() == deadlock_watch::finding::others_live;
    else
      deadlock.give_up();
  }
}

void sleep_and_watch(std::atomic<std::uint32_t>& word, std::uint32_t value) noexcept {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  sleep_and_watch(reinterpret_cast<std::uint32_t&>(word), value);
}

}  // namespace kasuri::sched
