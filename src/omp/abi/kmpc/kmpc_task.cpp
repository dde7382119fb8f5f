// SPDX-License-Identifier: Apache-2.0
// Clang's explicit tasks. The number of the thread that compiled code passes is not used: self()
// knows.

#include "omp/abi/kmpc/kmpc_task.hpp"

#include <algorithm>

#include "omp/run/task_send.hpp"
#include "omp/run/taskgroup.hpp"
#include "omp/tool/hooks.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {
namespace kmpc {
namespace {

constexpr std::size_t align = 16;

/// Of a task without code: it is there for its dependences.
std::int32_t no_code(std::int32_t, void*) { return 0; }

}  // namespace

explicit_task& allocate(member& m, std::int32_t flags, std::size_t bytes, std::size_t shareds,
                        clang_task routine) noexcept {
  const std::size_t at = (bytes + sizeof(void*) - 1) / sizeof(void*) * sizeof(void*);
  explicit_task& t = make_task(*m.current, m.in, at + shareds, align);
  t.function = reinterpret_cast<void (*)()>(routine != nullptr ? routine : no_code);
  t.clang = true;
  t.untied = (flags & clang_flag::tied) == 0;
  t.final = (flags & clang_flag::final) != 0 || m.current->final;
  if ((flags & clang_flag::destroys) != 0) t.special |= special_end::destroys;
  if ((flags & (clang_flag::detachable | clang_flag::proxy)) != 0)
    t.special |= special_end::detachable;
  // Until the data are complete (read_data) this says only whether there is one.
  t.priority = (flags & clang_flag::has_priority) != 0 ? 1 : 0;
  t.join = at + shareds;
  KASURI_EXPECT(cheap, reinterpret_cast<std::uintptr_t>(t.data) % align == 0,
                "%zu bytes of data at %p", bytes, t.data);
  auto& data = *static_cast<clang_data*>(t.data);
  data.shareds = shareds != 0 ? static_cast<char*>(t.data) + at : nullptr;
  data.routine = routine;
  data.part = 0;
  return t;
}

void read_data(explicit_task& t) noexcept {
  if (t.priority != 0) [[unlikely]]
    t.priority = task_priority(static_cast<const clang_data*>(t.data)->priority);
}

outcome start(member& m, explicit_task& t, bool at_once) noexcept {
  if (at_once) {
    t.undeferred = true;
    run_task(m, t);
    return outcome::ran;
  }
  queue_task(m, t);
  return outcome::queued;
}

namespace {

outcome task(explicit_task& t) noexcept {
  member& m = self();
  if (t.untied &&
      m.current == &t) {  // its next part; what called its code calls it again (call_code)
    t.goes_on = true;
    return outcome::queued;
  }
  KASURI_EXPECT(cheap, t.parent == m.current && !t.counted,
                "member %d at depth %u gives a task at depth %u, counted %d", m.number,
                m.current->depth, t.depth, t.counted);
  read_data(t);
  tool::task_created(m, t, must_be_call(m));
  const bool at_once = must_be_call(m) || !may_queue(m, t);
  if (t.is(special_end::detachable))
    count_created_apart(m, t);
  else if (!at_once)
    count_created(m, t);
  return start(m, t, at_once);
}

}  // namespace
}  // namespace kmpc

using namespace kmpc;

extern "C" void* kasuri___kmpc_omp_task_alloc(ident*, std::int32_t, std::int32_t flags,
                                              std::size_t bytes, std::size_t shareds,
                                              clang_task routine) {
  return allocate(self(), flags, bytes, shareds, routine).data;
}

/// A target task runs on the host, as any other.
extern "C" void* kasuri___kmpc_omp_target_task_alloc(ident*, std::int32_t, std::int32_t flags,
                                                     std::size_t bytes, std::size_t shareds,
                                                     clang_task routine, std::int64_t) {
  return allocate(self(), flags, bytes, shareds, routine).data;
}

