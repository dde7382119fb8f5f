// SPDX-License-Identifier: Apache-2.0
#pragma once

// The table of a task that creates dependent tasks: open addressing, linear probing.

#include <cstddef>
#include <cstdint>

#include "omp/task/dependence_node.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

struct dependence_entry {
  void* address = nullptr;
  bool used = false;
  dependence_kind kind = dependence_kind::in;  // of the set
  dependence_node* out = nullptr;              // the last out
  dependence_slot* set = nullptr;              // tasks since then, which may run side by side
  dependence_slot* previous = nullptr;  // the set of another kind before, all followed by the set
  exclusion* excludes = nullptr;
};

struct dependence_table {
  dependence_entry* entries = nullptr;
  std::size_t capacity = 0;  // a power of two
  std::size_t used = 0;
  dependence_node* all = nullptr;  // the last task that depended on all memory

  dependence_table() = default;
  dependence_table(const dependence_table&) = delete;
  dependence_table& operator=(const dependence_table&) = delete;
  ~dependence_table();

  /// The entry of an address, a new one if need be. Others may move.
  dependence_entry& entry(void* address) noexcept;

  /// Makes n wait for what the entry says, for a dependence of that kind.
  void wait_in(dependence_node& n, dependence_entry& e, dependence_kind kind) noexcept;

  /// The same and enters it as its slot'th dependence, for those to come.
  void enter(dependence_node& n, std::uint16_t slot, const dependence& d) noexcept;

  /// Forgets all tasks and addresses; keeps its memory if that is not much.
  void reset() noexcept;

  /// Makes n wait for all.
  void wait_for_all(dependence_node& n) noexcept;
  void enter_all(dependence_node& n) noexcept;

  /// The invariants of the table and of each of its entries, in the trees that run them. The
  /// executor's, between two tasks that it creates.
  void check() const noexcept;

 private:
  /// All that the entry names is named, and the older sets are there only below newer ones.
  static void expect_entry(const dependence_entry& e) noexcept;
  void forget() noexcept;
  dependence_entry& probe(void* address) noexcept;
  void make_room() noexcept;
  void name(dependence_node*& where, dependence_node* n) noexcept;
  void clear(dependence_entry& e) noexcept;
};

inline void dependence_table::expect_entry(const dependence_entry& e) noexcept {
  KASURI_EXPECT(cheap, e.previous == nullptr || (e.set != nullptr && e.out == nullptr),
                "address %p: out %p, set %p, the set before %p", e.address,
                static_cast<void*>(e.out), static_cast<void*>(e.set),
                static_cast<void*>(e.previous));
  KASURI_EXPECT(cheap, e.out == nullptr || e.out->named != 0, "address %p: its out %p has no name",
                e.address, static_cast<void*>(e.out));
}

inline void dependence_table::check() const noexcept {
  if constexpr (platform::expectations < platform::expect_level::all) return;
  std::size_t count = 0;
  for (std::size_t i = 0; i != capacity; ++i) {
    const dependence_entry& e = entries[i];
    if (!e.used) continue;
    ++count;
    expect_entry(e);
    for (const dependence_slot* set : {e.set, e.previous})
      for (; set != nullptr; set = set->next)
        KASURI_EXPECT(all, set->of->named != 0, "address %p: node %p of a set has no name",
                      e.address, static_cast<void*>(set->of));
  }
  KASURI_EXPECT(all, count == used, "%zu of %zu entries are in use, %zu were counted", count,
                capacity, used);
  KASURI_EXPECT(all, all == nullptr || all->named != 0, "node %p of all memory has no name",
                static_cast<void*>(all));
}

}  // namespace kasuri::omp
