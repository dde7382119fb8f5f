// SPDX-License-Identifier: Apache-2.0
#include "omp/task/task_values.hpp"

#include <new>
#include <utility>

#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "sched/worker/block_cache.hpp"

namespace kasuri::omp {
namespace {

icvs* copy_of(const icvs& values) noexcept {
  void* memory = sched::allocate_record(sizeof(icvs));
  if (memory == nullptr) platform::fatal("openmp: no memory for a task's control variables");
  return new (memory) icvs(values);
}

}  // namespace

icvs& own_values(task& t) noexcept {
  KASURI_EXPECT(cheap, t.values != nullptr, "a task at depth %u has no values", t.depth);
  KASURI_EXPECT(cheap, t.own_values == nullptr || t.values == t.own_values,
                "a task at depth %u has values %p of its own and uses %p", t.depth,
                static_cast<void*>(t.own_values), static_cast<const void*>(t.values));
  if (t.own_values == nullptr) t.values = t.own_values = copy_of(*t.values);
  return *t.own_values;
}

void inherit_values(task& child, const task& creator) noexcept {
  KASURI_EXPECT(cheap, child.own_values == nullptr, "a new task at depth %u has values of its own",
                child.depth);
  child.values = creator.values;
  if (creator.own_values != nullptr) child.values = child.own_values = copy_of(*creator.values);
}

void free_own_values(task& t) noexcept {
  KASURI_EXPECT(cheap, t.own_values != nullptr && t.own_values == t.values,
                "a task at depth %u frees the values %p and uses %p", t.depth,
                static_cast<void*>(t.own_values), static_cast<const void*>(t.values));
  sched::free_record(std::exchange(t.own_values, nullptr), sizeof(icvs));
}

}  // namespace kasuri::omp
