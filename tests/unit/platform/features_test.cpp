// SPDX-License-Identifier: Apache-2.0
#include "platform/cpu/features.hpp"

#include <gtest/gtest.h>

namespace kasuri::platform {
namespace {

// What a machine has differs; that the answer is the same twice and a known word does not.
TEST(features, are_steady) {
  const features first = probe_features();
  const features second = probe_features();
  EXPECT_EQ(first.membarrier, second.membarrier);
  EXPECT_EQ(first.fsgsbase, second.fsgsbase);
  EXPECT_EQ(first.guard_install, second.guard_install);
  EXPECT_TRUE(first.huge_pages == "always" || first.huge_pages == "madvise" ||
              first.huge_pages == "never" || first.huge_pages == "none")
      << first.huge_pages;
}

}  // namespace
}  // namespace kasuri::platform
