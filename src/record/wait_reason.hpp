// SPDX-License-Identifier: Apache-2.0
// Why a thread stopped running: the one list, shared by the scheduler (which stores the reason in
// the suspended thread), the recorder, the dump of suspended threads and the gdb script.
//
// The numbers stand in recordings: add reasons at the end of their group's range, never renumber.
// A reason is unique and descriptive; do not reuse one for a new place, add one.
#pragma once

#include <cstdint>      // for uint8_t
#include <string_view>  // for string_view

namespace kasuri::record {

enum class wait_reason : std::uint8_t {
  none = 0,               // not suspended
  join = 1,               // parallel_invoke: a stolen closure is not done
  group_wait = 2,         // task_group::wait: tasks of the group are not done
  thread_join = 3,        // kasuri_thread_join: the thread is not done
  future = 4,             // future::get or wait: the value is not there
  mutex = 5,              // another thread holds the mutex
  condition = 6,          // nobody has notified the condition variable
  semaphore = 7,          // the semaphore is at zero
  barrier = 8,            // others have not arrived
  latch = 9,              // the latch is not at zero
  yield = 10,             // stepped back of its own accord; runnable
  child_first = 11,       // stepped aside for the child it has just spawned; runnable
  blocking = 12,          // inside blocking(f): waits in the operating system
  pinned_return = 13,     // must go on on one particular worker and is on its way there; runnable
  queue_full = 14,        // spawns into a full queue; goes on when there is room
  token = 15,             // a foreign thread waits until it may run beside the pool's workers
  stack = 16,             // no stack could be had; goes on when one is returned
  sleep = 20,             // sleep_for, sleep_until: its time has not come; goes on by itself
  shared_lock = 21,       // a shared mutex is held exclusively, or asked for so by an older waiter
  exclusive_lock = 22,    // a shared mutex is held
  timer = 23,             // the end of a timer waits for a call of its function that is under way
  channel_send = 24,      // channel::send: the channel is full
  channel_receive = 25,   // channel::receive: the channel is empty
  pipeline_turn = 26,     // a stage in order of a pipeline: earlier items have not come so far
  arena = 27,             // arena::execute: other workers have all permits of the arena
  openmp = 32,            // a member of an OpenMP team waits for others (recordings from before 33)
  openmp_barrier = 33,    // ... in a barrier, or at the end of a region
  openmp_lock = 34,       // another member has the lock or is in the critical construct
  openmp_tasks = 35,      // taskwait, taskgroup, dependences: tasks have not ended
  openmp_turn = 36,       // ordered, doacross: earlier iterations have not come so far
  openmp_construct = 37,  // another member gives it: a place among the constructs, copyprivate
  openmp_dock = 38,       // a worker has ended its member of a region and waits awake for the next
  runtime_turn = 39,      // a call of OpenBLAS or Blosc: the cores have jobs of other such calls
  remote_join = 64,       // global::parallel_invoke: another rank runs the closure
  // 40..63: OpenMP front end and runtimes. 64..95: cluster front end.
};

/// The reason in words, as dumps and reports print it; "unknown" for a number not listed.
constexpr std::string_view name(wait_reason reason) noexcept {
  switch (reason) {
    case wait_reason::none:
      return "none";
    case wait_reason::join:
      return "join";
    case wait_reason::group_wait:
      return "group wait";
    case wait_reason::thread_join:
      return "thread join";
    case wait_reason::future:
      return "future";
    case wait_reason::mutex:
      return "mutex";
    case wait_reason::condition:
      return "condition variable";
    case wait_reason::semaphore:
      return "semaphore";
    case wait_reason::barrier:
      return "barrier";
    case wait_reason::latch:
      return "latch";
    case wait_reason::yield:
      return "yield";
    case wait_reason::child_first:
      return "child first";
    case wait_reason::blocking:
      return "blocking call";
    case wait_reason::pinned_return:
      return "return to its worker";
    case wait_reason::queue_full:
      return "queue full";
    case wait_reason::token:
      return "token";
    case wait_reason::stack:
      return "stack";
    case wait_reason::sleep:
      return "sleep";
    case wait_reason::shared_lock:
      return "shared lock";
    case wait_reason::exclusive_lock:
      return "exclusive lock";
    case wait_reason::timer:
      return "end of a timer";
    case wait_reason::channel_send:
      return "send to a channel";
    case wait_reason::channel_receive:
      return "receive from a channel";
    case wait_reason::pipeline_turn:
      return "turn in a pipeline";
    case wait_reason::arena:
      return "arena";
    case wait_reason::openmp:
      return "OpenMP";
    case wait_reason::openmp_barrier:
      return "OpenMP barrier";
    case wait_reason::openmp_lock:
      return "OpenMP lock";
    case wait_reason::openmp_tasks:
      return "OpenMP tasks";
    case wait_reason::openmp_turn:
      return "OpenMP turn";
    case wait_reason::openmp_construct:
      return "OpenMP construct";
    case wait_reason::openmp_dock:
      return "next OpenMP region";
    case wait_reason::runtime_turn:
      return "turn of a runtime's call";
    case wait_reason::remote_join:
      return "join with another rank";
  }
  return "unknown";
}

}  // namespace kasuri::record
