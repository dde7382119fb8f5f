// SPDX-License-Identifier: Apache-2.0
#include "omp/abi/omp/pthread_calls.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "platform/base/fatal.hpp"
#include "platform/thread/os_thread.hpp"
#include "sched/pool/pool.hpp"
#include "sched/run/suspend.hpp"

namespace {

using namespace kasuri;

/// A function of the C library, looked up at its first call. The lookup is the same for all who
/// make it.
template <class Function>
struct real_one {
  const char* name;
  std::atomic<Function*> found{nullptr};

  Function& operator*() noexcept {
    if (Function* const f = found.load(std::memory_order_relaxed)) return *f;
    auto* const f = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    if (f == nullptr) platform::fatal("openmp: the C library has no %s", name);
    found.store(f, std::memory_order_relaxed);
    return *f;
  }
};

using mutex_call = int(pthread_mutex_t*);
using timed_lock = int(pthread_mutex_t*, const timespec*);
using clock_lock = int(pthread_mutex_t*, clockid_t, const timespec*);
using timed_wait = int(pthread_cond_t*, pthread_mutex_t*, const timespec*);
using clock_wait = int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);

constinit real_one<int(pthread_mutex_t*)> real_lock{"pthread_mutex_lock"};
constinit real_one<int(pthread_mutex_t*)> real_trylock{"pthread_mutex_trylock"};
constinit real_one<timed_lock> real_timedlock{"pthread_mutex_timedlock"};
constinit real_one<clock_lock> real_clocklock{"pthread_mutex_clocklock"};
constinit real_one<int(pthread_mutex_t*)> real_unlock{"pthread_mutex_unlock"};
constinit real_one<int(pthread_cond_t*, pthread_mutex_t*)> real_wait{"pthread_cond_wait"};
constinit real_one<timed_wait> real_timedwait{"pthread_cond_timedwait"};
constinit real_one<clock_wait> real_clockwait{"pthread_cond_clockwait"};
constinit real_one<int(pthread_t, std::size_t, const cpu_set_t*)> real_setaffinity{
    "pthread_setaffinity_np"};
constinit real_one<int(pthread_t, std::size_t, cpu_set_t*)> real_getaffinity{
    "pthread_getaffinity_np"};
constinit real_one<int(pthread_t, clockid_t*)> real_getcpuclockid{"pthread_getcpuclockid"};
constinit real_one<int(pthread_t, int, const sched_param*)> real_setschedparam{
    "pthread_setschedparam"};
constinit real_one<int(pthread_t, int*, sched_param*)> real_getschedparam{"pthread_getschedparam"};
constinit real_one<int(pthread_t, int)> real_setschedprio{"pthread_setschedprio"};
constinit real_one<int(pthread_t, pthread_attr_t*)> real_getattr{"pthread_getattr_np"};

/// Whether the kernel knows who has the mutex; hardly any program has such.
inline bool is_the_kernels(const pthread_mutex_t* m) noexcept {
  constexpr int prio_inherit = 32;  // in the C library's word for the kind, whatever else is there
  static_assert(offsetof(pthread_mutex_t, __data.__kind) == 16);  // as the table has it
  return (m->__data.__kind & prio_inherit) != 0;
}

/// The OS thread that has it, for the kernel; 0: none.
std::int32_t owner_of(pthread_mutex_t* m) noexcept {
  constexpr std::uint32_t number_bits = 0x3fffffff;
  auto& word = reinterpret_cast<std::uint32_t&>(m->__data.__lock);
  return static_cast<std::int32_t>(
      std::atomic_ref<std::uint32_t>(word).load(std::memory_order_relaxed) & number_bits);
}

/// A call by a member whose thread-locals are not those of the OS thread that it runs on.
struct guest_call {
  context::identity* as = nullptr;  // null: there is nothing to do
  std::int32_t thread = 0;

