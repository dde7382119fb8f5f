// SPDX-License-Identifier: Apache-2.0
// Constructs that the members of a team meet together in Clang's programs: barriers, single,
// masked, reductions, cancellation; and inquiries.

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "kasuri/detail/atomics.hpp"
#include "omp/abi/kmpc/kmpc.hpp"
#include "omp/abi/omp/omp_api.hpp"
#include "omp/env/environment.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/work/cancel.hpp"
#include "omp/work/reduction.hpp"
#include "omp/work/single.hpp"
#include "platform/base/race_detector.hpp"

using namespace kasuri::omp;
using namespace kasuri::omp::kmpc;

namespace {

cancel_kind kind_of(std::int32_t kind) noexcept {
  switch (kind) {
    case 2:
      return cancel_kind::loop;
    case 3:
      return cancel_kind::sections;
    case 4:
      return cancel_kind::taskgroup;
    default:
      return cancel_kind::parallel;
  }
}

tool::sync_kind barrier_of(const location* at) noexcept {
  const bool implicit = at != nullptr && (at->flags & flag_explicit_barrier) == 0 &&
                        (at->flags & flag_implicit_barrier) != 0;
  return implicit ? tool::sync_kind::barrier_workshare : tool::sync_kind::barrier_explicit;
}

/// A masked construct: whether the calling member runs it.
std::int32_t begin_masked(int who) noexcept {
  if (self().number != who) return 0;
  if (tool::active()) [[unlikely]]
    tool::masked(tool::endpoint::begin);
  return 1;
}

void end_masked() noexcept {
  if (tool::active()) [[unlikely]]
    tool::masked(tool::endpoint::end);
}

std::int32_t reduce(const location* at, std::int32_t variables, lock_word* lock) noexcept {
  const bool has_atomic = at != nullptr && (at->flags & flag_atomic_reduction) != 0;
  const reduction_method how = begin_reduction(self(), variables, has_atomic, *lock);
  return how == reduction_method::atomic ? 2 : 1;
}

}  // namespace

