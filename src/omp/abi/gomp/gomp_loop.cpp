// SPDX-License-Identifier: Apache-2.0
// GCC's loops over long. All forms of _next are one function: see exports/gomp.S.

#include "omp/abi/gomp/gomp_loop.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/work/cancel.hpp"

using namespace kasuri::omp;
using namespace kasuri::omp::gomp;

namespace {

void end() noexcept {
  member& m = self();
  m.work.doacross.flags = nullptr;
  end_loop(m);
}

}  // namespace

extern "C" {

bool kasuri_GOMP_loop_static_start(long first, long end, long step, long chunk, long* istart,
                                   long* iend) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::static_, true, as_count(chunk));
  return start(range<long>{first, end, step}, s, false, istart, iend);
}

bool kasuri_GOMP_loop_dynamic_start(long first, long end, long step, long chunk, long* istart,
                                    long* iend) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::dynamic, true, as_count(chunk));
  return start(range<long>{first, end, step}, s, false, istart, iend);
}

bool kasuri_GOMP_loop_guided_start(long first, long end, long step, long chunk, long* istart,
                                   long* iend) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::guided, true, as_count(chunk));
  return start(range<long>{first, end, step}, s, false, istart, iend);
}

bool kasuri_GOMP_loop_nonmonotonic_dynamic_start(long first, long end, long step, long chunk,
                                                 long* istart, long* iend) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::dynamic, false, as_count(chunk));
  return start(range<long>{first, end, step}, s, false, istart, iend);
}

bool kasuri_GOMP_loop_runtime_start(long first, long end, long step, long* istart, long* iend) {
  tool::called();
  schedule s = runtime_schedule_of(self());
  s.monotonic = true;
  return start(range<long>{first, end, step}, s, false, istart, iend);
}

bool kasuri_GOMP_loop_nonmonotonic_runtime_start(long first, long end, long step, long* istart,
                                                 long* iend) {
  tool::called();
  schedule s = runtime_schedule_of(self());
  s.monotonic = false;
  return start(range<long>{first, end, step}, s, false, istart, iend);
}

bool kasuri_GOMP_loop_maybe_nonmonotonic_runtime_start(long first, long end, long step,
                                                       long* istart, long* iend) {
  tool::called();
  schedule s = runtime_schedule_of(self());
  return start(range<long>{first, end, step}, s, false, istart, iend);
}

bool kasuri_GOMP_loop_ordered_static_start(long first, long end, long step, long chunk,
                                           long* istart, long* iend) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::static_, true, as_count(chunk));
  return start(range<long>{first, end, step}, s, true, istart, iend);
}

bool kasuri_GOMP_loop_ordered_dynamic_start(long first, long end, long step, long chunk,
                                            long* istart, long* iend) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::dynamic, true, as_count(chunk));
  return start(range<long>{first, end, step}, s, true, istart, iend);
}

bool kasuri_GOMP_loop_ordered_guided_start(long first, long end, long step, long chunk,
                                           long* istart, long* iend) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::guided, true, as_count(chunk));
  return start(range<long>{first, end, step}, s, true, istart, iend);
}

bool kasuri_GOMP_loop_ordered_runtime_start(long first, long end, long step, long* istart,
                                            long* iend) {
  tool::called();
  schedule s = runtime_schedule_of(self());
  s.monotonic = true;
  return start(range<long>{first, end, step}, s, true, istart, iend);
}

bool kasuri_GOMP_loop_start(long first, long end, long step, long sched, long chunk, long* istart,
                            long* iend, std::uintptr_t* reductions, void** mem) {
  tool::called();
  return start_with(range<long>{first, end, step}, sched, chunk, false, istart, iend, reductions,
                    mem);
}

bool kasuri_GOMP_loop_ordered_start(long first, long end, long step, long sched, long chunk,
                                    long* istart, long* iend, std::uintptr_t* reductions,
                                    void** mem) {
  tool::called();
  return start_with(range<long>{first, end, step}, sched, chunk, true, istart, iend, reductions,
                    mem);
}

bool kasuri_GOMP_loop_doacross_static_start(unsigned count, long* counts, long chunk, long* istart,
                                            long* iend) {
  tool::called();
  return start_doacross(count, counts, schedule_kind::static_, chunk, istart, iend);
}

bool kasuri_GOMP_loop_doacross_dynamic_start(unsigned count, long* counts, long chunk, long* istart,
                                             long* iend) {
  tool::called();
  return start_doacross(count, counts, schedule_kind::dynamic, chunk, istart, iend);
}

bool kasuri_GOMP_loop_doacross_guided_start(unsigned count, long* counts, long chunk, long* istart,
                                            long* iend) {
  tool::called();
  return start_doacross(count, counts, schedule_kind::guided, chunk, istart, iend);
}

bool kasuri_GOMP_loop_doacross_runtime_start(unsigned count, long* counts, long* istart,
                                             long* iend) {
  tool::called();
  return start_doacross(count, counts, istart, iend);
}

bool kasuri_GOMP_loop_doacross_start(unsigned count, long* counts, long sched, long chunk,
                                     long* istart, long* iend, std::uintptr_t* reductions,
                                     void** mem) {
  tool::called();
  return start_doacross_with(count, counts, sched, chunk, istart, iend, reductions, mem);
}

bool kasuri_GOMP_loop_next(long* istart, long* iend) {
  tool::called();
  return next(self(), istart, iend);
}

void kasuri_GOMP_loop_end_nowait() {
  tool::called();
  end();
}

void kasuri_GOMP_loop_end() {
  tool::called();
  end();
  team_barrier(self(), false, tool::sync_kind::barrier_workshare);
}

bool kasuri_GOMP_loop_end_cancel() {
  tool::called();
  end();
  return !team_barrier(self(), true, tool::sync_kind::barrier_workshare);
}

}  // extern "C"
