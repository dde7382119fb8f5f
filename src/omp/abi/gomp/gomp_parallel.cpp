// SPDX-License-Identifier: Apache-2.0
#include "omp/abi/gomp/gomp_region.hpp"
#include "omp/abi/gomp/workshare_reduction.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/work/cancel.hpp"

using namespace kasuri::omp;
using namespace kasuri::omp::gomp;

namespace {

void run_loop(function f, void* data, unsigned threads, const range<long>& r, const schedule& s,
              unsigned flags) {
  run_combined(f, data, threads, flags, loop_construct{r, s});
}

schedule runtime(bool monotonic) noexcept {
  schedule s = runtime_schedule_of(self());
  s.monotonic = monotonic;
  return s;
}

}  // namespace

extern "C" {

void kasuri_GOMP_parallel(function f, void* data, unsigned threads, unsigned flags) {
  tool::called();
  run_region(code_of(f, data), clauses_of(threads, flags));
}

void kasuri_GOMP_parallel_start(function f, void* data, unsigned threads) {
  tool::called();
  begin_region(code_of(f, data), clauses_of(threads, 0));
}

void kasuri_GOMP_parallel_end() {
  tool::called();
  const region_code code = self().in->code;
  end_region();
  if (!end_combined<loop_construct>(code)) end_combined<sections_construct>(code);
}

// ---- a loop at once -----------------------------------------------------------------------------

void kasuri_GOMP_parallel_loop_static(function f, void* data, unsigned threads, long first,
                                      long end, long step, long chunk, unsigned flags) {
  tool::called();
  run_loop(f, data, threads, {first, end, step},
           schedule_of(schedule_kind::static_, true, as_count(chunk)), flags);
}

void kasuri_GOMP_parallel_loop_dynamic(function f, void* data, unsigned threads, long first,
                                       long end, long step, long chunk, unsigned flags) {
  tool::called();
  run_loop(f, data, threads, {first, end, step},
           schedule_of(schedule_kind::dynamic, true, as_count(chunk)), flags);
}

void kasuri_GOMP_parallel_loop_guided(function f, void* data, unsigned threads, long first,
                                      long end, long step, long chunk, unsigned flags) {
  tool::called();
  run_loop(f, data, threads, {first, end, step},
           schedule_of(schedule_kind::guided, true, as_count(chunk)), flags);
}

void kasuri_GOMP_parallel_loop_runtime(function f, void* data, unsigned threads, long first,
                                       long end, long step, unsigned flags) {
  tool::called();
  run_loop(f, data, threads, {first, end, step}, runtime(true), flags);
}

void kasuri_GOMP_parallel_loop_nonmonotonic_dynamic(function f, void* data, unsigned threads,
                                                    long first, long end, long step, long chunk,
                                                    unsigned flags) {
  tool::called();
  run_loop(f, data, threads, {first, end, step},
           schedule_of(schedule_kind::dynamic, false, as_count(chunk)), flags);
}

void kasuri_GOMP_parallel_loop_nonmonotonic_runtime(function f, void* data, unsigned threads,
                                                    long first, long end, long step,
                                                    unsigned flags) {
  tool::called();
  run_loop(f, data, threads, {first, end, step}, runtime(false), flags);
}

void kasuri_GOMP_parallel_loop_maybe_nonmonotonic_runtime(function f, void* data, unsigned threads,
                                                          long first, long end, long step,
                                                          unsigned flags) {
  tool::called();
  run_loop(f, data, threads, {first, end, step}, runtime_schedule_of(self()), flags);
}

// ---- the old forms ------------------------------------------------------------------------------

void kasuri_GOMP_parallel_loop_static_start(function f, void* data, unsigned threads, long first,
                                            long end, long step, long chunk) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::static_, true, as_count(chunk));
  begin_combined(f, data, threads, loop_construct{{first, end, step}, s});
}

void kasuri_GOMP_parallel_loop_dynamic_start(function f, void* data, unsigned threads, long first,
                                             long end, long step, long chunk) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::dynamic, true, as_count(chunk));
  begin_combined(f, data, threads, loop_construct{{first, end, step}, s});
}

void kasuri_GOMP_parallel_loop_guided_start(function f, void* data, unsigned threads, long first,
                                            long end, long step, long chunk) {
  tool::called();
  const schedule s = schedule_of(schedule_kind::guided, true, as_count(chunk));
  begin_combined(f, data, threads, loop_construct{{first, end, step}, s});
}

void kasuri_GOMP_parallel_loop_runtime_start(function f, void* data, unsigned threads, long first,
                                             long end, long step) {
  tool::called();
  begin_combined(f, data, threads, loop_construct{{first, end, step}, runtime(true)});
}

void kasuri_GOMP_parallel_sections_start(function f, void* data, unsigned threads, unsigned count) {
  tool::called();
  begin_combined(f, data, threads, sections_construct{count});
}

// ---- sections at once, cancellation, barriers ---------------------------------------------------

void kasuri_GOMP_parallel_sections(function f, void* data, unsigned threads, unsigned count,
                                   unsigned flags) {
  tool::called();
  run_combined(f, data, threads, flags, sections_construct{count});
}

bool kasuri_GOMP_cancel(int which, bool do_cancel) {
  tool::called();
  member& m = self();
  const auto what = static_cast<cancel_kind>(which);
  return do_cancel ? cancel(m, what) : cancellation_point(m, what);
}

bool kasuri_GOMP_cancellation_point(int which) {
  tool::called();
  return cancellation_point(self(), static_cast<cancel_kind>(which));
}

void kasuri_GOMP_barrier() {
  tool::called();
  team_barrier(self());
}

bool kasuri_GOMP_barrier_cancel() {
  tool::called();
  return !team_barrier(self(), true);
}

}  // extern "C"
