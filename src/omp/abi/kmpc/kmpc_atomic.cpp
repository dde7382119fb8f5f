// SPDX-License-Identifier: Apache-2.0
// Atomic compare of Clang's interface, by which compilers update what they have no instruction for:
// compare and swap of integers, the larger or smaller of two long doubles, and the commonest sums.

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "omp/abi/kmpc/kmpc.hpp"
#include "omp/work/lock.hpp"

using namespace kasuri::omp;
using namespace kasuri::omp::kmpc;

namespace {

/// The value that *x had; it becomes d if that was e.
template <class Int>
Int swapped(Int* x, Int e, Int d) noexcept {
  // seq_cst: pairs with whatever atomic the program has there; the call does not say which it needs
  std::atomic_ref(*x).compare_exchange_strong(e, d, std::memory_order_seq_cst);
  return e;
}

template <class Int>
bool swaps(Int* x, Int e, Int d, Int* seen) noexcept {
  const Int old = swapped(x, e, d);
  if (old == e) return true;
  *seen = old;
  return false;
}

/// *after: the value that *x has then.
template <class Int>
Int swapped_and_after(Int* x, Int e, Int d, Int* after) noexcept {
  const Int old = swapped(x, e, d);
  *after = old == e ? d : old;
  return old;
}

template <class Number>
void add(Number* x, Number y) noexcept {
  std::atomic_ref(*x).fetch_add(y, std::memory_order_seq_cst);  // pairs with the same
}

/// Changes *x under the lock, for types that have no instruction. Returns the old value or the new
/// one.
template <class Choose>
long double updated(long double* x, bool want_new, const Choose& choose) noexcept {
  acquire(atomic_lock);
  const long double old = *x;
  const long double now = choose(old);
  *x = now;
  release(atomic_lock);
  return want_new ? now : old;
}

long double larger(long double* x, long double y, bool want_new) noexcept {
  return updated(x, want_new, [y](long double old) { return std::max(old, y); });
}

long double smaller(long double* x, long double y, bool want_new) noexcept {
  return updated(x, want_new, [y](long double old) { return std::min(old, y); });
}

}  // namespace

extern "C" {

bool kasuri___kmpc_atomic_bool_1_cas(location*, gtid, std::int8_t* x, std::int8_t e,
                                     std::int8_t d) {
  return swapped(x, e, d) == e;
}
bool kasuri___kmpc_atomic_bool_1_cas_cpt(location*, gtid, std::int8_t* x, std::int8_t e,
                                         std::int8_t d, std::int8_t* seen) {
  return swaps(x, e, d, seen);
}
std::int8_t kasuri___kmpc_atomic_val_1_cas(location*, gtid, std::int8_t* x, std::int8_t e,
                                           std::int8_t d) {
  return swapped(x, e, d);
}
std::int8_t kasuri___kmpc_atomic_val_1_cas_cpt(location*, gtid, std::int8_t* x, std::int8_t e,
                                               std::int8_t d, std::int8_t* after) {
  return swapped_and_after(x, e, d, after);
}

bool kasuri___kmpc_atomic_bool_2_cas(location*, gtid, std::int16_t* x, std::int16_t e,
                                     std::int16_t d) {
  return swapped(x, e, d) == e;
}
bool kasuri___kmpc_atomic_bool_2_cas_cpt(location*, gtid, std::int16_t* x, std::int16_t e,
                                         std::int16_t d, std::int16_t* seen) {
  return swaps(x, e, d, seen);
}
std::int16_t kasuri___kmpc_atomic_val_2_cas(location*, gtid, std::int16_t* x, std::int16_t e,
                                            std::int16_t d) {
  return swapped(x, e, d);
}
std::int16_t kasuri___kmpc_atomic_val_2_cas_cpt(location*, gtid, std::int16_t* x, std::int16_t e,
                                                std::int16_t d, std::int16_t* after) {
  return swapped_and_after(x, e, d, after);
}

bool kasuri___kmpc_atomic_bool_4_cas(location*, gtid, std::int32_t* x, std::int32_t e,
                                     std::int32_t d) {
  return swapped(x, e, d) == e;
}
bool kasuri___kmpc_atomic_bool_4_cas_cpt(location*, gtid, std::int32_t* x, std::int32_t e,
                                         std::int32_t d, std::int32_t* seen) {
  return swaps(x, e, d, seen);
}
std::int32_t kasuri___kmpc_atomic_val_4_cas(location*, gtid, std::int32_t* x, std::int32_t e,
                                            std::int32_t d) {
  return swapped(x, e, d);
}
std::int32_t kasuri___kmpc_atomic_val_4_cas_cpt(location*, gtid, std::int32_t* x, std::int32_t e,
                                                std::int32_t d, std::int32_t* after) {
  return swapped_and_after(x, e, d, after);
}

bool kasuri___kmpc_atomic_bool_8_cas(location*, gtid, std::int64_t* x, std::int64_t e,
                                     std::int64_t d) {
  return swapped(x, e, d) == e;
}
bool kasuri___kmpc_atomic_bool_8_cas_cpt(location*, gtid, std::int64_t* x, std::int64_t e,
                                         std::int64_t d, std::int64_t* seen) {
  return swaps(x, e, d, seen);
}
std::int64_t kasuri___kmpc_atomic_val_8_cas(location*, gtid, std::int64_t* x, std::int64_t e,
                                            std::int64_t d) {
  return swapped(x, e, d);
}
std::int64_t kasuri___kmpc_atomic_val_8_cas_cpt(location*, gtid, std::int64_t* x, std::int64_t e,
                                                std::int64_t d, std::int64_t* after) {
  return swapped_and_after(x, e, d, after);
}

void kasuri___kmpc_atomic_fixed4_add(location*, gtid, std::int32_t* x, std::int32_t y) {
  add(x, y);
}
void kasuri___kmpc_atomic_fixed8_add(location*, gtid, std::int64_t* x, std::int64_t y) {
  add(x, y);
}
void kasuri___kmpc_atomic_float4_add(location*, gtid, float* x, float y) { add(x, y); }
void kasuri___kmpc_atomic_float8_add(location*, gtid, double* x, double y) { add(x, y); }

void kasuri___kmpc_atomic_float10_max(location*, gtid, long double* x, long double y) {
  larger(x, y, true);
}
void kasuri___kmpc_atomic_float10_min(location*, gtid, long double* x, long double y) {
  smaller(x, y, true);
}
long double kasuri___kmpc_atomic_float10_max_cpt(location*, gtid, long double* x, long double y,
                                                 int want_new) {
  return larger(x, y, want_new != 0);
}
long double kasuri___kmpc_atomic_float10_min_cpt(location*, gtid, long double* x, long double y,
                                                 int want_new) {
  return smaller(x, y, want_new != 0);
}

}  // extern "C"
