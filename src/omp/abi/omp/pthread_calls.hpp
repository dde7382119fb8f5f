// SPDX-License-Identifier: Apache-2.0
#pragma once

// Functions of the C library that go to the kernel with the number of the calling thread. A member
// that wears an identity has the donor's number there, and the kernel looks at the thread that
// runs: a mutex of PTHREAD_PRIO_INHERIT would never be free again,
// pthread_setaffinity_np(pthread_self()) would bind the donor. So programs call these first, which
// stand before the C library in the search order, and they call that with the number of the OS
// thread. All other mutexes go on at once, after a look at their kind.
//
// pthread_getattr_np(pthread_self()) is here, too: it knows the stack of the OS thread or of the
// donor, and not the one that the caller stands on. Programs ask for it to see how deep they may
// nest calls (oneTBB where a thread first uses it, interpreters).

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <atomic>
#include <cstddef>

extern "C" {
extern std::atomic<int (*)(pthread_mutex_t*)> kasuri_omp_real_pthread_mutex_lock;
extern std::atomic<int (*)(pthread_mutex_t*)> kasuri_omp_real_pthread_mutex_trylock;
extern std::atomic<int (*)(pthread_mutex_t*)> kasuri_omp_real_pthread_mutex_unlock;

int kasuri_pthread_mutex_lock(pthread_mutex_t* m) noexcept;
int kasuri_pthread_mutex_trylock(pthread_mutex_t* m) noexcept;
int kasuri_pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* until) noexcept;
int kasuri_pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock,
                                   const timespec* until) noexcept;
int kasuri_pthread_mutex_unlock(pthread_mutex_t* m) noexcept;
// Not noexcept: they are points of cancellation, which unwinds.
int kasuri_pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m);
int kasuri_pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* until);
int kasuri_pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock,
                                  const timespec* until);
int kasuri_pthread_setaffinity_np(pthread_t thread, std::size_t bytes,
                                  const cpu_set_t* cpus) noexcept;
int kasuri_pthread_getaffinity_np(pthread_t thread, std::size_t bytes, cpu_set_t* cpus) noexcept;
int kasuri_pthread_getcpuclockid(pthread_t thread, clockid_t* clock) noexcept;
int kasuri_pthread_setschedparam(pthread_t thread, int policy, const sched_param* how) noexcept;
int kasuri_pthread_getschedparam(pthread_t thread, int* policy, sched_param* how) noexcept;
int kasuri_pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) noexcept;
int kasuri_pthread_setschedprio(pthread_t thread, int priority) noexcept;
}