  guest_call() noexcept {
    const sched::worker* const w = sched::opaque(sched::current());
    if (w == nullptr) return;
    const std::int32_t* const number = context::kernel_number();
    if (number == nullptr) return;
    thread = platform::thread_id();
    if (*number != thread) as = w->wears != nullptr ? w->wears : w->own;
  }
  explicit operator bool() const noexcept { return as != nullptr; }

  bool has(const pthread_mutex_t* m) const noexcept {
    return std::ranges::find(as->kernel_locks, m) != as->kernel_locks.end();
  }
  void took(const pthread_mutex_t* m) const { as->kernel_locks.push_back(m); }
  void gave_back(const pthread_mutex_t* m) const noexcept {
    const auto found = std::ranges::find(as->kernel_locks, m);
    if (found != as->kernel_locks.end()) as->kernel_locks.erase(found);
  }
};

/// Whether another member has the mutex that has the same OS thread: to the kernel they would be
/// one.
bool is_anothers(const guest_call& me, pthread_mutex_t* m) noexcept {
  return owner_of(m) == me.thread && !me.has(m);
}

bool is_over(clockid_t clock, const timespec* until) noexcept {
  timespec now;
  if (until == nullptr || clock_gettime(clock, &now) != 0) return false;
  return now.tv_sec != until->tv_sec ? now.tv_sec > until->tv_sec : now.tv_nsec >= until->tv_nsec;
}

/// Takes the mutex by `call`. `until`: null for ever.
template <class Call>
int lock(pthread_mutex_t* m, clockid_t clock, const timespec* until, Call call) noexcept {
  for (;;) {
    const guest_call me;
    if (!me) return call();
    if (is_anothers(me, m)) {
      if (is_over(clock, until)) return ETIMEDOUT;
      sched::yield();  // that member can only go on here
      continue;
    }
    const context::number_for_kernel here(me.thread);
    const int result = call();
    if (result == 0 || result == EOWNERDEAD) me.took(m);
    return result;
  }
}

[[noreturn]] [[gnu::cold]] void refuse_unlock(std::int32_t owner, std::int32_t here) noexcept {
  platform::fatal(
      "openmp: a member unlocks a mutex of PTHREAD_PRIO_INHERIT on OS thread %d that it locked on "
      "%d, in a region "
      "that is over; accepted: unlocked in the region, or as many members as workers, which keep "
      "their OS threads",
      here, owner);
}

int unlock_kernels(pthread_mutex_t* m) noexcept {
  const guest_call me;
  if (!me) return (*real_unlock)(m);
  const std::int32_t owner = owner_of(m);
  if (owner != me.thread && owner == *context::kernel_number()) {
    sched::go_home();  // locked there, before its thread-locals were lent
    return (*real_unlock)(m);
  }
  if (owner != me.thread && me.has(m)) refuse_unlock(owner, me.thread);
  const context::number_for_kernel here(me.thread);
  const int result = (*real_unlock)(m);
  if (result == 0) me.gave_back(m);
  return result;
}

/// A wait for a condition: the mutex is given back and taken again by the same OS thread.
template <class Call>
int wait(Call call) {
  const guest_call me;
  if (!me) return call();
  const context::number_for_kernel here(me.thread);
  return call();
}

/// A question or a wish of a thread about `thread`, itself perhaps.
template <class Call>
int about(pthread_t thread, Call call) noexcept {
  if (pthread_equal(thread, pthread_self()) == 0) return call();
  return wait(call);
}

}  // namespace

// Where the table jumps to for other mutexes (exports/pthread.S): here until the C library's is
// known.
constinit std::atomic<mutex_call*> kasuri_omp_real_pthread_mutex_lock{kasuri_pthread_mutex_lock};
constinit std::atomic<mutex_call*> kasuri_omp_real_pthread_mutex_trylock{
    kasuri_pthread_mutex_trylock};
constinit std::atomic<mutex_call*> kasuri_omp_real_pthread_mutex_unlock{
    kasuri_pthread_mutex_unlock};

