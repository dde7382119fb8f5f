// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace kasuri::test {

/// How many tasks are at one place at once.
class crowd {
 public:
  /// The caller is there for some steps, without waiting for anything.
  void visit(int steps = 50) {
    const int n = now_.fetch_add(1) + 1;
    for (int most = most_; n > most && !most_.compare_exchange_weak(most, n);) {
    }
    for (int i = 0; i != steps; ++i) visits_.fetch_add(0);
    visits_.fetch_add(1);
    now_.fetch_sub(1);
  }

  int most() const { return most_; }
  int visits() const { return visits_; }

 private:
  std::atomic<int> now_{0};
  std::atomic<int> most_{0};
  std::atomic<int> visits_{0};
};

}  // namespace kasuri::test
