// SPDX-License-Identifier: Apache-2.0
#pragma once

// A coroutine that waits where threads wait: for an object, a time, or its turn. The record by
// which it stands there lies in its awaiter, that is, in the coroutine's frame. src/task/coroutine
// has the record and the calls.
//
// The coroutine has been suspended when an awaiter calls. Where it is to wait it may go on, and the
// awaiter be gone, before the call returns.

#include <atomic>
#include <coroutine>
#include <cstddef>
#include <cstdint>

#include "kasuri/detail/frame.hpp"
#include "kasuri/detail/join.hpp"

namespace [[gnu::visibility("default")]] kasuri {

class barrier;
class condition_variable;
class latch;
class mutex;
class semaphore;
class shared_mutex;

namespace detail {

class channel_core;
struct message;
struct mutex_record;
struct timed_watch;

/// Memory for the record, which the call that makes it fills.
template <std::size_t size>
class coroutine_memory {
 public:
  coroutine_memory() noexcept {}  // NOLINT(modernize-use-equals-default): the memory stays as it is
  coroutine_memory(const coroutine_memory&) = delete;
  coroutine_memory& operator=(const coroutine_memory&) = delete;

  static constexpr std::size_t bytes = size;
  void* memory() noexcept { return memory_; }

 private:
  alignas(std::uint64_t) std::byte memory_[bytes];
};

using coroutine_waiter = coroutine_memory<192>;
/// The same for a wait that may end by its time.
using timed_coroutine_waiter = coroutine_memory<320>;

/// The coroutine goes on behind what is ready on this worker.
void go_on_behind_others(coroutine_waiter& w, std::coroutine_handle<> c) noexcept;

/// The coroutine goes on at that time of the steady clock; behind others if it has come. Throws
/// std::bad_alloc where the system gives no thread for timers.
void go_on_at(coroutine_waiter& w, std::coroutine_handle<> c, std::int64_t by);

/// Each takes what the coroutine asks for and returns false; or returns true: the coroutine waits,
/// and has it when it goes on.
struct [[gnu::visibility("default")]] coroutine_access {
  static bool try_lock(mutex& m) noexcept;
  static bool lock(mutex& m, coroutine_waiter& w, std::coroutine_handle<> c) noexcept;
  static bool acquire(semaphore& s, coroutine_waiter& w, std::coroutine_handle<> c) noexcept;
  static bool wait(latch& l, coroutine_waiter& w, std::coroutine_handle<> c) noexcept;
  /// Counts down before; throws as latch::arrive_and_wait().
  static bool arrive(latch& l, coroutine_waiter& w, std::coroutine_handle<> c);
  /// False: the coroutine came last, and the function of the barrier has been called.
  static bool arrive(barrier& b, coroutine_waiter& w, std::coroutine_handle<> c) noexcept;
  static bool lock(shared_mutex& m, bool shared, coroutine_waiter& w,
                   std::coroutine_handle<> c) noexcept;
  /// Lets the mutex go, which the caller holds; the coroutine has it again when it goes on. Waits
  /// in any case.
  static void wait(condition_variable& v, mutex& held, coroutine_waiter& w,
                   std::coroutine_handle<> c) noexcept;
  /// For a record that was made for another object, and stands in no list.
  static bool lock(mutex& m, mutex_record& r) noexcept;
  static bool send(channel_core& to, message* m, coroutine_waiter& w,
                   std::coroutine_handle<> c) noexcept;
  static bool receive(channel_core& from, coroutine_waiter& w, std::coroutine_handle<> c) noexcept;
  /// Behind one of these two: the message that was received, or was not sent because the channel is
  /// closed. Null: it was sent; or the channel is closed, and all are received.
  static message* message_of(coroutine_waiter& w) noexcept;

  // The same until a time of the steady clock. False also where the time is over: came() tells.
  // They throw std::bad_alloc where the system gives no thread for timers.
  static bool lock(mutex& m, timed_coroutine_waiter& w, std::coroutine_handle<> c, std::int64_t by);
  static bool lock(shared_mutex& m, bool shared, timed_coroutine_waiter& w,
                   std::coroutine_handle<> c, std::int64_t by);
  static bool acquire(semaphore& s, timed_coroutine_waiter& w, std::coroutine_handle<> c,
                      std::int64_t by);
  static bool wait(latch& l, timed_coroutine_waiter& w, std::coroutine_handle<> c, std::int64_t by);
  static void wait(condition_variable& v, mutex& held, timed_coroutine_waiter& w,
                   std::coroutine_handle<> c, std::int64_t by);
  /// For the result of a task whose record has that watch.
  static bool wait(frame* task, std::atomic<timed_watch*>& watch, timed_coroutine_waiter& w,
                   std::coroutine_handle<> c, std::int64_t by);
  /// Behind one of these: whether the coroutine has what it asked for.
  static bool came(timed_coroutine_waiter& w) noexcept;
};

/// A task that goes on with a coroutine; lies in its awaiter.
struct resumption : frame {
  std::coroutine_handle<> coroutine;

  void is_of(std::coroutine_handle<> c) noexcept {
    type = &kind;
    in = nullptr;
    coroutine = c;
  }

 private:
  static suspended* run(frame* f) {
    static_cast<resumption*>(f)->coroutine.resume();
    return nullptr;
  }
  static constexpr frame_type kind{&run, false, "coroutine"};
};

}  // namespace detail
}  // namespace kasuri
