// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reductions in which tasks take part: task_reduction of a taskgroup, reduction(task, ...) of a
// parallel or worksharing construct, reduction of a taskloop. Each thread of the team has a private
// copy of each variable, which the tasks that it runs use.
//
// GCC's code makes, initialises and combines the copies itself; the runtime gives it the memory and
// finds the copy for an address. Clang's code leaves all that to the runtime.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "omp/team/member.hpp"

namespace kasuri::omp {

struct taskgroup;

// ---- GCC ----------------------------------------------------------------------------------------

/// Gives each of `threads` threads memory for the copies that the array describes, and makes the
/// group know it.
void register_reductions(taskgroup& g, std::uintptr_t* array, int threads) noexcept;

/// The same for a member that shares the memory that another one has registered for its own array.
void share_reductions(taskgroup& g, std::uintptr_t* array,
                      const std::uintptr_t* registered) noexcept;

/// Frees the memory.
void unregister_reductions(std::uintptr_t* array) noexcept;

/// Replaces the addresses of variables, or of anybody's copies of them, by those of m's copies;
/// behind the first `count` come the variables' own addresses for the first `originals`.
void remap_reductions(const member& m, std::size_t count, std::size_t originals,
                      void** addresses) noexcept;

// ---- Clang --------------------------------------------------------------------------------------

/// A variable to reduce, as Clang's code describes it; `original` is missing in the older form.
struct reduction_input {
  void* shared;
  void* original;
  std::size_t bytes;
  void* init;  // void(copy), or void(copy, original) in the newer form; null: zeros
  void (*finish)(void* copy);
  void (*combine)(void* into, void* copy);
  unsigned flags;
};

/// Adds reductions to m's innermost group.
void begin_reductions(member& m, int count, const reduction_input* inputs,
                      bool two_arguments) noexcept;

/// Begins a group whose reductions are those of the construct, 0 parallel or 1 worksharing, that
/// all members of the team take part in.
void begin_shared_reductions(member& m, int construct, int count, const reduction_input* inputs,
                             bool two_arguments) noexcept;

/// m's copy of a variable, given its address or that of anybody's copy. Looks in `g` and groups
/// outside it; null: in m's innermost one.
void* reduction_copy(member& m, taskgroup* g, void* address) noexcept;

/// The end of a group: combines the copies, unless other members will.
void finish_reductions(member& m, taskgroup& g) noexcept;

}  // namespace kasuri::omp
