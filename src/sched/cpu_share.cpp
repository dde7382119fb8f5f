// SPDX-License-Identifier: Apache-2.0
#include "sched/cpu_share.hpp"

#include <mutex>

#include "sched/pool.hpp"

namespace kasuri::sched {
namespace {

/// The CPU that the thread of `w` runs on, or -1.
int cpu_of(const worker& w) noexcept {
  platform::thread_status status;
  return platform::read_status_of(w.tid.load(std::memory_order_relaxed), status) ? status.cpu : -1;
}

/// The thread of `w` may run on that CPU alone. False when the system refuses.
bool confine(const worker& w, int cpu) noexcept {
  platform::cpu_mask one;
  one.add(cpu);
  return platform::set_mask_of(w.tid.load(std::memory_order_relaxed), one);
}

/// Whether that thread shares a processor itself, for another worker.
bool is_sharer(int thread_id, const void* of) noexcept {
  const pool& p = *static_cast<const pool*>(of);
  for (int i = 0, n = p.workers(); i != n; ++i) {
    const worker* const w = p.at(i);
    if (w != nullptr && w->tid.load(std::memory_order_relaxed) == thread_id)
      return w->share.with.load(std::memory_order_relaxed) >= 0;
  }
  return false;
}

}  // namespace

void cpu_shares::ask_for(const worker& computing) noexcept {
  asked_for_.store(computing.index, std::memory_order_relaxed);
}

void cpu_shares::begin(worker& w) noexcept {
  const int other = asked_for_.exchange(-1, std::memory_order_relaxed);
  if (other < 0 || other == w.index) return;
  const std::lock_guard hold(lock_);
  share_with(w, *w.home->at(other));
}

void cpu_shares::begin_for(const pool& p, const worker& computing) noexcept {
  const std::lock_guard hold(lock_);
  for (int i = 0, n = p.workers(); i != n; ++i) {
    worker* const w = p.at(i);
    if (w == nullptr || w == &computing || w->stats.role != record::worker_role::spare) continue;
    if (!w->busy.load(std::memory_order_relaxed)) continue;
    share_with(*w, computing);
    if (w->share.with.load(std::memory_order_relaxed) >= 0) return;
  }
}

void cpu_shares::end_for(const pool& p, const worker& asleep) noexcept {
  const std::lock_guard hold(lock_);
  for (int i = 0, n = p.workers(); i != n; ++i)
    if (worker* const w = p.at(i); w->share.with.load(std::memory_order_relaxed) == asleep.index)
      return stop(*w, ended_by::another);
}

/// Under the lock.
void cpu_shares::share_with(worker& w, const worker& other) noexcept {
  if (w.share.with.load(std::memory_order_relaxed) >= 0) return;
  const int cpu = cpu_of(other);
  cpu_share& share = w.share;
  // A worker that the settings or the front end tie to its CPUs stays there, and so does one that is not
  // allowed where the other is.
  if (cpu < 0 || !platform::read_mask_of(w.tid.load(std::memory_order_relaxed), share.usual) ||
      share.usual.count() <= 1 || !share.usual.has(cpu))
    return;
  if (share.with.load(std::memory_order_relaxed) == cpu_share::alone) {
    share.since = platform::clock_ticks_since_boot();
    share.visited = {};
  }
  if (!confine(w, cpu)) return;
  share.cpu = cpu;
  share.visited.add(cpu);
  share.with.store(other.index, std::memory_order_relaxed);
  sharers_.fetch_add(1, std::memory_order_relaxed);
}

/// Under the lock.
void cpu_shares::stop(worker& w, ended_by who) noexcept {
  cpu_share& share = w.share;
  const int with = share.with.load(std::memory_order_relaxed);
  if (with == cpu_share::alone || (with == cpu_share::left_behind && who == ended_by::another)) return;
  share.with.store(who == ended_by::itself ? cpu_share::alone : cpu_share::left_behind, std::memory_order_relaxed);
  if (with >= 0) {
    sharers_.fetch_sub(1, std::memory_order_relaxed);
    const int thread = w.tid.load(std::memory_order_relaxed);
    platform::cpu_mask now;
    // Only if nobody else has changed it meanwhile: the program's own wish stands.
    if (platform::read_mask_of(thread, now) && now.is_only(share.cpu) && !platform::set_mask_of(thread, share.usual)) {
      // The thread has ended, or may not run there any more.
    }
  }
  platform::widen_masks_inherited(share.visited, share.since, share.usual, is_sharer, w.home);
}

void cpu_shares::end(worker& w) noexcept {
  if (w.share.with.load(std::memory_order_relaxed) == cpu_share::alone) [[likely]] return;
  const std::lock_guard hold(lock_);
  stop(w, ended_by::itself);
}

void cpu_shares::leave_in_child(worker& w) noexcept {
  if (w.share.with.exchange(cpu_share::alone, std::memory_order_relaxed) < 0) return;
  constexpr int calling_thread = 0;
  if (!platform::set_mask_of(calling_thread, w.share.usual)) return;  // as it may not run elsewhere
}

void cpu_shares::end_all(const pool& p) noexcept {
  const std::lock_guard hold(lock_);
  for (int i = 0, n = p.workers(); i != n; ++i)
    if (worker* const w = p.at(i)) stop(*w, ended_by::another);
}

void cpu_shares::follow(const pool& p) noexcept {
  const std::lock_guard hold(lock_);
  for (int i = 0, n = p.workers(); i != n; ++i) {
    worker* const w = p.at(i);
    if (w == nullptr || w->share.with.load(std::memory_order_relaxed) < 0) continue;
    cpu_share& share = w->share;
    const int cpu = cpu_of(*p.at(share.with.load(std::memory_order_relaxed)));
    if (cpu < 0 || cpu == share.cpu || !share.usual.has(cpu)) continue;
    if (!confine(*w, cpu)) continue;
    share.cpu = cpu;
    share.visited.add(cpu);
  }
}

}  // namespace kasuri::sched
