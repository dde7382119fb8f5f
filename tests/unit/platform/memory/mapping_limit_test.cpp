// SPDX-License-Identifier: Apache-2.0
// Which limit a refusal of address space is blamed on.

#include "platform/memory/mapping_limit.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>

#include "platform/memory/memory.hpp"

namespace kasuri::platform {
namespace {

std::size_t address_space_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * page_size();
}

/// Sets the limit of address space, and takes it back at the end of a test.
class mapping_limit : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(getrlimit(RLIMIT_AS, &before_), 0); }
  void TearDown() override { setrlimit(RLIMIT_AS, &before_); }

  /// What is said of a refusal of `bytes` while the limit of address space leaves `left`; nothing
  /// where the system takes the limit and keeps none, as qemu's user mode does.
  std::optional<std::string> said_of(std::size_t bytes, std::size_t left) {
    rlimit tight = before_;
    tight.rlim_cur = address_space_in_use() + left;
    EXPECT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
    if (address_space_limit() != tight.rlim_cur) return std::nullopt;
    char line[256];
    say_limit_met(line, sizeof line, bytes);
    setrlimit(RLIMIT_AS, &before_);
    return line;
  }

 private:
  rlimit before_{};
};

constexpr std::size_t stack_bytes = std::size_t{1} << 20;

TEST_F(mapping_limit, names_the_limit_of_address_space_that_leaves_less) {
  const auto said = said_of(stack_bytes, stack_bytes / 2);
  if (!said) GTEST_SKIP() << "the system keeps no limit of address space";
  EXPECT_TRUE(said->starts_with("ulimit -v allows")) << *said;
}

TEST_F(mapping_limit, names_it_too_where_a_stack_has_room_and_its_guard_page_has_none) {
  const auto said = said_of(stack_bytes, stack_bytes + page_size() / 2);
  if (!said) GTEST_SKIP() << "the system keeps no limit of address space";
  EXPECT_TRUE(said->starts_with("ulimit -v allows")) << *said;
}

TEST_F(mapping_limit, does_not_name_it_where_there_is_room_enough) {
  const auto said = said_of(stack_bytes, 4 * stack_bytes);
  if (!said) GTEST_SKIP() << "the system keeps no limit of address space";
  EXPECT_TRUE(said->starts_with("the system refuses more memory")) << *said;
}

}  // namespace
}  // namespace kasuri::platform
