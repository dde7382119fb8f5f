// SPDX-License-Identifier: Apache-2.0

#include <cstdlib>
#include <cstring>
#include <new>

#include "omp/run/task_reduction.hpp"
#include "omp/run/taskgroup.hpp"
#include "omp/run/wait.hpp"
#include "omp/team/team.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::omp {
namespace {

using init_copy = void (*)(void* copy);
using init_from = void (*)(void* copy, void* original);

constexpr std::size_t line = 64;

void* or_fatal(void* memory) noexcept {
  if (memory == nullptr) platform::fatal("no memory for task reductions");
  return memory;
}

}  // namespace

/// The copies of one variable: a flag, whether it is in use, and a line or more for each thread.
struct reduction_copies {
  reduction_input what;
  bool two_arguments;
  int threads;
  std::size_t stride;
  char* memory;

  /// `threads` gives the end of the last one.
  char* of(int thread) const noexcept {
    KASURI_EXPECT(cheap, thread >= 0 && thread <= threads, "the copy of thread %d of %d", thread,
                  threads);
    return memory + static_cast<std::size_t>(thread) * stride;
  }
  bool& used(int thread) const noexcept {
    KASURI_EXPECT(cheap, thread < threads && stride > line, "thread %d of %d, stride %zu", thread,
                  threads, stride);
    return *reinterpret_cast<bool*>(of(thread) + stride - line);
  }
  bool has(const void* p) const noexcept { return p >= memory && p < of(threads); }
};

/// Of one group, or of a construct that all members of a team share.
struct reduction_set {
  reduction_copies* copies;
  int count;
  std::atomic<int> left;  // members that have not ended their group yet

  static reduction_set& make(int threads, int count, const reduction_input* inputs,
                             bool two_arguments) noexcept;
  void destroy() noexcept;
};

/// The reductions that a group knows. A variable's address differs between members that share a
/// construct, so each has a list of its own.
struct reductions {
  reductions* next;
  reduction_set* set;
  int construct;    // -1: the group's alone
  void* shared[1];  // set->count of them

  static reductions& make(reduction_set& set, const reduction_input* inputs,
                          int construct) noexcept {
    const std::size_t bytes = sizeof(reductions) + sizeof(void*) * static_cast<unsigned>(set.count);
    auto& r = *static_cast<reductions*>(or_fatal(std::malloc(bytes)));
    r.next = nullptr;
    r.set = &set;
    r.construct = construct;
    for (int i = 0; i != set.count; ++i) r.shared[i] = inputs[i].shared;
    return r;
  }
};

reduction_set& reduction_set::make(int threads, int count, const reduction_input* inputs,
                                   bool two_arguments) noexcept {
  KASURI_EXPECT(cheap, threads > 0 && count >= 0, "%d reductions of %d threads", count, threads);
  auto& s = *new (or_fatal(std::malloc(sizeof(reduction_set)))) reduction_set;
  const auto n = static_cast<std::size_t>(count);
  s.copies =
      static_cast<reduction_copies*>(or_fatal(std::malloc(sizeof(reduction_copies) * n + 1)));
  s.count = count;
  s.left.store(threads, std::memory_order_relaxed);
  for (std::size_t i = 0; i != n; ++i) {
    const std::size_t stride = (inputs[i].bytes + line - 1) / line * line + line;
    const std::size_t bytes = stride * static_cast<std::size_t>(threads);
    auto* const memory = static_cast<char*>(or_fatal(std::aligned_alloc(line, bytes)));
    std::memset(memory, 0, bytes);
    s.copies[i] = {inputs[i], two_arguments, threads, stride, memory};
  }
  return s;
}

void reduction_set::destroy() noexcept {
  for (int i = 0; i != count; ++i) std::free(copies[i].memory);
  std::free(copies);
  std::free(this);
}

