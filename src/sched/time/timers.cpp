// SPDX-License-Identifier: Apache-2.0
#include "sched/time/timers.hpp"

#include <array>
#include <mutex>
#include <utility>

#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/thread/os_thread.hpp"
#include "platform/thread/park.hpp"
#include "sched/kernel/suspended.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/ready.hpp"

namespace kasuri::sched {

constinit timers timers::the_only_ones;

namespace {

// It calls nothing of the program.
constexpr std::size_t stack_bytes = std::size_t{256} << 10;

void go_on(detail::frame* f, timer::order comes) noexcept {
  if (f->type == &ready_thread)
    make_ready(static_cast<suspended*>(f));
  else if (comes == timer::order::before_others)
    pool::get().send_due(f);
  else
    pool::get().send(f);
}

}  // namespace

/// What one look at the heap has found.
struct timers::batch {
  std::array<detail::frame*, most_at_once> due;
  std::array<timer::order, most_at_once> order;
  std::size_t count = 0;
  bool ends = false;
  // With `count` 0 the thread sleeps on calls_ while it holds `seen`, until `until`.
  std::uint32_t seen = 0;
  steady_ns now = 0;
  steady_ns until = never;
};

void timers::unlock() noexcept {
  const bool call = std::exchange(call_, false);
  if (call) calls_.fetch_add(1, std::memory_order_relaxed);  // relaxed: the system orders its wake
  lock_.unlock();
  if (call) platform::unpark(calls_, 1);
}

void timers::add(timer& t) noexcept {
  KASURI_EXPECT(cheap, t.life != life_, "timer %p is in the heap already", static_cast<void*>(&t));
  t.life = life_;
  heap_.add(&t);
  at_rest_.store(false, std::memory_order_relaxed);
  if (heap_.first() == &t && std::exchange(sleeps_, false)) call_ = true;
}

bool timers::remove(timer& t) noexcept {
  if (t.life != life_) return false;
  t.life = 0;
  heap_.remove(&t);
  return true;
}

/// Under the lock: takes out whose time has come, or says how long to sleep.
void timers::take_due(batch& b) noexcept {
  b.count = 0;
  b.ends = ends_;
  if (b.ends) return;
  b.now = steady_now();
  timer* first = heap_.first();
  for (; first != nullptr && first->when <= b.now && b.count != most_at_once;
       first = heap_.first()) {
    heap_.remove(first);
    first->life = 0;
    b.order[b.count] = first->comes;
    if (detail::frame* const f = first->expire(*first)) b.due[b.count++] = f;
  }
  if (b.count != 0) return;
  sleeps_ = true;
  b.seen = calls_.load(std::memory_order_relaxed);
  b.until = first == nullptr ? never : first->when;
  // release: pairs with the acquire in at_rest
  if (first == nullptr) at_rest_.store(true, std::memory_order_release);
}

void timers::run() noexcept {
  for (batch b;;) {
    {
      const std::lock_guard hold(*this);
      take_due(b);
    }
    if (b.ends) return;
    for (std::size_t i = 0; i != b.count; ++i) go_on(b.due[i], b.order[i]);
    if (b.count != 0) continue;
    if (b.until == never)
      platform::park(calls_, b.seen);
    else if (b.until > b.now)
      platform::park_for(calls_, b.seen, static_cast<std::uint64_t>(b.until - b.now));
  }
}

void* timers::thread_main(void* self) noexcept {
  static_cast<timers*>(self)->run();
  return nullptr;
}

/// Under the lock.
bool timers::start_thread() noexcept {
  if (stopped_ || has_thread()) return true;
  ends_ = sleeps_ = false;
  if (!platform::start_os_thread(thread_, thread_main, this, "kasuri-timer", stack_bytes))
    return false;
  has_thread_.store(true, std::memory_order_relaxed);
  return true;
}

bool timers::start() noexcept {
  {
    const std::lock_guard hold(*this);
    if (start_thread()) return true;
  }
  constinit static std::atomic<bool> said{false};
  if (!said.exchange(true, std::memory_order_relaxed))
    platform::warn(
        "the system gives no thread for timers, so waits for a time throw std::bad_alloc");
  return false;
}

void timers::begin() noexcept {
  const std::lock_guard hold(*this);
  stopped_ = false;
  if (!heap_.empty() && !start_thread())
    platform::fatal("the system gives no thread for the timers that an earlier pool has left");
}

void timers::stop() noexcept {
  {
    const std::lock_guard hold(*this);
    stopped_ = true;
    if (!has_thread()) return;
    ends_ = true;
    call_ = true;
  }
  pthread_join(thread_, nullptr);
  const std::lock_guard hold(*this);
  has_thread_.store(false, std::memory_order_relaxed);
  sleeps_ = false;
}

void timers::forget() noexcept {
  heap_.forget();
  ++life_;
  stopped_ = ends_ = sleeps_ = call_ = false;
  has_thread_.store(false, std::memory_order_relaxed);
  at_rest_.store(true, std::memory_order_relaxed);
}

}  // namespace kasuri::sched
