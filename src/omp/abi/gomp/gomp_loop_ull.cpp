// SPDX-License-Identifier: Apache-2.0
// GCC's loops over unsigned long long. All forms of _next are one function: see exports/gomp.S.

#include "omp/abi/gomp/gomp_loop.hpp"
#include "omp/tool/hooks.hpp"

using namespace kasuri::omp;
using namespace kasuri::omp::gomp;

extern "C" {

bool kasuri_GOMP_loop_ull_static_start(bool up, ull first, ull end, ull step, ull chunk,
                                       ull* istart, ull* iend) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::static_, true, as_count(chunk));
  return start(range<ull>{first, end, step, up}, s, false, istart, iend);
}

bool kasuri_GOMP_loop_ull_dynamic_start(bool up, ull first, ull end, ull step, ull chunk,
                                        ull* istart, ull* iend) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::dynamic, true, as_count(chunk));
  return start(range<ull>{first, end, step, up}, s, false, istart, iend);
}

bool kasuri_GOMP_loop_ull_guided_start(bool up, ull first, ull end, ull step, ull chunk,
                                       ull* istart, ull* iend) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::guided, true, as_count(chunk));
  return start(range<ull>{first, end, step, up}, s, false, istart, iend);
}

bool kasuri_GOMP_loop_ull_nonmonotonic_dynamic_start(bool up, ull first, ull end, ull step,
                                                     ull chunk, ull* istart, ull* iend) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::dynamic, false, as_count(chunk));
  return start(range<ull>{first, end, step, up}, s, false, istart, iend);
}

bool kasuri_GOMP_loop_ull_runtime_start(bool up, ull first, ull end, ull step, ull* istart,
                                        ull* iend) {
  tool::called();
  schedule s = runtime_schedule_of(self());
  s.monotonic = true;
  return start(range<ull>{first, end, step, up}, s, false, istart, iend);
}

bool kasuri_GOMP_loop_ull_nonmonotonic_runtime_start(bool up, ull first, ull end, ull step,
                                                     ull* istart, ull* iend) {
  tool::called();
  schedule s = runtime_schedule_of(self());
  s.monotonic = false;
  return start(range<ull>{first, end, step, up}, s, false, istart, iend);
}

bool kasuri_GOMP_loop_ull_maybe_nonmonotonic_runtime_start(bool up, ull first, ull end, ull step,
                                                           ull* istart, ull* iend) {
  tool::called();
  schedule s = runtime_schedule_of(self());
  return start(range<ull>{first, end, step, up}, s, false, istart, iend);
}

bool kasuri_GOMP_loop_ull_ordered_static_start(bool up, ull first, ull end, ull step, ull chunk,
                                               ull* istart, ull* iend) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::static_, true, as_count(chunk));
  return start(range<ull>{first, end, step, up}, s, true, istart, iend);
}

bool kasuri_GOMP_loop_ull_ordered_dynamic_start(bool up, ull first, ull end, ull step, ull chunk,
                                                ull* istart, ull* iend) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::dynamic, true, as_count(chunk));
  return start(range<ull>{first, end, step, up}, s, true, istart, iend);
}

bool kasuri_GOMP_loop_ull_ordered_guided_start(bool up, ull first, ull end, ull step, ull chunk,
                                               ull* istart, ull* iend) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::guided, true, as_count(chunk));
  return start(range<ull>{first, end, step, up}, s, true, istart, iend);
}

bool kasuri_GOMP_loop_ull_ordered_runtime_start(bool up, ull first, ull end, ull step, ull* istart,
                                                ull* iend) {
  tool::called();
  schedule s = runtime_schedule_of(self());
  s.monotonic = true;
  return start(range<ull>{first, end, step, up}, s, true, istart, iend);
}

bool kasuri_GOMP_loop_ull_start(bool up, ull first, ull end, ull step, long sched, ull chunk,
                                ull* istart, ull* iend, std::uintptr_t* reductions, void** mem) {
  tool::called();
  return start_with(range<ull>{first, end, step, up}, sched, chunk, false, istart, iend, reductions,
                    mem);
}

bool kasuri_GOMP_loop_ull_ordered_start(bool up, ull first, ull end, ull step, long sched,
                                        ull chunk, ull* istart, ull* iend,
                                        std::uintptr_t* reductions, void** mem) {
  tool::called();
  return start_with(range<ull>{first, end, step, up}, sched, chunk, true, istart, iend, reductions,
                    mem);
}

bool kasuri_GOMP_loop_ull_doacross_static_start(unsigned count, ull* counts, ull chunk, ull* istart,
                                                ull* iend) {
  tool::called();
  return start_doacross(count, counts, schedule_kind::static_, chunk, istart, iend);
}

bool kasuri_GOMP_loop_ull_doacross_dynamic_start(unsigned count, ull* counts, ull chunk,
                                                 ull* istart, ull* iend) {
  tool::called();
  return start_doacross(count, counts, schedule_kind::dynamic, chunk, istart, iend);
}

bool kasuri_GOMP_loop_ull_doacross_guided_start(unsigned count, ull* counts, ull chunk, ull* istart,
                                                ull* iend) {
  tool::called();
  return start_doacross(count, counts, schedule_kind::guided, chunk, istart, iend);
}

bool kasuri_GOMP_loop_ull_doacross_runtime_start(unsigned count, ull* counts, ull* istart,
                                                 ull* iend) {
  tool::called();
  return start_doacross(count, counts, istart, iend);
}

bool kasuri_GOMP_loop_ull_doacross_start(unsigned count, ull* counts, long sched, ull chunk,
                                         ull* istart, ull* iend, std::uintptr_t* reductions,
                                         void** mem) {
  tool::called();
  return start_doacross_with(count, counts, sched, chunk, istart, iend, reductions, mem);
}

}  // extern "C"
