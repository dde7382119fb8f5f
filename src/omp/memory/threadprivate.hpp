// SPDX-License-Identifier: Apache-2.0
#pragma once

// threadprivate variables of programs that were compiled not to use thread-local storage: the
// library makes the copies. region/private_copy.hpp says which member has which.

#include <cstddef>
#include <memory>
#include <vector>

namespace kasuri::omp {

using construct_one = void* (*)(void*);
using copy_one = void* (*)(void*, void*);
using destroy_one = void (*)(void*);
using construct_many = void* (*)(void*, std::size_t);
using copy_many = void* (*)(void*, void*, std::size_t);
using destroy_many = void (*)(void*, std::size_t);

/// How copies of a variable, or of an array's elements, come and go. Null: bitwise.
struct private_functions {
  construct_one construct = nullptr;
  copy_one copy = nullptr;
  destroy_one destroy = nullptr;
  construct_many construct_all = nullptr;
  copy_many copy_all = nullptr;
  destroy_many destroy_all = nullptr;
  std::size_t count = 0;  // elements; 0: the first three count
};

void register_private(void* original, const private_functions& f) noexcept;

/// The variable still has its first value, with which copies begin that nothing constructs.
void keep_first_value(void* original, std::size_t size) noexcept;

/// All copies but those of initial threads are made anew at their next use. No region runs.
void drop_private_copies() noexcept;

/// The copies of one member.
class private_copies {
 public:
  private_copies() noexcept;
  ~private_copies();
  private_copies(const private_copies&) = delete;
  private_copies& operator=(const private_copies&) = delete;

  void* find(void* original, std::size_t size) noexcept;

  /// Whether they were made since the last drop_private_copies.
  bool are_of_today() const noexcept;

 private:
  struct entry {
    void* original;
    void* copy;
    std::size_t size;
  };
  std::vector<entry> entries_;
  unsigned age_;
};

}  // namespace kasuri::omp
