// SPDX-License-Identifier: Apache-2.0
// Critical and atomic constructs of GCC. For each name the compiler emits an object of a pointer's
// size, zero at first, of which the first four bytes are our lock.
#include "omp/tool/mutex.hpp"
#include "omp/work/lock.hpp"

using namespace kasuri::omp;

extern "C" {

void kasuri_GOMP_critical_start() noexcept {
  const tool::acquiring seen(tool::mutex_kind::critical, &critical_lock);
  acquire(critical_lock);
}

void kasuri_GOMP_critical_end() noexcept {
  const tool::releasing seen(tool::mutex_kind::critical, &critical_lock);
  release(critical_lock);
}

void kasuri_GOMP_critical_name_start(lock_word* name) noexcept {
  const tool::acquiring seen(tool::mutex_kind::critical, name);
  acquire(*name);
}

void kasuri_GOMP_critical_name_end(lock_word* name) noexcept {
  const tool::releasing seen(tool::mutex_kind::critical, name);
  release(*name);
}

void kasuri_GOMP_atomic_start() noexcept {
  const tool::acquiring seen(tool::mutex_kind::atomic, &atomic_lock);
  acquire(atomic_lock);
}

void kasuri_GOMP_atomic_end() noexcept {
  const tool::releasing seen(tool::mutex_kind::atomic, &atomic_lock);
  release(atomic_lock);
}

}  // extern "C"
