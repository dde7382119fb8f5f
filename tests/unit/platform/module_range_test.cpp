// SPDX-License-Identifier: Apache-2.0
#include "platform/process/module_range.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

namespace kasuri::platform {
namespace {

int here() { return 1; }
int of_this_module = 1;

TEST(ModuleRange, HoldsCodeAndDataOfOneModule) {
  const module_range mine = module_range_of(reinterpret_cast<const void*>(&here));
  EXPECT_FALSE(mine.empty());
  EXPECT_TRUE(mine.holds(reinterpret_cast<const void*>(&here)));
  EXPECT_TRUE(mine.holds(&of_this_module));
  EXPECT_EQ(mine.begin, module_range_of(&of_this_module).begin);
}

TEST(ModuleRange, NoneHoldsTheHeapOrNull) {
  const auto block = std::make_unique<char[]>(std::size_t{1} << 20);
  EXPECT_TRUE(module_range_of(block.get()).empty());
  EXPECT_TRUE(module_range_of(nullptr).empty());
  EXPECT_FALSE(module_range{}.holds(nullptr));
}

}  // namespace
}  // namespace kasuri::platform
