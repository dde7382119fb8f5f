// SPDX-License-Identifier: Apache-2.0
#include "sched/pool/monitor.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "platform/base/bounds.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/cpu/affinity.hpp"
#include "platform/settings/settings.hpp"
#include "platform/thread/mutex.hpp"
#include "platform/thread/os_thread.hpp"
#include "platform/thread/park.hpp"
#include "record/recorder.hpp"
#include "sched/pool/pool.hpp"

namespace kasuri::sched {
namespace {

constexpr int looks_before_stuck = 2;
// Looks with an idle worker about before the monitor itself goes to sleep.
constexpr int looks_before_sleep = 50;
// The wait before another token for a worker that runs doubles at most so often.
constexpr int doublings = 8;
constexpr int doublings_if_all_must_start = 2;
// So many workers that move at once have been released by one another, not by chance.
constexpr int moves_of_a_release = 3;
// After so many looks the tokens lent last have not released anybody.
constexpr int looks_of_no_use = 16;
// A worker sleeps, and does not contend, when so many looks find it in one sleep for a mutex.
constexpr int looks_of_one_sleep = 8;
// It calls nothing of the program.
constexpr std::size_t stack_of_monitor = std::size_t{256} << 10;
constinit platform::mutex start_lock;

}  // namespace

constinit monitor monitor::the_only_one;

void monitor::lock() noexcept { start_lock.lock(); }
void monitor::unlock() noexcept { start_lock.unlock(); }

void monitor::start() noexcept {
  if (platform::current_settings().monitor_ms == 0) return;
  if (!pool_runs()) return;  // the child of a fork stands in what is left of its parent's
  const std::lock_guard hold(start_lock);
  std::uint32_t asleep = 0;
  // acq_rel: pairs with the exchange in watch, by which the monitor goes to sleep
  if (!watching_.compare_exchange_strong(asleep, 1, std::memory_order_acq_rel)) return;
  if (has_thread_.load(std::memory_order_relaxed)) {
    platform::unpark(watching_, 1);
  } else if (platform::start_os_thread(thread_, thread_main, this, "kasuri-monitor",
                                       stack_of_monitor)) {
    has_thread_.store(true, std::memory_order_relaxed);
  } else {
    watching_.store(0, std::memory_order_relaxed);  // tried again at the next chance
  }
}

void monitor::stop() noexcept {
  if (!has_thread_.load(std::memory_order_relaxed)) return;
  // release: pairs with the acquire in watch
  watching_.store(2, std::memory_order_release);
  platform::unpark(watching_, 1);
  pthread_join(thread_, nullptr);
  // It may be started once more before the pool has ended, and counts what it has lent from 0. From
  // forget_thread() on a new one writes the seats.
  const pool& p = pool::get();
  for (int i = 0, n = p.workers(); i != n; ++i) p.at(i)->watched.forget_token();
  forget_thread();
}

void monitor::forget_thread() noexcept {
  has_thread_.store(false, std::memory_order_relaxed);
  watching_.store(0, std::memory_order_relaxed);
  for_running_ = {};
  for_mutex_ = {};
  lent_for_due_ = 0;
}

void* monitor::thread_main(void* self) noexcept {
  static_cast<monitor*>(self)->watch();
  return nullptr;
}

void monitor::watch() noexcept {
  const auto pause =
      static_cast<std::uint64_t>(platform::current_settings().monitor_ms) * 1'000'000u;
  int calm = 0;
  for (;;) {
    // acquire: pairs with the release in stop
    const std::uint32_t state = watching_.load(std::memory_order_acquire);
    KASURI_EXPECT(cheap, state <= 2 && current() == nullptr, "state %u, the thread is worker %d",
                  state, index_of_caller());
    if (state == 2) return;
    if (state == 0) {
      // Nothing needs the monitor but a recording, which goes to its file once a second.
      constexpr std::uint64_t second = 1'000'000'000;
      if (record::drain())
        platform::park_for(watching_, 0, second);
      else
        platform::park(watching_, 0);
      continue;
    }
    platform::park_for(watching_, 1, pause);
    pool& p = pool::get();
    record::drain();
    look(p);
    const idle_counts c = p.counts();
    const bool wanted = c.active >= c.limit || for_running_.lent != 0 || returns_wait_ ||
                        work_waits_ || lent_for_due_ != 0;
    calm = wanted || p.spares_used_up() ? 0 : calm + 1;
    if (calm < looks_before_sleep) continue;
    calm = 0;
    std::uint32_t awake = 1;
    // acq_rel: pairs with the exchange in start
    watching_.compare_exchange_strong(awake, 0, std::memory_order_acq_rel);
    // Somebody may have looked at watching_ just before.
    detail::real_atomics::fence_heavy();  // pairs with the fence_light in look_out
    tokens_changed(p.counts());
    if (somebody_returns(p) || p.work_visible()) look_out();
  }
}

bool monitor::somebody_returns(const pool& p) noexcept {
  for (int i = 0, n = p.workers(); i != n; ++i)
    if (const worker* w = p.at(i); w != nullptr && !w->returning.empty()) return true;
  return false;
}

/// One that runs a task; null: none does just now.
worker* monitor::busy_worker(const pool& p) noexcept {
  for (int i = 0, n = p.workers(); i != n; ++i)
    if (worker* w = p.at(i); w != nullptr && w->busy.load(std::memory_order_relaxed)) return w;
  return nullptr;
}

void monitor::look(pool& p) noexcept {
  const idle_counts c = p.counts();
  const bool everybody_busy = c.active >= c.limit && c.searching == 0 && p.work_waits();
  for (pace* const kind : {&for_running_, &for_mutex_})
    if (kind->looks_until_next != 0) --kind->looks_until_next;
  returns_wait_ = somebody_returns(p);
  work_waits_ = p.work_visible();
  if (c.waiting != 0) p.ask_all();  // fork-join code looks whether it is to step aside when asked
  const int running_lent_before = for_running_.lent;
  moved_ = 0;
  for (int i = 0, n = p.workers(); i != n; ++i)
    if (worker* w = p.at(i)) look_at(p, *w, everybody_busy);
  check(p);
  note_moves(running_lent_before);
  settle_shares(p);
  use_free_tokens(p, c);
  lend_to_due(p);
}

/// The time of a frame has come, and all workers compute: tasks that fork look for no other work
/// until they end. A thread more takes it, and one more if it still waits some looks later. Once
/// none waits the tokens go back, and as many threads step aside.
void monitor::lend_to_due(pool& p) noexcept {
  if (!p.has_due()) {
    looks_with_due_ = 0;
    for (; lent_for_due_ != 0; --lent_for_due_) p.take_token_back();
    return;
  }
  if (++looks_with_due_ < looks_before_stuck) return;
  const idle_counts c = p.counts();
  const bool somebody_comes = c.sleeping != 0 || !p.spares_used_up();
  worker* const computing = busy_worker(p);
  if (c.active < c.limit || !somebody_comes || computing == nullptr) return;
  looks_with_due_ = 0;
  ++lent_for_due_;
  p.lend_for_due(*computing);
}

/// Work waits although there is a token for it: no thread is left to take it. In one look that may
/// be a thread on its way.
void monitor::use_free_tokens(pool& p, const idle_counts& c) noexcept {
  const bool waits = c.sleeping == 0 && c.active < c.limit && c.searching == 0 && p.work_waits();
  looks_without_thread_ = waits ? looks_without_thread_ + 1 : 0;
  if (looks_without_thread_ < looks_before_stuck) return;
  p.send_free_tokens();
  if (!p.spares_used_up() || looks_without_thread_ != looks_before_stuck) return;
  constinit static bool said = false;
  if (std::exchange(said, true)) return;
  const int most = platform::current_settings().max_spares;
  platform::warn(
      "tasks wait, as all workers block or compute and all spare threads stand in for some already "
      "(KASURI_MAX_SPARES=%d; accepted: 0 to %d); blocking(f) takes no worker",
      most, platform::most_spares);
}

/// As many threads share processors as run besides the configured ones, and besides those that
/// stand in for sleeping workers.
void monitor::settle_shares(pool& p) noexcept {
  const int lent_beside_those_that_run = for_running_.lent + for_mutex_.lent + lent_for_due_;
  if (lent_beside_those_that_run == 0) p.shares().take_back_request();
  if (!p.shares().any()) return;
  const idle_counts c = p.counts();
  const int above =
      static_cast<int>(c.active) - (static_cast<int>(c.limit) - lent_beside_those_that_run);
  p.shares().keep(std::max(above, 0));
  p.shares().follow();
}

/// Tasks that compute come to an end one by one; tasks that spin for each other all move when the
/// last of them has started. Where that was seen, tokens are lent without pauses, until it no
/// longer helps.
void monitor::note_moves(int running_lent_before) noexcept {
  KASURI_EXPECT(cheap, moved_ >= 0 && moved_ <= running_lent_before,
                "%d of %d workers that a token was lent for have moved", moved_,
                running_lent_before);
  if (moved_ >= moves_of_a_release && moved_ == running_lent_before) all_at_once_ = true;
  if (++looks_since_lent_ > looks_of_no_use && for_running_.lent != 0) all_at_once_ = false;
}

void monitor::look_at(pool& p, worker& w, bool everybody_busy) noexcept {
  const std::uint64_t beat = w.beat.load(std::memory_order_relaxed) + w.stats.tasks.get();
  const bool busy = w.busy.load(std::memory_order_relaxed);
  if (beat != w.watched.last_beat_ || !busy) {
    w.watched.last_beat_ = beat;
    w.watched.still_ = 0;
    if (w.watched.stuck_ != monitor_seat::progress::moves) {
      moved_ += w.watched.stuck_ == monitor_seat::progress::runs ? 1 : 0;
      lent_for_one_less(w);
      w.watched.stuck_ = monitor_seat::progress::moves;
      p.take_token_back();
    }
    return;
  }
  w.queue.ask();
  // It may have kept that from those who sleep.
  if (!w.ready.empty() || (!w.queue.empty() && (w.queue.has_public() || !w.arena.is_full())))
    p.work_is_visible();
  if (++w.watched.still_ < looks_before_stuck) return;
  if (!w.returning.empty() && p.lend_native(w)) return;
  if (w.watched.stuck_ != monitor_seat::progress::moves) return note_whether_it_sleeps(p, w);
  if (!everybody_busy || !may_lend(w)) return;
  w.watched.looks_since_lent_ = 0;
  if (pace_of(w.watched.stuck_) != nullptr) p.shares().ask_for(w);
  p.lend_token(w);
}

/// In the trees that run invariants: as many tokens are counted as lent for workers of a kind as
/// workers are noted so.
inline void monitor::check(const pool& p) noexcept {
  if constexpr (platform::expectations < platform::expect_level::all) return;
  for (const auto kind : {monitor_seat::progress::runs, monitor_seat::progress::waits_for_mutex}) {
    int n = 0;
    for (int i = 0; i != p.workers(); ++i) n += p.at(i)->watched.stuck_ == kind ? 1 : 0;
    KASURI_EXPECT(all, n == pace_of(kind)->lent, "%d workers are stuck by %d, %d tokens are lent",
                  n, static_cast<int>(kind), pace_of(kind)->lent);
  }
}

/// A token was lent for `w`. A worker that computes may have begun to sleep in the kernel since:
/// then the thread that stands in for it need not share its processor. Or the other way round: then
/// the next one must, for as long as both run.
void monitor::note_whether_it_sleeps(pool& p, worker& w) noexcept {
  constexpr unsigned looks_between = 16;  // each reads a file
  if (++w.watched.looks_since_lent_ % looks_between != 0) return;
  const monitor_seat::progress now = why_stuck(w);
  if (w.watched.stuck_ == now) return;
  const bool shared = pace_of(w.watched.stuck_) != nullptr;
  lent_for_one_less(w);
  w.watched.stuck_ = now;
  pace* const at = pace_of(now);
  if (at != nullptr) ++at->lent;
  if (shared && at == nullptr) p.shares().end_for(w);
  if (!shared && at != nullptr) p.shares().begin_for(w);
}

monitor::pace* monitor::pace_of(monitor_seat::progress kind) noexcept {
  switch (kind) {
    case monitor_seat::progress::runs:
      return &for_running_;
    case monitor_seat::progress::waits_for_mutex:
      return &for_mutex_;
    case monitor_seat::progress::sleeps:
    case monitor_seat::progress::moves:
      break;
  }
  return nullptr;
}

/// The token that is lent for `w` no longer counts as one of its kind.
void monitor::lent_for_one_less(const worker& w) noexcept {
  pace* const at = pace_of(w.watched.stuck_);
  if (at == nullptr) return;
  KASURI_EXPECT(cheap, at->lent > 0, "worker %d is stuck by %d, for which %d tokens are lent",
                w.index, static_cast<int>(w.watched.stuck_), at->lent);
  --at->lent;
}

/// What a worker that does not move does meanwhile.
monitor_seat::progress monitor::why_stuck(worker& w) noexcept {
  const int thread = w.tid.load(std::memory_order_relaxed);
  switch (platform::what_thread_does(thread)) {
    case platform::doing::runs:
      return monitor_seat::progress::runs;
    case platform::doing::sleeps:
      return monitor_seat::progress::sleeps;
    case platform::doing::sleeps_for_mutex:
      break;
  }
  const std::uint64_t slept = platform::times_slept(thread);
  if (std::exchange(w.watched.slept_, slept) != slept) w.watched.looks_asleep_ = 0;
  return ++w.watched.looks_asleep_ > looks_of_one_sleep ? monitor_seat::progress::sleeps
                                                        : monitor_seat::progress::waits_for_mutex;
}

/// Decides whether a token may be lent for a worker that is stuck, and notes why.
bool monitor::may_lend(worker& w) noexcept {
  KASURI_EXPECT(cheap, w.watched.stuck_ == monitor_seat::progress::moves,
                "a second token for worker %d (%d)", w.index, static_cast<int>(w.watched.stuck_));
  const monitor_seat::progress why = why_stuck(w);
  if (pace* const at = pace_of(why)) {
    if (at->looks_until_next != 0) return false;
    const bool runs = why == monitor_seat::progress::runs;
    const int most =
        must_all_start_.load(std::memory_order_relaxed) ? doublings_if_all_must_start : doublings;
    at->looks_until_next =
        runs && all_at_once_ ? 0 : looks_before_stuck << std::min(at->lent, most);
    ++at->lent;
    if (runs) looks_since_lent_ = 0;
  }
  w.watched.stuck_ = why;
  return true;
}

}  // namespace kasuri::sched