extern "C" outcome kasuri___kmpc_omp_task(ident*, std::int32_t, void* data) {
  tool::called();
  return kmpc::task(task_of(data));
}

extern "C" outcome kasuri___kmpc_omp_task_parts(ident*, std::int32_t, void* data) {
  tool::called();
  return kmpc::task(task_of(data));
}

namespace {

/// The frame pointer of the function that has called the one this is inlined into: the first word
/// of a frame is that of the one before.
[[gnu::always_inline]] inline void* callers_frame() noexcept {
  return *static_cast<void**>(__builtin_frame_address(0));
}

}  // namespace

/// The two ends of a task with if(0), which the compiled code calls itself.
extern "C" void kasuri___kmpc_omp_task_begin_if0(ident*, std::int32_t, void* data) {
  tool::called();
  explicit_task& t = task_of(data);
  member& m = self();
  if (t.is(special_end::detachable)) count_created_apart(m, t);
  t.undeferred = t.serial = true;
  tool::task_created(m, t, true);
  const interrupted outer = begin_task(m, t);
  if (tool::active()) [[unlikely]]
    *tool::exit_frame(m) = callers_frame();
  t.join = reinterpret_cast<std::uintptr_t>(outer.mark);
}

extern "C" void kasuri___kmpc_omp_task_complete_if0(ident*, std::int32_t, void* data) {
  tool::called();
  explicit_task& t = task_of(data);
  KASURI_EXPECT(cheap, self().current == &t && t.undeferred, "task %p ends, and %p runs",
                static_cast<void*>(&t), static_cast<void*>(self().current));
  run_next_parts(self(), t);
  end_task(self(), t, {t.parent, reinterpret_cast<task_queue::slot*>(t.join)});
}

extern "C" std::int32_t kasuri___kmpc_omp_taskwait(ident*, std::int32_t) {
  tool::called();
  wait_for_children(self());
  return 0;
}

extern "C" std::int32_t kasuri___kmpc_omp_taskyield(ident*, std::int32_t, std::int32_t) {
  tool::called();
  yield_task(self());
  return 0;
}

extern "C" void kasuri___kmpc_taskgroup(ident*, std::int32_t) {
  tool::called();
  begin_taskgroup(self());
}

extern "C" void kasuri___kmpc_end_taskgroup(ident*, std::int32_t) {
  tool::called();
  end_taskgroup(self());
}

/// The event of a task with the detach clause; what omp_fulfill_event gets.
extern "C" void* kasuri___kmpc_task_allow_completion_event(ident*, std::int32_t, void* data) {
  explicit_task& t = task_of(data);
  t.special |= special_end::detachable;
  return &t;
}

/// A proxy task has ended elsewhere.
extern "C" void kasuri___kmpc_proxy_task_completed(std::int32_t, void* data) {
  fulfill_event(task_of(data));
}
extern "C" void kasuri___kmpc_proxy_task_completed_ooo(void* data) { fulfill_event(task_of(data)); }

namespace {

/// An entry of the affinity clause.
struct affinity_info {
  void* address;
  std::size_t bytes;
  std::int32_t flags;  // none is defined for us
};
static_assert(sizeof(affinity_info) == 24);

}  // namespace

/// The affinity clause of a task that is about to be given to the runtime: a hint where it is to
/// run.
extern "C" std::int32_t kasuri___kmpc_omp_reg_task_with_affinity(ident*, std::int32_t, void* data,
                                                                 std::int32_t count,
                                                                 const affinity_info* list) {
  constexpr std::int32_t most = 32;
  const void* addresses[most];
  count = std::min(count, most);
  for (std::int32_t i = 0; i < count; ++i) addresses[i] = list[i].address;
  if (count > 0) heed_affinity(self(), task_of(data), {addresses, static_cast<std::size_t>(count)});
  return 0;
}

/// Whether the team has had a task in this region.
extern "C" bool kasuri___kmpc_omp_has_task_team(std::int32_t) {
  return self().in->has_tasks.load(std::memory_order_relaxed);
}

}  // namespace kasuri::omp
