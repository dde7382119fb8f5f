// SPDX-License-Identifier: Apache-2.0
// GOMP_taskloop and GOMP_taskloop_ull: GCC's taskloops.

#include <algorithm>

#include "omp/abi/gomp/gomp_task.hpp"
#include "omp/run/task_reduction.hpp"
#include "omp/run/taskgroup.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/work/taskloop.hpp"
#include "platform/base/expect.hpp"
#include "profile/base/active.hpp"

namespace kasuri::omp {
namespace {

using namespace gomp;

// The rest is known, and can be queued when others have run these.
constexpr std::uint64_t queued_per_member = 16;

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

/// The ranges of the tasks, one after the other.
template <class Index>
class ranges {
 public:
  ranges(Index first, Index step, const taskloop_split& split) noexcept
      : next_(first), step_(step), split_(split) {
    measure();
  }

  std::uint64_t left() const noexcept { return split_.tasks - done_; }
  std::uint64_t size() const noexcept { return split_.size_of(done_); }

  /// Writes that of the next task.
  void next(loop_data<Index>& to) noexcept {
    KASURI_EXPECT(cheap, done_ < split_.tasks && done_ < alike_until_, "task %lu of %lu", done_,
                  split_.tasks);
    to.first = next_;
    next_ += stride_;
    to.end = next_;
    if (++done_ == alike_until_) [[unlikely]]
      measure();
  }

 private:
  /// How far it is from the next task to the one behind, and for how many tasks.
  void measure() noexcept {
    stride_ = static_cast<Index>(split_.size_of(done_)) * step_;
    KASURI_EXPECT(cheap, split_.longer < split_.tasks && done_ <= split_.tasks,
                  "task %lu of %lu, %lu are longer", done_, split_.tasks, split_.longer);
    alike_until_ = done_ < split_.longer ? split_.longer : split_.tasks - 1;
    if (done_ >= alike_until_) alike_until_ = split_.tasks;
  }

  Index next_;
  Index step_;
  Index stride_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t alike_until_ = 0;
  taskloop_split split_;
};

/// A record for the next task.
template <class Index>
explicit_task& next_task(member& m, const source& s, unsigned flags, ranges<Index>& rest) noexcept {
  if (s.copy == nullptr) rest.next(*static_cast<loop_data<Index>*>(s.data));
  explicit_task& t = copy_task(m, s, flags);
  // It copies variables only.
  if (s.copy != nullptr) rest.next(*static_cast<loop_data<Index>*>(t.data));
  return t;
}

/// Runs the next n tasks at once.
template <class Index>
void run_tasks(member& m, const source& s, unsigned flags, ranges<Index>& rest,
               std::uint64_t n) noexcept {
  if (s.copy == nullptr && !profile::active()) {
    auto& range = *static_cast<loop_data<Index>*>(s.data);
    calls at_call(m, (flags & flag::final) != 0);
    ranges<Index> in_registers = rest;
    for (; n != 0; --n) {
      in_registers.next(range);
      at_call.run([f = s.function, &range] { f(&range); });
    }
    at_call.close();
    rest = in_registers;
    return;
  }
  for (; n != 0 && !need_not_copy(m, s); --n) {
    explicit_task& t = next_task(m, s, flags, rest);
    t.undeferred = true;
    if (profile::active()) [[unlikely]]
      tool::task_created(m, t, true);
    run_task(m, t);
  }
}

template <class Index>
void create_tasks(member& m, const source& s, const clauses& c, ranges<Index> rest) noexcept {
  if ((c.flags & flag::if_) == 0 || must_be_call(m))
    return run_tasks(m, s, c.flags, rest, rest.left());
  const int priority = (c.flags & flag::priority) != 0 ? task_priority(c.priority) : 0;
  const std::uint64_t enough = queued_per_member * static_cast<std::uint64_t>(m.in->size);
  for (std::uint64_t queued = 0; rest.left() != 0 && !need_not_copy(m, s);) {
    if (queued >= enough && wants_more(m)) queued = 0;
    if (queued >= enough || !may_queue(m)) {
      run_tasks(m, s, c.flags, rest, std::min(m.tasks.calls_due(), rest.left()));
      continue;
    }
    const std::uint64_t size = rest.size();
    explicit_task& t = next_task(m, s, c.flags, rest);
    t.priority = priority;
    tool::task_created(m, t, false);
    if (t.tool != nullptr) [[unlikely]]
      t.tool->part = {static_cast<const loop_data<Index>*>(t.data)->first, size};
    count_created(m, t);
    queue_task(m, t);
    ++queued;
  }
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
  if (tool::active()) [[unlikely]]
    tool::taskloop(m, tool::endpoint::begin, iterations);
  create_tasks(m, s, c, ranges<Index>(first, step, split));
  if (tool::active()) [[unlikely]]
    tool::taskloop(m, tool::endpoint::end, iterations);
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
    iterations =
        (static_cast<count>(end) - static_cast<count>(first) - 1) / static_cast<count>(step) + 1;
  else if (step < 0 && first > end)
    iterations =
        (static_cast<count>(first) - static_cast<count>(end) - 1) / (-static_cast<count>(step)) + 1;
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
