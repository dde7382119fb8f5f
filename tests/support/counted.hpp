// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace kasuri::test {

/// Counts how many of it are alive, in a counter of the test.
struct counted {
  explicit counted(std::atomic<int>& n) : n_(&n) { ++*n_; }
  counted(const counted& o) : n_(o.n_) { ++*n_; }
  counted& operator=(const counted&) = delete;
  ~counted() { --*n_; }
  std::atomic<int>* n_;
};

}  // namespace kasuri::test