namespace {

void add(taskgroup& g, reductions& r) noexcept {
  r.next = g.clang_reductions;
  g.clang_reductions = &r;
}

/// Combines all copies in use into the variables that r knows.
void combine(const reductions& r) noexcept {
  for (int i = 0; i != r.set->count; ++i) {
    const reduction_copies& c = r.set->copies[i];
    for (int thread = 0; thread != c.threads; ++thread) {
      if (!c.used(thread)) continue;
      c.what.combine(r.shared[i], c.of(thread));
      if (c.what.finish != nullptr) c.what.finish(c.of(thread));
    }
  }
}

void* copy_of(const reduction_copies& c, const member& m) noexcept {
  char* const copy = c.of(m.number);
  bool& used = c.used(m.number);
  if (used) return copy;
  used = true;
  if (c.what.init != nullptr) {
    if (c.two_arguments)
      reinterpret_cast<init_from>(c.what.init)(copy, c.what.original);
    else
      reinterpret_cast<init_copy>(c.what.init)(copy);
  }
  return copy;
}

}  // namespace

void begin_reductions(member& m, int count, const reduction_input* inputs,
                      bool two_arguments) noexcept {
  taskgroup* const g = m.current->group;
  if (g == nullptr) platform::fatal("a task reduction outside a taskgroup");
  reduction_set& set = reduction_set::make(m.in->size, count, inputs, two_arguments);
  add(*g, reductions::make(set, inputs, -1));
}

void begin_shared_reductions(member& m, int construct, int count, const reduction_input* inputs,
                             bool two_arguments) noexcept {
  static reduction_set being_made;
  KASURI_EXPECT(cheap, construct == 0 || construct == 1, "construct %d", construct);
  taskgroup& g = begin_taskgroup(m);
  std::atomic<reduction_set*>& place = m.in->tasks.reductions[construct];
  reduction_set* set = nullptr;
  // acquire: pairs with the release below
  if (place.compare_exchange_strong(set, &being_made, std::memory_order_acquire,
                                    std::memory_order_acquire)) {
    set = &reduction_set::make(m.in->size, count, inputs, two_arguments);
    platform::happens_before(set);
    // release: pairs with the acquire around
    place.store(set, std::memory_order_release);
    notify(&place);
  } else if (set == &being_made) {
    const auto made = [&place] {
      // acquire: pairs with the release above
      return place.load(std::memory_order_acquire) != &being_made;
    };
    wait_until(m, &place, made, may_run::nothing);
    set = place.load(std::memory_order_relaxed);
  }
  platform::happens_after(set);
  KASURI_EXPECT(cheap, set != nullptr && set != &being_made && set->count == count,
                "member %d meets %d reductions, the team has %d", m.number, count, set->count);
  add(g, reductions::make(*set, inputs, construct));
}

void* reduction_copy(member& m, taskgroup* g, void* address) noexcept {
  if (g == nullptr) g = m.current->group;
  for (; g != nullptr; g = g->outer) {
    for (const reductions* r = g->clang_reductions; r != nullptr; r = r->next) {
      for (int i = 0; i != r->set->count; ++i) {
        const reduction_copies& c = r->set->copies[i];
        if (r->shared[i] == address || c.what.shared == address || c.has(address))
          return copy_of(c, m);
      }
    }
  }
  platform::fatal("in_reduction: no enclosing construct has a task reduction of the variable at %p",
                  address);
}

void finish_reductions(member& m, taskgroup& g) noexcept {
  while (reductions* const r = g.clang_reductions) {
    g.clang_reductions = r->next;
    reduction_set* const set = r->set;
    KASURI_EXPECT(cheap, set->left.load(std::memory_order_relaxed) > 0,
                  "%d members are left in a reduction that member %d ends",
                  set->left.load(std::memory_order_relaxed), m.number);
    platform::happens_before(&set->left);
    // acq_rel: pairs with itself: the last member sees all copies
    if (r->construct < 0 || set->left.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      platform::happens_after(&set->left);
      if (r->construct >= 0)
        m.in->tasks.reductions[r->construct].store(nullptr, std::memory_order_relaxed);
      combine(*r);
      set->destroy();
    }
    std::free(r);
  }
}

}  // namespace kasuri::omp
