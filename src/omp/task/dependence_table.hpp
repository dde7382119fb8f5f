// SPDX-License-Identifier: Apache-2.0
#pragma once

// The table of a task that creates dependent tasks: open addressing, linear probing.

#include <cstddef>
#include <cstdint>

#include "omp/task/dependence_node.hpp"

namespace kasuri::omp {

struct dependence_entry {
  void* address = nullptr;
  bool used = false;
  dependence_kind kind = dependence_kind::in;  // of the set
  dependence_node* out = nullptr;              // the last out
  dependence_slot* set = nullptr;              // those since, which may run side by side
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

 private:
  void forget() noexcept;
  dependence_entry& probe(void* address) noexcept;
  void make_room() noexcept;
  void name(dependence_node*& where, dependence_node* n) noexcept;
  void clear(dependence_entry& e) noexcept;
};

}  // namespace kasuri::omp
