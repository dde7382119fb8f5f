// SPDX-License-Identifier: Apache-2.0
// Which limit a refusal of address space is blamed on.

#include "platform/memory/mapping_limit.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstddef>
#include <fstream>
#include <string>

#include "platform/memory/memory.hpp"

namespace kasuri::platform {
namespace {

std::size_t address_space_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * page_size();
}

/// What is said of a refusal of `bytes` while the limit of address space leaves `left`.
std::string said_of(std::size_t bytes, std::size_t left) {
  rlimit before{};
  if (getrlimit(RLIMIT_AS, &before) != 0) return "no limit to be read";
  rlimit tight = before;
  tight.rlim_cur = address_space_in_use() + left;
  if (setrlimit(RLIMIT_AS, &tight) != 0) return "no limit to be set";
  char line[256];
  say_limit_met(line, sizeof line, bytes);
  setrlimit(RLIMIT_AS, &before);
  return line;
}

constexpr std::size_t stack_bytes = std::size_t{1} << 20;

TEST(mapping_limit, names_the_limit_of_address_space_that_leaves_less) {
  EXPECT_EQ(said_of(stack_bytes, stack_bytes / 2).find("ulimit -v allows"), 0U);
}

TEST(mapping_limit, names_it_too_where_a_stack_has_room_and_its_guard_page_has_none) {
  EXPECT_EQ(said_of(stack_bytes, stack_bytes + page_size() / 2).find("ulimit -v allows"), 0U);
}

TEST(mapping_limit, does_not_name_it_where_there_is_room_enough) {
  EXPECT_EQ(said_of(stack_bytes, 4 * stack_bytes).find("the system refuses more memory"), 0U);
}

}  // namespace
}  // namespace kasuri::platform
