// SPDX-License-Identifier: Apache-2.0
// Thread-locals that are lent.

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "context/identity.hpp"
#include "support/scale.hpp"

namespace kasuri::context {
namespace {

void* no_face() { return nullptr; }

// A donor that is set aside right behind its announcement comes back when its errno is another's.
TEST(identity, the_donor_leaves_errno_alone) {
  if (test::sanitized) GTEST_SKIP() << "sanitizers see no change of the thread pointer";
  std::vector<identity*> taken;
  for (int i = 0; i != 400; ++i) {
    identity* const one = try_take_identity(no_face);
    ASSERT_NE(one, nullptr);
    *one->error = i + 1;
    taken.push_back(one);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  for (int i = 0; i != 400; ++i) EXPECT_EQ(*taken[static_cast<std::size_t>(i)]->error, i + 1);
  for (identity* const one : taken) give_identity(one);
}

}  // namespace
}  // namespace kasuri::context
