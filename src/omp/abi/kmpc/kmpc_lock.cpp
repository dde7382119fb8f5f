// SPDX-License-Identifier: Apache-2.0
// Critical constructs and locks as Clang calls them. For each name of a critical construct it emits
// 32 bytes, zero at first, of which the first four are our lock; a hint changes nothing.
#include <cstdint>

#include "omp/tool/mutex.hpp"
#include "omp/work/lock.hpp"

using namespace kasuri::omp;

namespace {

nest_lock& nested(void* const* place) noexcept { return *static_cast<nest_lock*>(*place); }

}  // namespace

extern "C" {

void kasuri___kmpc_critical(void*, std::int32_t, lock_word* name) noexcept {
  const tool::acquiring seen(tool::mutex_kind::critical, name);
  acquire(*name);
}

void kasuri___kmpc_critical_with_hint(void*, std::int32_t, lock_word* name,
                                      std::uint32_t) noexcept {
  const tool::acquiring seen(tool::mutex_kind::critical, name);
  acquire(*name);
}

void kasuri___kmpc_end_critical(void*, std::int32_t, lock_word* name) noexcept {
  const tool::releasing seen(tool::mutex_kind::critical, name);
  release(*name);
}

void kasuri___kmpc_atomic_start() noexcept {
  const tool::acquiring seen(tool::mutex_kind::atomic, &atomic_lock);
  acquire(atomic_lock);
}

void kasuri___kmpc_atomic_end() noexcept {
  const tool::releasing seen(tool::mutex_kind::atomic, &atomic_lock);
  release(atomic_lock);
}

void kasuri___kmpc_init_lock(void*, std::int32_t, lock_word* lock) noexcept {
  *lock = lock_free;
  tool::initialised(tool::mutex_kind::lock, 0, lock);
}

void kasuri___kmpc_init_lock_with_hint(void*, std::int32_t, lock_word* lock,
                                       std::uintptr_t hint) noexcept {
  *lock = lock_free;
  tool::initialised(tool::mutex_kind::lock, static_cast<unsigned>(hint), lock);
}

void kasuri___kmpc_destroy_lock(void*, std::int32_t, lock_word* lock) noexcept {
  *lock = lock_free;
  tool::destroyed(tool::mutex_kind::lock, lock);
}

void kasuri___kmpc_set_lock(void*, std::int32_t, lock_word* lock) noexcept {
  const tool::acquiring seen(tool::mutex_kind::lock, lock);
  acquire(*lock);
}

void kasuri___kmpc_unset_lock(void*, std::int32_t, lock_word* lock) noexcept {
  const tool::releasing seen(tool::mutex_kind::lock, lock);
  release(*lock);
}

int kasuri___kmpc_test_lock(void*, std::int32_t, lock_word* lock) noexcept {
  tool::acquiring seen(tool::mutex_kind::test_lock, lock);
  const bool got = try_acquire(*lock);
  if (!got) seen.failed();
  return got;
}

void kasuri___kmpc_init_nest_lock(void*, std::int32_t, void** lock) noexcept {
  *lock = make_nest_lock();
  tool::initialised(tool::mutex_kind::nest_lock, 0, lock);
}

void kasuri___kmpc_init_nest_lock_with_hint(void*, std::int32_t, void** lock,
                                            std::uintptr_t hint) noexcept {
  *lock = make_nest_lock();
  tool::initialised(tool::mutex_kind::nest_lock, static_cast<unsigned>(hint), lock);
}

void kasuri___kmpc_destroy_nest_lock(void*, std::int32_t, void** lock) noexcept {
  destroy_nest_lock(static_cast<nest_lock*>(*lock));
  *lock = nullptr;
  tool::destroyed(tool::mutex_kind::nest_lock, lock);
}

void kasuri___kmpc_set_nest_lock(void*, std::int32_t, void** lock) noexcept {
  tool::acquiring seen(tool::mutex_kind::nest_lock, lock);
  if (acquire(nested(lock)) != 1) seen.had_it();
}

void kasuri___kmpc_unset_nest_lock(void*, std::int32_t, void** lock) noexcept {
  tool::releasing seen(tool::mutex_kind::nest_lock, lock);
  if (!release(nested(lock))) seen.keeps_it();
}

int kasuri___kmpc_test_nest_lock(void*, std::int32_t, void** lock) noexcept {
  tool::acquiring seen(tool::mutex_kind::test_nest_lock, lock);
  const int depth = try_acquire(nested(lock));
  if (depth == 0) seen.failed();
  if (depth > 1) seen.had_it();
  return depth;
}

}  // extern "C"
