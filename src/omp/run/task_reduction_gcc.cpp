// SPDX-License-Identifier: Apache-2.0
// The array that GCC's code describes reductions by:
//   [0] number of variables            [1] bytes of a thread's copies
//   [2] alignment; we put the address of the memory there
//   [3] -1: the memory is ours         [4] the next array, or 0; we put those of outer groups
//                                      behind
//   [5] ours: 1 in the first array of a group     [6] ours: end of the memory
//   [7 + 3i] address of variable i, [8 + 3i] its offset in a thread's copies, [9 + 3i] ours, unused

#include <cstdlib>
#include <cstring>

#include "omp/run/task_reduction.hpp"
#include "omp/run/taskgroup.hpp"
#include "omp/team/team.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::omp {
namespace {

struct array_view {
  std::uintptr_t* a;

  std::size_t count() const noexcept { return a[0]; }
  std::size_t stride() const noexcept { return a[1]; }
  char* memory() const noexcept { return reinterpret_cast<char*>(a[2]); }
  std::uintptr_t* next() const noexcept { return reinterpret_cast<std::uintptr_t*>(a[4]); }
  void* address(std::size_t i) const noexcept { return reinterpret_cast<void*>(a[7 + 3 * i]); }
  std::size_t offset(std::size_t i) const noexcept { return a[8 + 3 * i]; }

  /// The offset of the variable that an address means, its own or a copy's. False: none here.
  bool find(const void* p, std::size_t& at) const noexcept {
    for (std::size_t i = 0; i != count(); ++i) {
      if (address(i) != p) continue;
      at = offset(i);
      return true;
    }
    const auto word = reinterpret_cast<std::uintptr_t>(p);
    if (word < a[2] || word >= a[6]) return false;
    KASURI_EXPECT(cheap, stride() != 0 && (a[6] - a[2]) % stride() == 0,
                  "copies of %zu bytes in %zu", stride(), static_cast<std::size_t>(a[6] - a[2]));
    at = (word - a[2]) % stride();
    return true;
  }

  void* original(std::size_t at) const noexcept {
    for (std::size_t i = 0; i != count(); ++i)
      if (offset(i) == at) return address(i);
    return nullptr;
  }
};

/// Puts the arrays of outer groups behind the group's own.
void enter(taskgroup& g, std::uintptr_t* array) noexcept {
  KASURI_EXPECT(cheap, array != g.gcc_reductions, "the reductions %p are in the group already",
                static_cast<void*>(array));
  std::uintptr_t* last = array;
  last[5] = 1;
  while (last[4] != 0) {
    last = array_view{last}.next();
    last[5] = 0;
  }
  last[4] = reinterpret_cast<std::uintptr_t>(g.gcc_reductions);
  g.gcc_reductions = array;
}

}  // namespace

void register_reductions(taskgroup& g, std::uintptr_t* array, int threads) noexcept {
  KASURI_EXPECT(cheap, threads > 0, "%d threads", threads);
  for (std::uintptr_t* a = array; a != nullptr; a = array_view{a}.next()) {
    const std::size_t bytes = a[1] * static_cast<std::size_t>(threads);
    const std::size_t align = a[2] < 64 ? 64 : a[2];
    void* const memory = std::aligned_alloc(align, (bytes + align - 1) / align * align);
    if (memory == nullptr)
      platform::fatal("no memory for %zu bytes of private copies of reductions", bytes);
    std::memset(memory, 0, bytes);
    a[2] = reinterpret_cast<std::uintptr_t>(memory);
    a[6] = a[2] + bytes;
  }
  enter(g, array);
}

void share_reductions(taskgroup& g, std::uintptr_t* array,
                      const std::uintptr_t* registered) noexcept {
  for (std::uintptr_t* a = array; a != nullptr; a = array_view{a}.next()) {
    KASURI_EXPECT(cheap, registered != nullptr && registered[0] == a[0] && registered[1] == a[1],
                  "%zu reductions, others were registered", static_cast<std::size_t>(a[0]));
    a[2] = registered[2];
    a[6] = registered[6];
    registered = reinterpret_cast<const std::uintptr_t*>(registered[4]);
  }
  enter(g, array);
}

void unregister_reductions(std::uintptr_t* array) noexcept {
  do {
    std::free(array_view{array}.memory());
    array = array_view{array}.next();
  } while (array != nullptr && array[5] == 0);
}

void remap_reductions(const member& m, std::size_t count, std::size_t originals,
                      void** addresses) noexcept {
  const taskgroup* const g = m.current->group;
  std::uintptr_t* const first = g != nullptr ? g->gcc_reductions : nullptr;
  for (std::size_t i = 0; i != count; ++i) {
    std::size_t at = 0;
    array_view v{first};
    while (v.a != nullptr && !v.find(addresses[i], at)) v.a = v.next();
    if (v.a == nullptr)
      platform::fatal(
          "in_reduction: no enclosing construct has a task reduction of the variable at "
          "%p",
          addresses[i]);
    addresses[i] = v.memory() + static_cast<std::size_t>(m.number) * v.stride() + at;
    KASURI_EXPECT(cheap, reinterpret_cast<std::uintptr_t>(addresses[i]) < v.a[6],
                  "member %d of %d has no copy: %p, the last ends at %#lx", m.number, m.in->size,
                  addresses[i], v.a[6]);
    if (i < originals) addresses[count + i] = v.original(at);
  }
}

}  // namespace kasuri::omp
