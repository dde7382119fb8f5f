// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tests of what is recorded: each in a process of its own, for a worker records from its making on,
// or never.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <kasuri/kasuri.hpp>
#include <tuple>

#include "profile/base/active.hpp"
#include "profile/thread/sampler.hpp"

namespace kasuri::test {

inline bool all_right = true;

inline void expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "not so: %s\n", what);
  all_right = false;
}

#define KASURI_TEST_EXPECT(condition) expect(condition, #condition)

/// Workers, policy.
using setup = std::tuple<int, const char*>;

/// Runs `body` in a process with a pool that records, and `look` when the pool has ended.
class recorded_child : public testing::TestWithParam<setup> {
 protected:
  template <class Body, class Look>
  static void in_child(Body body, Look look) {
    const auto [workers, policy] = GetParam();
    EXPECT_EXIT(
        {
          static_cast<void>(profile::prepare_samples());
          profile::recording.store(true, std::memory_order_relaxed);
          initialize({.workers = workers, .scheduling = policy});
          body();
          finalize();
          look();
          _exit(all_right ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
  }
};

}  // namespace kasuri::test
