// SPDX-License-Identifier: Apache-2.0
#include "sched/worker/os_thread.hpp"

#include <pthread.h>

#include <cerrno>

#include "context/overflow.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/base/race_detector.hpp"
#include "platform/thread/os_thread.hpp"
#include "profile/base/active.hpp"
#include "profile/thread/thread.hpp"
#include "sched/worker/identity.hpp"
#include "sched/worker/worker.hpp"

extern "C" kasuri::sched::exception_state* __cxa_get_globals() noexcept;

namespace kasuri::sched {
namespace {

thread_local constinit int id_of_this_thread = 0;

/// At the end of an OS thread that was a worker once. Where no code on the way could be unwound,
/// this is the first to know that a task has ended its thread.
void at_end_of_thread(void*) noexcept {
  if (detail::self() != nullptr) thread_ends_in_task();
}

pthread_key_t end_of_thread_key() noexcept {
  static const pthread_key_t key = [] {
    pthread_key_t k{};
    pthread_key_create(&k, at_end_of_thread);
    return k;
  }();
  return key;
}

int prepared_thread() noexcept {
  if (id_of_this_thread == 0) {
    context::prepare_thread_for_overflows();
    pthread_setspecific(end_of_thread_key(), &id_of_this_thread);  // any address
    id_of_this_thread = platform::thread_id();
  }
  return id_of_this_thread;
}

}  // namespace

void prepare_for_ends_of_threads() noexcept { end_of_thread_key(); }

void forget_id_of_this_thread() noexcept { id_of_this_thread = 0; }

void thread_ends_in_task() noexcept {
  platform::fatal(
      "a task has ended its thread (pthread_exit, or pthread_cancel), which runs other tasks as "
      "well; accepted: to return from the task");
}

void adopt_thread(worker& w) noexcept {
  KASURI_EXPECT(cheap, detail::self() == nullptr, "the thread of worker %d is to be worker %d",
                index_of_caller(), w.index);
  w.native_stack.fiber.adopt_native();
  w.native_stack.home = &w;
  if (platform::race_detector_runs() || platform::address_sanitizer_wants_stacks()) [[unlikely]]
    w.native_bounds = platform::own_stack();
  w.face.stack = &w.native_stack;
  w.forwent_rseq = false;
  w.exceptions = __cxa_get_globals();
  w.error = &errno;
  w.native = {context::thread_pointer(), w.exceptions, w.error, face_of_this_thread(), nullptr, {}};
  w.face.current = nullptr;
  w.tid.store(prepared_thread(), std::memory_order_relaxed);
  w.has_thread.store(true, std::memory_order_relaxed);
  detail::kasuri_current_face = &w.face;
  if (profile::active()) [[unlikely]]
    profile::here().is_worker(&w.stats.time, w.index);
}

void release_thread(worker& w) noexcept {
  KASURI_EXPECT(cheap, current() == &w && w.wears == nullptr,
                "worker %d, which wears %p, is left by worker %d", w.index,
                static_cast<void*>(w.wears), index_of_caller());
  if (profile::active()) [[unlikely]]
    profile::here().is_worker(nullptr);
  detail::kasuri_current_face = nullptr;
  w.has_thread.store(false, std::memory_order_relaxed);
}

}  // namespace kasuri::sched
