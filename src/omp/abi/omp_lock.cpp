// SPDX-License-Identifier: Apache-2.0
// omp_*_lock and omp_*_nest_lock. GCC's omp_lock_t has 4 bytes and Clang's 8: both hold our word. Its
// omp_nest_lock_t has 16, or 8 bytes and an alignment of 4 in programs of before OpenMP 3.0, and
// Clang's 8: all hold the address of our lock.
#include <cstring>

#include "omp/lock.hpp"

namespace kasuri::omp {
namespace {

nest_lock* load(const void* place) noexcept {
  nest_lock* lock;
  std::memcpy(&lock, place, sizeof lock);
  return lock;
}

void store(void* place, nest_lock* lock) noexcept { std::memcpy(place, &lock, sizeof lock); }

}  // namespace
}  // namespace kasuri::omp

using namespace kasuri::omp;

extern "C" {

void kasuri_omp_init_lock(lock_word* lock) noexcept { *lock = lock_free; }

/// Any lock is good under contention and without.
void kasuri_omp_init_lock_with_hint(lock_word* lock, int) noexcept { *lock = lock_free; }

void kasuri_omp_destroy_lock(lock_word* lock) noexcept { *lock = lock_free; }

void kasuri_omp_set_lock(lock_word* lock) noexcept { acquire(*lock); }

void kasuri_omp_unset_lock(lock_word* lock) noexcept { release(*lock); }

int kasuri_omp_test_lock(lock_word* lock) noexcept { return try_acquire(*lock); }

void kasuri_omp_init_nest_lock(void* lock) noexcept { store(lock, make_nest_lock()); }

void kasuri_omp_init_nest_lock_with_hint(void* lock, int) noexcept { store(lock, make_nest_lock()); }

void kasuri_omp_destroy_nest_lock(void* lock) noexcept {
  destroy_nest_lock(load(lock));
  store(lock, nullptr);
}

void kasuri_omp_set_nest_lock(void* lock) noexcept { acquire(*load(lock)); }

void kasuri_omp_unset_nest_lock(void* lock) noexcept { release(*load(lock)); }

int kasuri_omp_test_nest_lock(void* lock) noexcept { return try_acquire(*load(lock)); }

}  // extern "C"
