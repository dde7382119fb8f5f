// SPDX-License-Identifier: Apache-2.0
// The C face of sync.hpp: the C++ object lies in the C one.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>

#include "kasuri/blocking.hpp"
#include "kasuri/kasuri.h"
#include "kasuri/sync.hpp"
#include "kasuri/time.hpp"

namespace kasuri {
namespace {

/// The C++ object in the storage of a C one.
template <class Object, class Storage>
Object* in(Storage* storage) noexcept {
  static_assert(sizeof(Object) <= sizeof(Storage) && alignof(Object) <= alignof(Storage));
  return std::launder(reinterpret_cast<Object*>(storage));
}

/// Begins the object's life in the storage.
template <class Object, class Storage, class... Args>
int begin(Storage* storage, const Args&... args) noexcept {
  if (storage == nullptr) return KASURI_ERROR_INVALID;
  try {
    new (storage) Object(args...);
    return KASURI_SUCCESS;
  } catch (const std::invalid_argument&) {
    return KASURI_ERROR_INVALID;
  }
}

/// Ends it, unless somebody uses the object.
template <class Object, class Storage>
int end(Storage* storage) noexcept {
  if (storage == nullptr) return KASURI_ERROR_INVALID;
  if (!in<Object>(storage)->is_idle()) return KASURI_ERROR_BUSY;
  std::destroy_at(in<Object>(storage));
  return KASURI_SUCCESS;
}

/// Calls operation(object), which returns a code.
template <class Object, class Storage, class Operation>
int with(Storage* storage, Operation operation) noexcept {
  return storage == nullptr ? KASURI_ERROR_INVALID : operation(*in<Object>(storage));
}

/// Calls operation(object), which fails only where there is no memory to wait with.
template <class Object, class Storage, class Operation>
int simply(Storage* storage, Operation operation) noexcept {
  if (storage == nullptr) return KASURI_ERROR_INVALID;
  try {
    operation(*in<Object>(storage));
    return KASURI_SUCCESS;
  } catch (const std::bad_alloc&) {
    return KASURI_ERROR_MEMORY;
  }
}

/// Calls operation(object, time), which waits so long at most and says whether what was waited for
/// has come.
template <class Object, class Storage, class Operation>
int in_time(Storage* storage, std::uint64_t nanoseconds, Operation operation) noexcept {
  constexpr std::uint64_t most = INT64_MAX;
  const std::chrono::nanoseconds time(static_cast<std::int64_t>(std::min(nanoseconds, most)));
  bool came = false;
  const int error = simply<Object>(storage, [&](Object& o) { came = operation(o, time); });
  return error != KASURI_SUCCESS || came ? error : KASURI_ERROR_TIMEOUT;
}

}  // namespace
}  // namespace kasuri

using kasuri::begin;
using kasuri::end;
using kasuri::in;
using kasuri::in_time;
using kasuri::simply;
using kasuri::with;

// ---- mutex ------------------------------------------------------------------------------------

int kasuri_mutex_init(kasuri_mutex_t* m) { return begin<kasuri::mutex>(m); }
int kasuri_mutex_destroy(kasuri_mutex_t* m) { return end<kasuri::mutex>(m); }

int kasuri_mutex_lock(kasuri_mutex_t* m) {
  return simply<kasuri::mutex>(m, [](kasuri::mutex& o) { o.lock(); });
}

int kasuri_mutex_try_lock(kasuri_mutex_t* m) {
  return with<kasuri::mutex>(
      m, [](kasuri::mutex& o) { return o.try_lock() ? KASURI_SUCCESS : KASURI_ERROR_BUSY; });
}

int kasuri_mutex_try_lock_for(kasuri_mutex_t* m, uint64_t nanoseconds) {
  return in_time<kasuri::mutex>(m, nanoseconds,
                                [](kasuri::mutex& o, auto time) { return o.try_lock_for(time); });
}

int kasuri_mutex_unlock(kasuri_mutex_t* m) {
  return with<kasuri::mutex>(m, [](kasuri::mutex& o) {
    if (!o.is_locked()) return KASURI_ERROR_PERMISSION;
    o.unlock();
    return KASURI_SUCCESS;
  });
}

// ---- condition variable -----------------------------------------------------------------------

int kasuri_cond_init(kasuri_cond_t* c) { return begin<kasuri::condition_variable>(c); }
int kasuri_cond_destroy(kasuri_cond_t* c) { return end<kasuri::condition_variable>(c); }

int kasuri_cond_wait(kasuri_cond_t* c, kasuri_mutex_t* m) {
  if (c == nullptr || m == nullptr) return KASURI_ERROR_INVALID;
  auto* const held = in<kasuri::mutex>(m);
  if (!held->is_locked()) return KASURI_ERROR_PERMISSION;
  return simply<kasuri::condition_variable>(
      c, [held](kasuri::condition_variable& o) { o.wait(*held); });
}

