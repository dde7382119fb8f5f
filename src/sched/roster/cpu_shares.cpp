// SPDX-License-Identifier: Apache-2.0
#include "sched/roster/cpu_shares.hpp"

#include <mutex>

#include "platform/base/expect.hpp"
#include "sched/roster/roster.hpp"

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

/// Whether `w` runs something and has a processor that others may share: not one that it shares
/// itself.
bool can_be_joined(const worker& w) noexcept {
  return w.busy.load(std::memory_order_relaxed) && w.share.with.load(std::memory_order_relaxed) < 0;
}

bool is_confined(int with) noexcept { return with >= 0 || with == cpu_share::held; }

/// Whether others share the processor of the worker of that index.
bool is_shared(const roster& p, int index) noexcept {
  for (int i = 0, n = p.workers(); i != n; ++i)
    if (p.at(i)->share.with.load(std::memory_order_relaxed) == index) return true;
  return false;
}

/// The next worker behind index `from` that can be joined, or null.
worker* next_to_join(const roster& p, int from) noexcept {
  const int n = p.workers();
  for (int i = 1; i <= n; ++i)
    if (worker* const w = p.at((from + i) % n); can_be_joined(*w)) return w;
  return nullptr;
}

/// Whether that thread has one CPU because it shares it, or others share it with it.
bool is_confined_thread(int thread_id, const void* of) noexcept {
  const roster& p = *static_cast<const roster*>(of);
  for (int i = 0, n = p.workers(); i != n; ++i) {
    const worker* const w = p.at(i);
    if (w != nullptr && w->tid.load(std::memory_order_relaxed) == thread_id)
      return is_confined(w->share.with.load(std::memory_order_relaxed));
  }
  return false;
}

}  // namespace

/// Under the lock, in the trees that run invariants: the counts say what the workers do.
inline void cpu_shares::check() const noexcept {
  if constexpr (platform::expectations < platform::expect_level::all) return;
  int sharers = 0;
  int held = 0;
  for (int i = 0, n = all_.workers(); i != n; ++i) {
    const int with = all_.at(i)->share.with.load(std::memory_order_relaxed);
    KASURI_EXPECT(all, with >= cpu_share::held && with < n && with != i,
                  "worker %d of %d shares with %d", i, n, with);
    sharers += with >= 0 ? 1 : 0;
    held += with == cpu_share::held ? 1 : 0;
  }
  const int confined = confined_.load(std::memory_order_relaxed);
  KASURI_EXPECT(all, sharers == sharers_ && sharers + held == confined,
                "%d share and %d are held, counted are %d and %d confined", sharers, held, sharers_,
                confined);
}

void cpu_shares::ask_for(const worker& computing) noexcept {
  asked_for_.store(computing.index, std::memory_order_relaxed);
}

void cpu_shares::begin(worker& w) noexcept {
  const int other = asked_for_.exchange(-1, std::memory_order_relaxed);
  if (other < 0 || other == w.index) return;
  KASURI_EXPECT(cheap, other < all_.workers() && current() == &w,
                "worker %d begins for worker %d to share with %d of %d", index_of_caller(), w.index,
                other, all_.workers());
  const std::lock_guard hold(lock_);
  share_with(w, *all_.at(other));
}

void cpu_shares::begin_for(const worker& computing) noexcept {
  const std::lock_guard hold(lock_);
  for (int i = 0, n = all_.workers(); i != n; ++i) {
    worker* const w = all_.at(i);
    if (w == nullptr || w == &computing || w->stats.role != record::worker_role::spare) continue;
    if (!w->busy.load(std::memory_order_relaxed)) continue;
    share_with(*w, computing);
    if (w->share.with.load(std::memory_order_relaxed) >= 0) return;
  }
}

void cpu_shares::end_for(const worker& asleep) noexcept {
  const std::lock_guard hold(lock_);
  for (int i = 0, n = all_.workers(); i != n; ++i)
    if (worker* const w = all_.at(i); w->share.with.load(std::memory_order_relaxed) == asleep.index)
      return stop(*w, ended_by::another);
}

