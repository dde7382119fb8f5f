// SPDX-License-Identifier: Apache-2.0
#include "omp/tool/mutex.hpp"

#include "omp/abi/ompt/callbacks.hpp"
#include "omp/profile/consumer.hpp"
#include "omp/team/team.hpp"
#include "omp/tool/thread.hpp"
#include "profile/base/active.hpp"

namespace kasuri::omp::tool {
namespace {

state state_of(mutex_kind kind) noexcept {
  switch (kind) {
    case mutex_kind::critical:
      return state::wait_critical;
    case mutex_kind::atomic:
      return state::wait_atomic;
    case mutex_kind::ordered:
      return state::wait_ordered;
    default:
      return state::wait_lock;
  }
}

wait_id id_of(const void* mutex) noexcept { return reinterpret_cast<std::uintptr_t>(mutex); }

/// The calling thread, which may not have called the runtime before.
thread& ready() noexcept {
  self();
  return here();
}

void no_wait(thread& t) noexcept {
  t.now = self().in->nest.level == 0 ? state::work_serial : state::work_parallel;
  t.waits_for = 0;
}

}  // namespace

void wait_for_mutex(mutex_kind kind, const void* mutex, const void* site) noexcept {
  if (profile::active()) sums::wait_for_mutex(self(), kind, mutex);
  if (!told()) return;
  thread& t = ready();
  constexpr unsigned no_hint = 0;
  on_mutex_acquire(kind, no_hint, parking_mutex, id_of(mutex), site);
  t.now = state_of(kind);
  t.waits_for = id_of(mutex);
}

void got_mutex(mutex_kind kind, const void* mutex, const void* site) noexcept {
  if (profile::active()) sums::got_mutex(self(), kind, mutex, site);
  if (!told()) return;
  no_wait(ready());
  on_mutex_acquired(kind, id_of(mutex), site);
}

void gave_up_mutex() noexcept {
  if (told()) no_wait(ready());
}

void give_mutex(mutex_kind kind, const void* mutex) noexcept {
  if (profile::active()) sums::give_mutex(self(), kind, mutex);
}

void gave_mutex(mutex_kind kind, const void* mutex, const void* site) noexcept {
  if (!told()) return;
  ready();
  on_mutex_released(kind, id_of(mutex), site);
}

void lock_wait::begin() noexcept {
  if (!profile::active()) return;
  began_ = true;
  sums::begin_lock_wait(self());
}

void lock_wait::end() noexcept { sums::end_lock_wait(self()); }

void nest(endpoint where, const void* mutex, const void* site) noexcept {
  if (where == endpoint::begin && profile::active()) sums::take_again(self(), mutex);
  if (!told()) return;
  no_wait(ready());
  on_nest_lock(where, id_of(mutex), site);
}

void made_lock(mutex_kind kind, unsigned hint, const void* mutex, const void* site) noexcept {
  if (!told()) return;
  ready();
  on_lock_init(kind, hint, parking_mutex, id_of(mutex), site);
}

void unmade_lock(mutex_kind kind, const void* mutex, const void* site) noexcept {
  if (!told()) return;
  ready();
  on_lock_destroy(kind, id_of(mutex), site);
}

}  // namespace kasuri::omp::tool
