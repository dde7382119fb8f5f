// SPDX-License-Identifier: Apache-2.0
// Critical and atomic constructs of GCC. For each name the compiler emits an object of a pointer's size,
// zero at first, of which the first four bytes are our lock.
#include "omp/lock.hpp"

using namespace kasuri::omp;

extern "C" {

void kasuri_GOMP_critical_start() noexcept { acquire(critical_lock); }

void kasuri_GOMP_critical_end() noexcept { release(critical_lock); }

void kasuri_GOMP_critical_name_start(lock_word* name) noexcept { acquire(*name); }

void kasuri_GOMP_critical_name_end(lock_word* name) noexcept { release(*name); }

void kasuri_GOMP_atomic_start() noexcept { acquire(atomic_lock); }

void kasuri_GOMP_atomic_end() noexcept { release(atomic_lock); }

}  // extern "C"
