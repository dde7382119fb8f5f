// SPDX-License-Identifier: Apache-2.0
// omp_*_lock and omp_*_nest_lock. GCC's omp_lock_t has 4 bytes and Clang's 8: both hold our word.
// Its omp_nest_lock_t has 16, or 8 bytes and an alignment of 4 in programs of before OpenMP 3.0,
// and Clang's 8: all hold the address of our lock.
#include <cstring>

#include "omp/tool/mutex.hpp"
#include "omp/work/lock.hpp"

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

void kasuri_omp_init_lock(lock_word* lock) noexcept {
  *lock = lock_free;
  tool::initialised(tool::mutex_kind::lock, 0, lock);
}

/// Any lock is good under contention and without.
void kasuri_omp_init_lock_with_hint(lock_word* lock, int hint) noexcept {
  *lock = lock_free;
  tool::initialised(tool::mutex_kind::lock, static_cast<unsigned>(hint), lock);
}

void kasuri_omp_destroy_lock(lock_word* lock) noexcept {
  *lock = lock_free;
  tool::destroyed(tool::mutex_kind::lock, lock);
}

void kasuri_omp_set_lock(lock_word* lock) noexcept {
  const tool::acquiring seen(tool::mutex_kind::lock, lock);
  acquire(*lock);
}

void kasuri_omp_unset_lock(lock_word* lock) noexcept {
  const tool::releasing seen(tool::mutex_kind::lock, lock);
  release(*lock);
}

int kasuri_omp_test_lock(lock_word* lock) noexcept {
  tool::acquiring seen(tool::mutex_kind::test_lock, lock);
  const bool got = try_acquire(*lock);
  if (!got) seen.failed();
  return got;
}

void kasuri_omp_init_nest_lock(void* lock) noexcept {
  store(lock, make_nest_lock());
  tool::initialised(tool::mutex_kind::nest_lock, 0, lock);
}

void kasuri_omp_init_nest_lock_with_hint(void* lock, int hint) noexcept {
  store(lock, make_nest_lock());
  tool::initialised(tool::mutex_kind::nest_lock, static_cast<unsigned>(hint), lock);
}

void kasuri_omp_destroy_nest_lock(void* lock) noexcept {
  destroy_nest_lock(load(lock));
  store(lock, nullptr);
  tool::destroyed(tool::mutex_kind::nest_lock, lock);
}

void kasuri_omp_set_nest_lock(void* lock) noexcept {
  tool::acquiring seen(tool::mutex_kind::nest_lock, lock);
  if (acquire(*load(lock)) != 1) seen.had_it();
}

void kasuri_omp_unset_nest_lock(void* lock) noexcept {
  tool::releasing seen(tool::mutex_kind::nest_lock, lock);
  if (!release(*load(lock))) seen.keeps_it();
}

int kasuri_omp_test_nest_lock(void* lock) noexcept {
  tool::acquiring seen(tool::mutex_kind::test_nest_lock, lock);
  const int depth = try_acquire(*load(lock));
  if (depth == 0) seen.failed();
  if (depth > 1) seen.had_it();
  return depth;
}

}  // extern "C"
