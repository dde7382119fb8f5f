// SPDX-License-Identifier: Apache-2.0
// Critical constructs and locks as Clang calls them. For each name of a critical construct it emits 32
// bytes, zero at first, of which the first four are our lock; a hint changes nothing.
#include <cstdint>

#include "omp/lock.hpp"

using namespace kasuri::omp;

namespace {

nest_lock& nested(void* const* place) noexcept { return *static_cast<nest_lock*>(*place); }

}  // namespace

extern "C" {

void kasuri___kmpc_critical(void*, std::int32_t, lock_word* name) noexcept { acquire(*name); }

void kasuri___kmpc_critical_with_hint(void*, std::int32_t, lock_word* name,
                                      std::uint32_t) noexcept {
  acquire(*name);
}

void kasuri___kmpc_end_critical(void*, std::int32_t, lock_word* name) noexcept { release(*name); }

void kasuri___kmpc_atomic_start() noexcept { acquire(atomic_lock); }

void kasuri___kmpc_atomic_end() noexcept { release(atomic_lock); }

void kasuri___kmpc_init_lock(void*, std::int32_t, lock_word* lock) noexcept { *lock = lock_free; }

void kasuri___kmpc_init_lock_with_hint(void*, std::int32_t, lock_word* lock,
                                       std::uintptr_t) noexcept {
  *lock = lock_free;
}

void kasuri___kmpc_destroy_lock(void*, std::int32_t, lock_word* lock) noexcept {
  *lock = lock_free;
}

void kasuri___kmpc_set_lock(void*, std::int32_t, lock_word* lock) noexcept { acquire(*lock); }

void kasuri___kmpc_unset_lock(void*, std::int32_t, lock_word* lock) noexcept { release(*lock); }

int kasuri___kmpc_test_lock(void*, std::int32_t, lock_word* lock) noexcept {
  return try_acquire(*lock);
}

void kasuri___kmpc_init_nest_lock(void*, std::int32_t, void** lock) noexcept {
  *lock = make_nest_lock();
}

void kasuri___kmpc_init_nest_lock_with_hint(void*, std::int32_t, void** lock,
                                            std::uintptr_t) noexcept {
  *lock = make_nest_lock();
}

void kasuri___kmpc_destroy_nest_lock(void*, std::int32_t, void** lock) noexcept {
  destroy_nest_lock(static_cast<nest_lock*>(*lock));
  *lock = nullptr;
}

void kasuri___kmpc_set_nest_lock(void*, std::int32_t, void** lock) noexcept {
  acquire(nested(lock));
}

void kasuri___kmpc_unset_nest_lock(void*, std::int32_t, void** lock) noexcept {
  release(nested(lock));
}

int kasuri___kmpc_test_nest_lock(void*, std::int32_t, void** lock) noexcept {
  return try_acquire(nested(lock));
}

}  // extern "C"