/// Under the lock. Notes where `w` may run otherwise. False where it is not to be confined: a
/// worker that the settings or the front end tie to its CPUs stays there, and so does one that is
/// not allowed on `cpu`.
bool cpu_shares::confine_to(worker& w, int cpu) noexcept {
  cpu_share& share = w.share;
  KASURI_EXPECT(cheap, !is_confined(share.with.load(std::memory_order_relaxed)),
                "worker %d is confined to CPU %d already (%d), now to %d", w.index, share.cpu,
                share.with.load(std::memory_order_relaxed), cpu);
  if (cpu < 0 || !platform::read_mask_of(w.tid.load(std::memory_order_relaxed), share.usual) ||
      share.usual.count() <= 1 || !share.usual.has(cpu))
    return false;
  if (share.with.load(std::memory_order_relaxed) == cpu_share::alone) {
    share.since = platform::clock_ticks_since_boot();
    share.visited = {};
  }
  if (!confine(w, cpu)) return false;
  share.cpu = cpu;
  share.visited.add(cpu);
  confined_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

/// Under the lock.
void cpu_shares::share_with(worker& w, const worker& other) noexcept {
  const int with = w.share.with.load(std::memory_order_relaxed);
  if (is_confined(with) || !confine_to(w, cpu_of(other))) return;
  w.share.with.store(other.index, std::memory_order_relaxed);
  ++sharers_;
  KASURI_EXPECT(cheap, sharers_ > 0 && sharers_ <= confined_.load(std::memory_order_relaxed),
                "%d sharers of %d that are confined", sharers_,
                confined_.load(std::memory_order_relaxed));
}

/// Under the lock. On the CPU where it is, or on another one if somebody is held there already.
void cpu_shares::hold_in_place(worker& w) noexcept {
  if (w.share.with.load(std::memory_order_relaxed) == cpu_share::held) return;
  platform::cpu_mask taken;
  for (int i = 0, n = all_.workers(); i != n; ++i)
    if (const worker* const v = all_.at(i);
        v->share.with.load(std::memory_order_relaxed) == cpu_share::held)
      taken.add(v->share.cpu);
  int cpu = cpu_of(w);
  platform::cpu_mask allowed;
  if (cpu < 0 || !platform::read_mask_of(w.tid.load(std::memory_order_relaxed), allowed)) return;
  if (taken.has(cpu))
    for (int other = 0; other != platform::cpu_mask::most; ++other)
      if (allowed.has(other) && !taken.has(other)) {
        cpu = other;
        break;
      }
  if (confine_to(w, cpu)) w.share.with.store(cpu_share::held, std::memory_order_relaxed);
}

/// Under the lock.
void cpu_shares::stop(worker& w, ended_by who) noexcept {
  cpu_share& share = w.share;
  const int with = share.with.load(std::memory_order_relaxed);
  if (with == cpu_share::alone || (with == cpu_share::left_behind && who == ended_by::another))
    return;
  share.with.store(who == ended_by::itself ? cpu_share::alone : cpu_share::left_behind,
                   std::memory_order_relaxed);
  if (is_confined(with)) {
    const int before = confined_.fetch_sub(1, std::memory_order_relaxed);
    if (with >= 0) --sharers_;
    KASURI_EXPECT(cheap, sharers_ >= 0 && sharers_ < before,
                  "worker %d was confined (%d); %d sharers, %d were confined", w.index, with,
                  sharers_, before);
    const int thread = w.tid.load(std::memory_order_relaxed);
    platform::cpu_mask now;
    // Only if nobody else has changed it meanwhile: the program's own wish stands.
    if (platform::read_mask_of(thread, now) && now.is_only(share.cpu) &&
        !platform::set_mask_of(thread, share.usual)) {
      // The thread has ended, or may not run there any more.
    }
  }
  platform::widen_masks_inherited(share.visited, share.since, share.usual, is_confined_thread,
                                  &all_);
}

void cpu_shares::end(worker& w) noexcept {
  if (w.share.with.load(std::memory_order_relaxed) == cpu_share::alone) [[likely]]
    return;
  const std::lock_guard hold(lock_);
  stop(w, ended_by::itself);
}

void cpu_shares::leave_in_child(worker& w) noexcept {
  const int with = w.share.with.exchange(cpu_share::alone, std::memory_order_relaxed);
  if (!is_confined(with)) return;
  constexpr int calling_thread = 0;
  if (!platform::set_mask_of(calling_thread, w.share.usual)) return;  // as it may not run elsewhere
}

void cpu_shares::keep(int most) noexcept {
  const std::lock_guard hold(lock_);
  const auto end_where = [&](auto wanted, int left) {
    for (int i = 0, n = all_.workers(); i != n && sharers_ > left; ++i) {
      worker* const w = all_.at(i);
      if (w != nullptr && w->share.with.load(std::memory_order_relaxed) >= 0 && wanted(*w))
        stop(*w, ended_by::another);
    }
  };
  end_where([](const worker& w) { return w.asleep.load(std::memory_order_relaxed) != flag::awake; },
            0);
  end_where([](const worker&) { return true; }, most);
  for (int i = 0, n = all_.workers(); i != n; ++i)
    if (worker* const w = all_.at(i);
        w->share.with.load(std::memory_order_relaxed) == cpu_share::held &&
        (!w->busy.load(std::memory_order_relaxed) || !is_shared(all_, i)))
      stop(*w, ended_by::another);
  check();
}

void cpu_shares::follow() noexcept {
  const std::lock_guard hold(lock_);
  for (int i = 0, n = all_.workers(); i != n; ++i) {
    worker* const w = all_.at(i);
    if (w == nullptr || w->share.with.load(std::memory_order_relaxed) < 0) continue;
    cpu_share& share = w->share;
    worker* with = all_.at(share.with.load(std::memory_order_relaxed));
    if (!can_be_joined(*with)) {
      with = next_to_join(all_, with->index);
      if (with == nullptr) continue;
      share.with.store(with->index, std::memory_order_relaxed);
    }
    hold_in_place(*with);
    const bool stays = with->share.with.load(std::memory_order_relaxed) == cpu_share::held;
    const int cpu = stays ? with->share.cpu : cpu_of(*with);
    if (cpu < 0 || cpu == share.cpu || !share.usual.has(cpu)) continue;
    if (!confine(*w, cpu)) continue;
    share.cpu = cpu;
    share.visited.add(cpu);
  }
  check();
}

}  // namespace kasuri::sched
