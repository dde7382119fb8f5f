// SPDX-License-Identifier: Apache-2.0
// Which limit a refusal of address space is blamed on.

#include "platform/memory/mapping_limit.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "platform/memory/memory.hpp"

namespace kasuri::platform {
namespace {

std::size_t address_space_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * page_size();
}

/// What is said of a refusal of `bytes` while the limit of address space leaves `left`; nothing
/// where the system takes the limit and keeps none, as qemu's user mode does.
std::optional<std::string> said_of(std::size_t bytes, std::size_t left) {
  rlimit before{};
  EXPECT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = address_space_in_use() + left;
  EXPECT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  const bool is_kept = address_space_limit() == tight.rlim_cur;
  char line[256];
  say_limit_met(line, sizeof line, bytes);
  setrlimit(RLIMIT_AS, &before);
  if (!is_kept) return std::nullopt;
  return line;
}

void expect_said(std::size_t bytes, std::size_t left, std::string_view first_words) {
  const auto said = said_of(bytes, left);
  if (!said) GTEST_SKIP() << "the system keeps no limit of address space";
  EXPECT_TRUE(said->starts_with(first_words)) << *said;
}

constexpr std::size_t stack_bytes = std::size_t{1} << 20;

TEST(mapping_limit, names_the_limit_of_address_space_that_leaves_less) {
  expect_said(stack_bytes, stack_bytes / 2, "ulimit -v allows");
}

TEST(mapping_limit, names_it_too_where_a_stack_has_room_and_its_guard_page_has_none) {
  expect_said(stack_bytes, stack_bytes + page_size() / 2, "ulimit -v allows");
}

TEST(mapping_limit, does_not_name_it_where_there_is_room_enough) {
  expect_said(stack_bytes, 4 * stack_bytes, "the system refuses more memory");
}

}  // namespace
}  // namespace kasuri::platform
