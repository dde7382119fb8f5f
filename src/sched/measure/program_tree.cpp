// SPDX-License-Identifier: Apache-2.0
#include "sched/measure/program_tree.hpp"

#include <new>

namespace kasuri::sched {

program_tree& program_tree::get() noexcept {
  // Never destroyed: tasks may end when static destructors run.
  static program_tree* const tree = new program_tree;
  return *tree;
}

void program_tree::begin_anew() noexcept {
  // A thread of the parent may have held the lock, or have been about the chain, which is left.
  new (this) program_tree;
}

}  // namespace kasuri::sched
