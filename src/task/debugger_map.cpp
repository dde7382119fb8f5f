// SPDX-License-Identifier: Apache-2.0
// Where the debugger finds suspended threads: read by tools/gdb/kasuri-gdb.py, in a process or in
// its core file, without debug information. Exported, so that it survives stripping.

#include <array>
#include <cstddef>
#include <cstdint>

#include "context/stack.hpp"
#include "record/wait_reason.hpp"
#include "sched/worker/worker.hpp"

// The records are no standard-layout types; both compilers lay them out at fixed offsets all the
// same.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

namespace kasuri {
namespace {

using context::slab;
using context::stack;
using detail::suspended;
using sched::worker;

constexpr auto reasons = static_cast<std::size_t>(record::wait_reason::remote_join) + 1;

constexpr std::array<const char*, reasons> reason_names = [] {
  std::array<const char*, reasons> all{};
  for (std::size_t i = 0; i != reasons; ++i)
    all[i] = record::name(static_cast<record::wait_reason>(i)).data();
  return all;
}();

}  // namespace

/// Every field has eight bytes; new ones go to the end, and `version` counts changes of the others.
struct debugger_map {
  std::uint64_t version;
  const void* slabs;    // the pointer to the first slab
  const void* workers;  // the pointer to the first worker
  const char* const* reason_names;
  std::uint64_t reason_count;
  std::uint64_t stagger, stagger_colours;
  std::uint64_t slab_next, slab_start, slab_stride, slab_stacks, slab_cut;
  std::uint64_t stack_bytes, stack_low, stack_waiting;
  std::uint64_t suspended_context, suspended_reason;
  std::uint64_t worker_older, worker_index, worker_tid, worker_has_thread, worker_asleep;
  std::uint64_t worker_native_stack;
};

extern "C" {
[[gnu::visibility("default"), gnu::used]] extern constinit const debugger_map kasuri_debugger_map{
    .version = 2,
    .slabs = &context::slab_list,
    .workers = &sched::newest_worker,
    .reason_names = reason_names.data(),
    .reason_count = reasons,
    .stagger = context::stagger,
    .stagger_colours = context::stagger_colours,
    .slab_next = offsetof(slab, next),
    .slab_start = offsetof(slab, start),
    .slab_stride = offsetof(slab, stride),
    .slab_stacks = offsetof(slab, stacks),
    .slab_cut = offsetof(slab, cut),
    .stack_bytes = sizeof(stack),
    .stack_low = offsetof(stack, low),
    .stack_waiting = offsetof(stack, waiting),
    .suspended_context = offsetof(suspended, context),
    .suspended_reason = offsetof(suspended, reason),
    .worker_older = offsetof(worker, older),
    .worker_index = offsetof(worker, index),
    .worker_tid = offsetof(worker, tid),
    .worker_has_thread = offsetof(worker, has_thread),
    .worker_asleep = offsetof(worker, asleep),
    .worker_native_stack = offsetof(worker, native_stack),
};
}

}  // namespace kasuri
