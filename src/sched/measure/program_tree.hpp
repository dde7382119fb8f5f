// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tree of forks of all that has ended and that no measured code waits for, in the order of the
// ends.

#include <mutex>
#include <utility>

#include "sched/measure/fork_tree.hpp"

namespace kasuri::sched {

class program_tree {
 public:
  static program_tree& get() noexcept;

  void append(fork_chain chain) noexcept {
    if (chain.all().work == 0) return;
    const std::lock_guard hold(lock_);
    chain_.append(std::move(chain));
  }

  /// Calls see(chain), closed.
  template <class See>
  void look(See see) {
    const std::lock_guard hold(lock_);
    chain_.close();
    see(chain_);
  }

  /// In the child of a fork.
  void begin_anew() noexcept;

 private:
  std::mutex lock_;
  fork_chain chain_;
};

}  // namespace kasuri::sched