int kasuri_pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  if (is_the_kernels(m)) return lock(m, CLOCK_MONOTONIC, nullptr, [m] { return (*real_lock)(m); });
  kasuri_omp_real_pthread_mutex_lock.store(&*real_lock, std::memory_order_relaxed);
  return (*real_lock)(m);
}

int kasuri_pthread_mutex_trylock(pthread_mutex_t* m) noexcept {
  if (!is_the_kernels(m)) {
    kasuri_omp_real_pthread_mutex_trylock.store(&*real_trylock, std::memory_order_relaxed);
    return (*real_trylock)(m);
  }
  constexpr timespec at_once{};
  const int result = lock(m, CLOCK_MONOTONIC, &at_once, [m] { return (*real_trylock)(m); });
  return result == ETIMEDOUT ? EBUSY : result;
}

int kasuri_pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* until) noexcept {
  if (!is_the_kernels(m)) [[likely]]
    return (*real_timedlock)(m, until);
  return lock(m, CLOCK_REALTIME, until, [=] { return (*real_timedlock)(m, until); });
}

int kasuri_pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock,
                                   const timespec* until) noexcept {
  if (!is_the_kernels(m)) [[likely]]
    return (*real_clocklock)(m, clock, until);
  return lock(m, clock, until, [=] { return (*real_clocklock)(m, clock, until); });
}

int kasuri_pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
  if (is_the_kernels(m)) return unlock_kernels(m);
  kasuri_omp_real_pthread_mutex_unlock.store(&*real_unlock, std::memory_order_relaxed);
  return (*real_unlock)(m);
}

int kasuri_pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  if (!is_the_kernels(m)) [[likely]]
    return (*real_wait)(c, m);
  return wait([=] { return (*real_wait)(c, m); });
}

int kasuri_pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* until) {
  if (!is_the_kernels(m)) [[likely]]
    return (*real_timedwait)(c, m, until);
  return wait([=] { return (*real_timedwait)(c, m, until); });
}

int kasuri_pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock,
                                  const timespec* until) {
  if (!is_the_kernels(m)) [[likely]]
    return (*real_clockwait)(c, m, clock, until);
  return wait([=] { return (*real_clockwait)(c, m, clock, until); });
}

int kasuri_pthread_setaffinity_np(pthread_t thread, std::size_t bytes,
                                  const cpu_set_t* cpus) noexcept {
  return about(thread, [=] { return (*real_setaffinity)(thread, bytes, cpus); });
}

int kasuri_pthread_getaffinity_np(pthread_t thread, std::size_t bytes, cpu_set_t* cpus) noexcept {
  return about(thread, [=] { return (*real_getaffinity)(thread, bytes, cpus); });
}

int kasuri_pthread_getcpuclockid(pthread_t thread, clockid_t* clock) noexcept {
  return about(thread, [=] { return (*real_getcpuclockid)(thread, clock); });
}

int kasuri_pthread_setschedparam(pthread_t thread, int policy, const sched_param* how) noexcept {
  return about(thread, [=] { return (*real_setschedparam)(thread, policy, how); });
}

int kasuri_pthread_getschedparam(pthread_t thread, int* policy, sched_param* how) noexcept {
  return about(thread, [=] { return (*real_getschedparam)(thread, policy, how); });
}

int kasuri_pthread_setschedprio(pthread_t thread, int priority) noexcept {
  return about(thread, [=] { return (*real_setschedprio)(thread, priority); });
}

int kasuri_pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) noexcept {
  const int result = (*real_getattr)(thread, attributes);
  if (result != 0 || pthread_equal(thread, pthread_self()) == 0) return result;
  const sched::worker* const w = sched::opaque(sched::current());
  if (w == nullptr || w->face.stack == nullptr) return result;
  const context::stack& here = *w->face.stack;
  const auto* const at = static_cast<const std::byte*>(__builtin_frame_address(0));
  if (at < here.low || at >= here.high) return result;  // the OS thread's own, or the program's
  return pthread_attr_setstack(attributes, here.low,
                               static_cast<std::size_t>(here.high - here.low));
}
