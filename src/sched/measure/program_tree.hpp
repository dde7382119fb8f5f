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
    if (fork_chain others = take_beside(); others.all().work != 0)
      chain.run_beside(std::move(others), 0);
    chain_.append(std::move(chain));
  }

  /// A part of which is not known what it is a part of: it ran beside what is appended next.
  void add_beside(const fork_sums& part) noexcept {
    const std::lock_guard hold(lock_);
    beside_.join(part);
  }

  /// Calls see(chain), closed.
  template <class See>
  void look(See see) {
    const std::lock_guard hold(lock_);
    chain_.append(take_beside());
    chain_.close();
    see(chain_);
  }

  /// In the child of a fork.
  void begin_anew() noexcept;

 private:
  fork_chain take_beside() noexcept {
    fork_chain c;
    if (beside_.work != 0) c.add(std::exchange(beside_, {}));
    return c;
  }

  std::mutex lock_;
  fork_chain chain_;
  fork_sums beside_;
};

}  // namespace kasuri::sched
