// SPDX-License-Identifier: Apache-2.0
// GOMP_task, taskwait, taskyield, taskgroup: GCC's explicit tasks.

#include "omp/abi/gomp/gomp_depend.hpp"
#include "omp/abi/gomp/gomp_task.hpp"
#include "omp/run/depend.hpp"
#include "omp/run/taskgroup.hpp"
#include "omp/tool/hooks.hpp"

namespace kasuri::omp {
namespace {

using namespace gomp;

/// The program's event of a task, which goes into the data before they are copied.
void give_event(explicit_task& t, const source& s, void** event) noexcept {
  t.special |= special_end::detachable;
  *event = &t;
  if (s.data != nullptr) *static_cast<void**>(s.data) = &t;
}

/// Runs or queues a task of which nothing is waited for any more.
void start_task(member& m, explicit_task& t) noexcept {
  if (must_be_call(m) || !may_queue(m, t)) return run_task(m, t);
  if (!t.counted) count_created(m, t);
  queue_task(m, t);
}

/// A task with dependences, a priority or an event.
void special_task(member& m, const source& s, bool undeferred, unsigned flags, void** depend_list,
                  int priority, void** event) noexcept {
  // One with an event is made: the program has the event from then on.
  if (event == nullptr && need_not_copy(m, s)) return;
  const dependence_list on(depend_list);
  if (undeferred) wait_for_dependences(m, on);
  explicit_task& t = make_task(*m.current, m.in, s.bytes, s.align);
  t.function = reinterpret_cast<void (*)()>(s.function);
  t.final = (flags & flag::final) != 0 || m.current->final;
  t.undeferred = t.serial = undeferred;
  t.priority = task_priority(priority);
  if (event != nullptr) give_event(t, s, event);
  copy_data(t, s);
  tool::task_created(m, t, undeferred || must_be_call(m), !on.get().empty());
  const bool waits_for_others = !undeferred && !on.get().empty();
  if (event != nullptr || waits_for_others) count_created_apart(m, t);
  if (waits_for_others && !depend(m, t, on)) return;
  undeferred ? run_task(m, t) : start_task(m, t);
}

}  // namespace

extern "C" void kasuri_GOMP_task(gcc_task function, void* data, copy_function copy, long bytes,
                                 long align, bool if_clause, unsigned flags, void** depend_list,
                                 int priority, void* event) {
  tool::called();
  member& m = self();
  const source s{function, data, copy, static_cast<std::size_t>(bytes),
                 static_cast<std::size_t>(align)};
  if ((flags & (flag::depend | flag::detach | flag::priority)) != 0) [[unlikely]] {
    special_task(m, s, !if_clause || m.current->final, flags,
                 (flags & flag::depend) != 0 ? depend_list : nullptr,
                 (flags & flag::priority) != 0 ? priority : 0,
                 (flags & flag::detach) != 0 ? static_cast<void**>(event) : nullptr);
    return;
  }
  if (need_not_copy(m, s)) [[unlikely]]
    return;
  if (!if_clause || must_be_call(m) || !may_queue(m)) {
    call(m, s, flags, !if_clause);
    return;
  }
  explicit_task& t = copy_task(m, s, flags);
  tool::task_created(m, t, false);
  count_created(m, t);
  queue_task(m, t);
}

extern "C" void kasuri_GOMP_taskwait() {
  tool::called();
  wait_for_children(self());
}

extern "C" void kasuri_GOMP_taskwait_depend(void** depend_list) {
  tool::called();
  wait_for_dependences(self(), gomp::dependence_list(depend_list));
}

extern "C" void kasuri_GOMP_taskyield() {
  tool::called();
  yield_task(self());
}

extern "C" void kasuri_GOMP_taskgroup_start() {
  tool::called();
  begin_taskgroup(self());
}

extern "C" void kasuri_GOMP_taskgroup_end() {
  tool::called();
  end_taskgroup(self());
}

extern "C" void kasuri_omp_fulfill_event(std::uintptr_t event) {
  fulfill_event(*reinterpret_cast<explicit_task*>(event));
}

}  // namespace kasuri::omp