extern "C" {

// ---- barriers, single, masked -------------------------------------------------------------------

void kasuri___kmpc_barrier(const location* at, gtid) {
  tool::called();
  team_barrier(self(), false, barrier_of(at));
}

/// The primary comes back with 1 when all have come; the others when it calls end_barrier_master.
std::int32_t kasuri___kmpc_barrier_master(location*, gtid) {
  tool::called();
  team_barrier(self());
  if (self().number == 0) return 1;
  team_barrier(self());
  return 0;
}

void kasuri___kmpc_end_barrier_master(location*, gtid) {
  tool::called();
  team_barrier(self());
}

std::int32_t kasuri___kmpc_barrier_master_nowait(location*, gtid) {
  tool::called();
  team_barrier(self());
  return self().number == 0 ? 1 : 0;
}

std::int32_t kasuri___kmpc_master(location*, gtid) {
  tool::called();
  return begin_masked(0);
}
void kasuri___kmpc_end_master(location*, gtid) {
  tool::called();
  end_masked();
}

std::int32_t kasuri___kmpc_masked(location*, gtid, std::int32_t who) {
  tool::called();
  return begin_masked(who);
}
void kasuri___kmpc_end_masked(location*, gtid) {
  tool::called();
  end_masked();
}

std::int32_t kasuri___kmpc_single(location*, gtid) {
  tool::called();
  return begin_single(self()) ? 1 : 0;
}
void kasuri___kmpc_end_single(location*, gtid) {
  tool::called();
  tool::close_single(self());
}

void kasuri___kmpc_scope(location*, gtid, void*) {
  tool::called();
  if (tool::active()) [[unlikely]]
    tool::scope(self(), tool::endpoint::begin);
}
void kasuri___kmpc_end_scope(location*, gtid, void*) {
  tool::called();
  if (tool::active()) [[unlikely]]
    tool::scope(self(), tool::endpoint::end);
}

/// With the barrier that ends the single construct.
void kasuri___kmpc_copyprivate(location*, gtid, std::size_t, void* data, void (*copy)(void*, void*),
                               std::int32_t did_it) {
  tool::called();
  member& m = self();
  if (m.in->size > 1) {
    if (did_it != 0)
      publish_copy(m, data);
    else
      copy(data, published_copy(m));
  }
  team_barrier(m);
}

/// The program copies by itself, and has a barrier then.
void* kasuri___kmpc_copyprivate_light(location*, gtid, void* data) {
  member& m = self();
  if (m.in->size == 1) return data;
  if (data == nullptr) return published_copy(m);
  publish_copy(m, data);
  return data;
}

void kasuri___kmpc_flush(location*) {
  tool::called();
  kasuri::detail::real_atomics::fence_full();  // pairs with the program's own
  // More order than a flush makes, but a race detector knows of no fences.
  static constexpr char key = 0;
  kasuri::platform::happens_before(&key);
  kasuri::platform::happens_after(&key);
  if (tool::active()) [[unlikely]]
    tool::flush();
}

// ---- reductions ---------------------------------------------------------------------------------

std::int32_t kasuri___kmpc_reduce_nowait(const location* at, gtid, std::int32_t variables,
                                         std::size_t, void*, void (*)(void*, void*),
                                         lock_word* lock) {
  tool::called();
  return reduce(at, variables, lock);
}

void kasuri___kmpc_end_reduce_nowait(location*, gtid, lock_word* lock) {
  tool::called();
  end_reduction(self(), *lock);
}

std::int32_t kasuri___kmpc_reduce(const location* at, gtid, std::int32_t variables, std::size_t,
                                  void*, void (*)(void*, void*), lock_word* lock) {
  tool::called();
  return reduce(at, variables, lock);
}

void kasuri___kmpc_end_reduce(location*, gtid, lock_word* lock) {
  tool::called();
  member& m = self();
  end_reduction(m, *lock);
  team_barrier(m, false, tool::sync_kind::barrier_workshare);
}

// ---- cancellation -------------------------------------------------------------------------------

std::int32_t kasuri___kmpc_cancel(location*, gtid, std::int32_t kind) {
  tool::called();
  return cancel(self(), kind_of(kind)) ? 1 : 0;
}

std::int32_t kasuri___kmpc_cancellationpoint(location*, gtid, std::int32_t kind) {
  tool::called();
  return cancellation_point(self(), kind_of(kind)) ? 1 : 0;
}

std::int32_t kasuri___kmpc_cancel_barrier(const location* at, gtid) {
  tool::called();
  return team_barrier(self(), true, barrier_of(at)) ? 0 : 1;
}

std::int32_t kasuri_kmp_get_cancellation_status(std::int32_t kind) {
  return cancelled(self(), kind_of(kind)) ? 1 : 0;
}

/// Fortran's.
std::int32_t kasuri_kmp_get_cancellation_status_by_reference(const std::int32_t* kind) {
  return kasuri_kmp_get_cancellation_status(*kind);
}

// ---- inquiries ----------------------------------------------------------------------------------

void kasuri___kmpc_begin(location*, std::int32_t) {}
void kasuri___kmpc_end(location*) {}

gtid kasuri___kmpc_global_thread_num(location*) { return self().number; }
std::int32_t kasuri___kmpc_bound_thread_num(location*) { return self().number; }
std::int32_t kasuri___kmpc_bound_num_threads(location*) { return self().in->size; }
std::int32_t kasuri___kmpc_in_parallel(location*) { return self().in->nest.active > 0 ? 1 : 0; }
std::int32_t kasuri___kmpc_ok_to_fork(location*) { return 1; }

std::int32_t kasuri___kmpc_global_num_threads(location*) {
  int all = 0;
  for (const team* t = self().in; t != nullptr; t = t->outer) all += t->size;
  return all;
}

/// Numbers of the running task and of the one that created it.
std::uint64_t kasuri___kmpc_get_taskid() {
  return reinterpret_cast<std::uintptr_t>(self().current);
}
std::uint64_t kasuri___kmpc_get_parent_taskid() {
  return reinterpret_cast<std::uintptr_t>(self().current->parent);
}

/// Of a target task that a device runs: there is none.
void** kasuri___kmpc_omp_get_target_async_handle_ptr(gtid) { return nullptr; }

/// In libomp's numbers.
std::int32_t kasuri___kmpc_get_target_offload() {
  switch (environment().offload) {
    case offload_policy::disabled:
      return 0;
    case offload_policy::mandatory:
      return 2;
    case offload_policy::default_:
      break;
  }
  return 1;
}

std::int32_t kasuri___kmpc_pause_resource(std::int32_t kind) {
  return kasuri_omp_pause_resource_all(kind);
}

/// severity: 1, warning; 2, fatal.
void kasuri___kmpc_error(const location* at, std::int32_t severity, const char* message) {
  tool::called();
  const char* const text = message != nullptr ? message : "error directive encountered";
  const char* const place = at != nullptr && at->text != nullptr ? at->text : "";
  const bool fatal = severity != 1;
  if (tool::active()) [[unlikely]]
    tool::error(fatal ? tool::severity::fatal : tool::severity::warning, message, SIZE_MAX);
  // As libomp begins such lines, for scripts that look for them.
  const char* const kind = fatal ? "Error #282" : "Warning #283";
  std::fprintf(stderr, "OMP: %s: %s %s\n", kind, text, place);
  if (fatal) std::exit(EXIT_FAILURE);
}

}  // extern "C"
