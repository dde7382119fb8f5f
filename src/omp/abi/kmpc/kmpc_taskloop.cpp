// SPDX-License-Identifier: Apache-2.0
// Clang's taskloops: a pattern task, of which each task gets a copy with bounds of its own.

#include <cstring>

#include "omp/abi/kmpc/kmpc_task.hpp"
#include "omp/run/taskgroup.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/work/taskloop.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {
namespace {

using namespace kmpc;

/// Copy-constructs private variables and says whether it is the last task; null: bytes do.
using duplicate = void (*)(void* to, void* from, std::int32_t last);

struct bounds {
  std::uint64_t* lower;  // in the pattern's data
  std::uint64_t* upper;  // inclusive
  std::int64_t step;
};

std::uint64_t iterations_of(const bounds& b) noexcept {
  const std::uint64_t lower = *b.lower;
  const std::uint64_t upper = *b.upper;
  const auto step = static_cast<std::uint64_t>(b.step);
  if (b.step > 0)
    return static_cast<std::int64_t>(upper - lower) < 0 ? 0 : (upper - lower) / step + 1;
  return static_cast<std::int64_t>(lower - upper) < 0 ? 0 : (lower - upper) / (-step) + 1;
}

/// Whether a bound lies in data of so many bytes.
[[maybe_unused]] bool lies_in(const std::uint64_t* bound, const char* data,
                              std::size_t bytes) noexcept {
  const auto* const at = reinterpret_cast<const char*>(bound);
  return at >= data && at + sizeof *bound <= data + bytes;
}

/// A copy of the pattern with the range [lower, upper].
explicit_task& copy_pattern(member& m, const explicit_task& pattern, const bounds& b,
                            std::uint64_t lower, std::uint64_t upper, duplicate dup,
                            bool last) noexcept {
  const std::size_t bytes = data_bytes(pattern);
  explicit_task& t = make_task(*m.current, m.in, bytes, 16);
  t.function = pattern.function;
  t.clang = true;
  t.untied = pattern.untied;
  t.final = pattern.final;
  t.special = pattern.special;
  t.priority = pattern.priority;
  auto* const from = static_cast<char*>(pattern.data);
  auto* const to = static_cast<char*>(t.data);
  KASURI_EXPECT(cheap, bytes != 0 && !pattern.counted && !pattern.ended,
                "a pattern of %zu bytes, counted %d, ended %d", bytes, pattern.counted,
                pattern.ended);
  KASURI_EXPECT(cheap, lies_in(b.lower, from, bytes) && lies_in(b.upper, from, bytes),
                "the bounds %p and %p lie outside the pattern, %zu bytes at %p",
                static_cast<void*>(b.lower), static_cast<void*>(b.upper), bytes,
                static_cast<void*>(from));
  std::memcpy(to, from, bytes);
  if (void* shareds = static_cast<clang_data*>(pattern.data)->shareds)
    static_cast<clang_data*>(t.data)->shareds = to + (static_cast<char*>(shareds) - from);
  *reinterpret_cast<std::uint64_t*>(to + (reinterpret_cast<char*>(b.lower) - from)) = lower;
  *reinterpret_cast<std::uint64_t*>(to + (reinterpret_cast<char*>(b.upper) - from)) = upper;
  if (dup != nullptr) dup(to, from, last ? 1 : 0);
  return t;
}

void create_tasks(member& m, const explicit_task& pattern, bool calls, const bounds& b,
                  const taskloop_split& split, duplicate dup) noexcept {
  std::uint64_t lower = *b.lower;
  const auto step = static_cast<std::uint64_t>(b.step);
  for (std::uint64_t i = 0; i != split.tasks; ++i) {
    const std::uint64_t next = lower + split.size_of(i) * step;
    explicit_task& t = copy_pattern(m, pattern, b, lower, next - step, dup, i + 1 == split.tasks);
    const std::uint64_t first = lower;
    lower = next;
    const bool at_once = calls || !may_queue(m);
    tool::task_created(m, t, calls);
    if (t.tool != nullptr) [[unlikely]]
      t.tool->part = {first, split.size_of(i)};
    if (!at_once) count_created(m, t);
    start(m, t, at_once);
  }
  KASURI_EXPECT(cheap, lower == *b.lower + iterations_of(b) * step,
                "%lu tasks have the iterations below %lu, the loop has %lu from %lu", split.tasks,
                lower, iterations_of(b), *b.lower);
}

void taskloop(explicit_task& pattern, bool if_clause, const bounds& b, bool nogroup, int schedule,
              std::uint64_t value, bool strict, duplicate dup) noexcept {
  member& m = self();
  read_data(pattern);
  if (!nogroup) begin_taskgroup(m);
  // The pattern was made before the group: its copies belong to it.
  if (const std::uint64_t n = iterations_of(b); n != 0) {
    const auto clause = schedule == 1   ? taskloop_clause::grainsize
                        : schedule == 2 ? taskloop_clause::num_tasks
                                        : taskloop_clause::none;
    const taskloop_split split = split_taskloop(n, clause, value, strict, m.in->size);
    if (tool::active()) [[unlikely]]
      tool::taskloop(m, tool::endpoint::begin, n);
    create_tasks(m, pattern, !if_clause || must_be_call(m), b, split, dup);
    if (tool::active()) [[unlikely]]
      tool::taskloop(m, tool::endpoint::end, n);
  }
  // The pattern never ran, but its variables are there.
  if (pattern.is(special_end::destroys)) {
    auto* const data = static_cast<clang_data*>(pattern.data);
    data->destructors(m.number, data);
  }
  free_task(pattern);
  if (!nogroup) end_taskgroup(self());
}

}  // namespace

extern "C" void kasuri___kmpc_taskloop(ident*, std::int32_t, void* data, std::int32_t if_clause,
                                       std::uint64_t* lower, std::uint64_t* upper,
                                       std::int64_t step, std::int32_t nogroup,
                                       std::int32_t schedule, std::uint64_t value, duplicate dup) {
  tool::called();
  taskloop(task_of(data), if_clause != 0, {lower, upper, step}, nogroup != 0, schedule, value,
           false, dup);
}

extern "C" void kasuri___kmpc_taskloop_5(ident*, std::int32_t, void* data, std::int32_t if_clause,
                                         std::uint64_t* lower, std::uint64_t* upper,
                                         std::int64_t step, std::int32_t nogroup,
                                         std::int32_t schedule, std::uint64_t value,
                                         std::int32_t strict, duplicate dup) {
  tool::called();
  taskloop(task_of(data), if_clause != 0, {lower, upper, step}, nogroup != 0, schedule, value,
           strict != 0, dup);
}

}  // namespace kasuri::omp
