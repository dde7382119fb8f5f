// SPDX-License-Identifier: Apache-2.0
// GOMP_taskloop and GOMP_taskloop_ull: GCC's taskloops.

#include "omp/abi/gomp_task.hpp"
#include "omp/task_reduction.hpp"
#include "omp/taskgroup.hpp"
#include "omp/taskloop.hpp"
#include "omp/tool/hooks.hpp"

namespace kasuri::omp {
namespace {

using namespace gomp;

/// The data of a taskloop's tasks begin with their range; then come the reductions, if any.
template <class Index>
struct loop_data {
  Index first;
  Index end;
  std::uintptr_t* reductions;
};

struct clauses {
  unsigned flags;
  std::uint64_t value;  // of grainsize or num_tasks
  int priority;
};

template <class Index>
void create_tasks(member& m, const source& s, const clauses& c, Index first, Index step,
                  const taskloop_split& split) noexcept {
  const bool all_at_once = (c.flags & flag::if_) == 0 || must_be_call(m);
  calls at_call(m, (c.flags & flag::final) != 0);
  const int priority = (c.flags & flag::priority) != 0 ? task_priority(c.priority) : 0;
  auto& range = *static_cast<loop_data<Index>*>(s.data);
  for (std::uint64_t i = 0; i != split.tasks; ++i) {
    range.first = first;
    first += static_cast<Index>(split.size_of(i)) * step;
    range.end = first;
    const bool at_once = all_at_once || !may_queue(m);
    if (at_once && s.copy == nullptr) {
      at_call.run([&s] { s.function(s.data); });
      continue;
    }
    at_call.close();
    explicit_task& t = copy_task(m, s, c.flags);
    if (s.copy != nullptr) {  // it copies variables only
      auto& own = *static_cast<loop_data<Index>*>(t.data);
      own.first = range.first;
      own.end = range.end;
    }
    if (at_once) {
      t.undeferred = true;
      run_task(m, t);
      continue;
    }
    t.priority = priority;
    tool::task_created(m, t, false);
    if (t.tool != nullptr) [[unlikely]] t.tool->part = {range.first, split.size_of(i)};
    count_created(m, t);
    queue_task(m, t);
  }
  at_call.close();
}

template <class Index>
void taskloop(const source& s, const clauses& c, std::uint64_t iterations, Index first,
              Index step) noexcept {
  const bool grouped = (c.flags & flag::nogroup) == 0;
  std::uintptr_t* const reductions = grouped && (c.flags & flag::reduction) != 0
                                         ? static_cast<loop_data<Index>*>(s.data)->reductions
                                         : nullptr;
  if (iterations == 0) {
    // Says that the reductions have not been registered.
    if (reductions != nullptr) reductions[2] = 0;
    return;
  }
  member& m = self();
  const auto clause = (c.flags & flag::grainsize) != 0 ? taskloop_clause::grainsize
                      : c.value != 0                   ? taskloop_clause::num_tasks
                                                       : taskloop_clause::none;
  const taskloop_split split =
      split_taskloop(iterations, clause, c.value, (c.flags & flag::strict) != 0, m.in->size);
  if (grouped) {
    taskgroup& g = begin_taskgroup(m);
    if (reductions != nullptr) register_reductions(g, reductions, m.in->size);
  }
  if (tool::active()) [[unlikely]] tool::taskloop(m, tool::endpoint::begin, iterations);
  create_tasks(m, s, c, first, step, split);
  if (tool::active()) [[unlikely]] tool::taskloop(m, tool::endpoint::end, iterations);
  if (grouped) end_taskgroup(self());
}

}  // namespace

extern "C" void kasuri_GOMP_taskloop(gcc_task function, void* data, copy_function copy, long bytes,
                                     long align, unsigned flags, unsigned long tasks, int priority,
                                     long first, long end, long step) {
  tool::called();
  using count = unsigned long;
  std::uint64_t iterations = 0;
  if (step > 0 && first < end)
    iterations = (static_cast<count>(end) - static_cast<count>(first) - 1) / static_cast<count>(step) + 1;
  else if (step < 0 && first > end)
    iterations = (static_cast<count>(first) - static_cast<count>(end) - 1) / (-static_cast<count>(step)) + 1;
  const source s{function, data, copy, static_cast<std::size_t>(bytes),
                 static_cast<std::size_t>(align)};
  // Unsigned, for values beyond the last iteration; the code has the same bits.
  taskloop<unsigned long>(s, {flags, tasks, priority}, iterations, static_cast<count>(first),
                          static_cast<count>(step));
}

extern "C" void kasuri_GOMP_taskloop_ull(gcc_task function, void* data, copy_function copy,
                                         long bytes, long align, unsigned flags,
                                         unsigned long tasks, int priority,
                                         unsigned long long first, unsigned long long end,
                                         unsigned long long step) {
  tool::called();
  std::uint64_t iterations = 0;
  if ((flags & flag::up) != 0 && first < end)
    iterations = (end - first - 1) / step + 1;
  else if ((flags & flag::up) == 0 && first > end)
    iterations = (first - end - 1) / (-step) + 1;
  const source s{function, data, copy, static_cast<std::size_t>(bytes),
                 static_cast<std::size_t>(align)};
  taskloop<unsigned long long>(s, {flags, tasks, priority}, iterations, first, step);
}

}  // namespace kasuri::omp
