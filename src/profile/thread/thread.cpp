// SPDX-License-Identifier: Apache-2.0
#include "profile/thread/thread.hpp"

#include <pthread.h>

#include <new>

#include "platform/base/clock.hpp"
#include "platform/memory/memory.hpp"
#include "platform/thread/os_thread.hpp"
#include "profile/base/active.hpp"
#include "profile/thread/sampler.hpp"

namespace kasuri::profile {
namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local thread* mine = nullptr;
constinit std::atomic<thread*> newest{nullptr};

/// Tells the registry that its OS thread ends.
struct end_of_thread {
  ~end_of_thread() {
    if (thread* const t = mine) {
      stop_samples(*t);
      t->end();
    }
  }
  void arm() noexcept { armed = true; }
  bool armed = false;
};
thread_local end_of_thread at_end;

/// For all that have no memory for one of their own.
thread& shared_by_the_rest() noexcept {
  static auto* const it = new (platform::reserve(sizeof(thread))) thread;
  return *it;
}

/// Zero pages of the system until they are written: most sites are never met by most threads.
thread* make() noexcept {
  void* const memory = platform::reserve(sizeof(thread));
  return memory == nullptr ? nullptr : new (memory) thread;
}

[[gnu::noinline]] thread& make_here() noexcept {
  thread* const t = make();
  if (t == nullptr) {
    recording.store(false, std::memory_order_relaxed);
    return shared_by_the_rest();
  }
  mine = t;  // its path begins by its own clock
  t->start(platform::thread_id(), static_cast<unsigned long>(pthread_self()), platform::ticks());
  thread* before = newest.load(std::memory_order_relaxed);
  do {
    t->next = before;
    // release: pairs with the acquire in newest_thread()
  } while (!newest.compare_exchange_weak(before, t, std::memory_order_release,
                                         std::memory_order_relaxed));
  at_end.arm();
  start_samples(*t);
  return *t;
}

}  // namespace

record::time_state thread::state() const noexcept {
  // acquire: pairs with the release in is_worker()
  const record::time_account* const account = account_.load(std::memory_order_acquire);
  return account == nullptr ? record::time_state::detached : account->state();
}

record::wait_reason thread::waits_for() const noexcept {
  // acquire: pairs with the release in is_worker()
  const record::time_account* const account = account_.load(std::memory_order_acquire);
  return account == nullptr ? record::wait_reason::none : account->waits_for();
}

thread& here() noexcept { return mine != nullptr ? *mine : make_here(); }
thread* known_here() noexcept { return mine; }

void carry_to(std::uintptr_t thread_pointer) noexcept {
  // The offset is the same for all threads: the model is initial-exec.
  const auto offset = reinterpret_cast<std::uintptr_t>(&mine) -
                      reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
  *reinterpret_cast<thread**>(thread_pointer + offset) = mine;
}

thread* newest_thread() noexcept {
  // acquire: pairs with the release in make_here()
  return newest.load(std::memory_order_acquire);
}

void forget_threads() noexcept {
  newest.store(nullptr, std::memory_order_relaxed);
  mine = nullptr;
}

}  // namespace kasuri::profile
