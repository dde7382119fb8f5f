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

/// Runs `body` in a process with such a pool, which records, and `look` when the pool has ended.
template <class Body, class Look>
void in_recording_child(const options& pool, Body body, Look look) {
  EXPECT_EXIT(
      {
        static_cast<void>(profile::prepare_samples());
        profile::recording.store(true, std::memory_order_relaxed);
        initialize(pool);
        body();
        finalize();
        look();
        _exit(all_right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

/// The same for each of several pools.
class recorded_child : public testing::TestWithParam<setup> {
 protected:
  template <class Body, class Look>
  static void in_child(Body body, Look look) {
    const auto [workers, policy] = GetParam();
    in_recording_child({.workers = workers, .scheduling = policy}, body, look);
  }
};

}  // namespace kasuri::test