int kasuri_cond_wait_for(kasuri_cond_t* c, kasuri_mutex_t* m, uint64_t nanoseconds) {
  if (c == nullptr || m == nullptr) return KASURI_ERROR_INVALID;
  auto* const held = in<kasuri::mutex>(m);
  if (!held->is_locked()) return KASURI_ERROR_PERMISSION;
  std::unique_lock hold(*held, std::adopt_lock);
  const int error = in_time<kasuri::condition_variable>(
      c, nanoseconds, [&hold](kasuri::condition_variable& o, auto time) {
        return !o.wait_for(hold, time).timed_out();
      });
  hold.release();
  return error;
}

int kasuri_cond_signal(kasuri_cond_t* c) {
  return simply<kasuri::condition_variable>(c,
                                            [](kasuri::condition_variable& o) { o.notify_one(); });
}

int kasuri_cond_broadcast(kasuri_cond_t* c) {
  return simply<kasuri::condition_variable>(c,
                                            [](kasuri::condition_variable& o) { o.notify_all(); });
}

// ---- semaphore --------------------------------------------------------------------------------

int kasuri_sem_init(kasuri_sem_t* s, uint32_t units) {
  return begin<kasuri::semaphore>(s, std::size_t{units});
}
int kasuri_sem_destroy(kasuri_sem_t* s) { return end<kasuri::semaphore>(s); }

int kasuri_sem_acquire(kasuri_sem_t* s) {
  return simply<kasuri::semaphore>(s, [](kasuri::semaphore& o) { o.acquire(); });
}

int kasuri_sem_try_acquire(kasuri_sem_t* s) {
  return with<kasuri::semaphore>(s, [](kasuri::semaphore& o) {
    return o.try_acquire() ? KASURI_SUCCESS : KASURI_ERROR_AGAIN;
  });
}

int kasuri_sem_try_acquire_for(kasuri_sem_t* s, uint64_t nanoseconds) {
  return in_time<kasuri::semaphore>(
      s, nanoseconds, [](kasuri::semaphore& o, auto time) { return o.try_acquire_for(time); });
}

int kasuri_sem_release(kasuri_sem_t* s, uint32_t units) {
  return with<kasuri::semaphore>(s, [units](kasuri::semaphore& o) {
    try {
      o.release(units);
      return KASURI_SUCCESS;
    } catch (const std::overflow_error&) {
      return KASURI_ERROR_RANGE;
    }
  });
}

// ---- barrier ----------------------------------------------------------------------------------

int kasuri_barrier_init(kasuri_barrier_t* b, uint32_t threads) {
  return begin<kasuri::detail::barrier_base>(b, std::size_t{threads});
}
int kasuri_barrier_destroy(kasuri_barrier_t* b) { return end<kasuri::detail::barrier_base>(b); }

int kasuri_barrier_wait(kasuri_barrier_t* b, int* last) {
  return simply<kasuri::detail::barrier_base>(b, [last](kasuri::detail::barrier_base& o) {
    const bool was_last = o.arrive_and_wait();
    if (last != nullptr) *last = was_last ? 1 : 0;
  });
}

// ---- latch ------------------------------------------------------------------------------------

int kasuri_latch_init(kasuri_latch_t* l, uint32_t count) {
  return begin<kasuri::latch>(l, std::size_t{count});
}
int kasuri_latch_destroy(kasuri_latch_t* l) { return end<kasuri::latch>(l); }

int kasuri_latch_count_down(kasuri_latch_t* l, uint32_t n) {
  return with<kasuri::latch>(l, [n](kasuri::latch& o) {
    try {
      o.count_down(n);
      return KASURI_SUCCESS;
    } catch (const std::invalid_argument&) {
      return KASURI_ERROR_RANGE;
    }
  });
}

int kasuri_latch_try_wait(kasuri_latch_t* l) {
  return with<kasuri::latch>(
      l, [](kasuri::latch& o) { return o.try_wait() ? KASURI_SUCCESS : KASURI_ERROR_AGAIN; });
}

int kasuri_latch_wait(kasuri_latch_t* l) {
  return simply<kasuri::latch>(l, [](kasuri::latch& o) { o.wait(); });
}

// ---- sleep ------------------------------------------------------------------------------------

int kasuri_sleep_ns(uint64_t nanoseconds) {
  bool object = false;
  return in_time<bool>(&object, nanoseconds, [](bool&, auto time) {
    kasuri::sleep_for(time);
    return true;
  });
}

// ---- blocking ---------------------------------------------------------------------------------

int kasuri_blocking(void* (*fn)(void*), void* arg, void** result) {
  if (fn == nullptr) return KASURI_ERROR_INVALID;
  void* const r = kasuri::blocking([=] { return fn(arg); });
  if (result != nullptr) *result = r;
  return KASURI_SUCCESS;
}
