// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/wire/modules.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "cluster/sched/wire/exception_text.hpp"

namespace kasuri::cluster {
namespace {

const int a_constant = 5;

TEST(Modules, AddressesComeBack) {
  EXPECT_EQ(local_address(portable_address(&a_constant)), &a_constant);
  const auto code = reinterpret_cast<const void*>(&std::abort);  // of another module
  EXPECT_EQ(local_address(portable_address(code)), code);
}

TEST(Modules, AddressesAreOfTheirModule) {
  const std::uint64_t number = portable_address(&a_constant);
  EXPECT_EQ(static_cast<std::uint32_t>(number >> 32), program_number());
  EXPECT_NE(portable_address(reinterpret_cast<const void*>(&std::abort)) >> 32, number >> 32);
}

TEST(ModulesDeathTest, OtherBuildsAreNamed) {
  EXPECT_DEATH(local_address(std::uint64_t{0x12345678} << 32),
               "module 12345678, which this process has not loaded; accepted: the same build");
}

TEST(ExceptionText, TypeAndTextComeBack) {
  std::array<std::byte, 200> room;
  std::string type, text;
  try {
    throw std::out_of_range("no such row");
  } catch (...) {
    read_exception(room.data(), write_exception(room), type, text);
  }
  EXPECT_EQ(type, "std::out_of_range");
  EXPECT_EQ(text, "no such row");
  try {
    throw 5;
  } catch (...) {
    read_exception(room.data(), write_exception(room), type, text);
  }
  EXPECT_EQ(type, "int");
  EXPECT_EQ(text, "");
}

TEST(ExceptionText, LongTextsAreCut) {
  std::array<std::byte, 64> room;
  std::string type, text;
  try {
    throw std::runtime_error(std::string(1000, 'x'));
  } catch (...) {
    const std::uint32_t used = write_exception(room);
    EXPECT_LE(used, room.size());
    read_exception(room.data(), used, type, text);
  }
  EXPECT_EQ(type, "std::runtime_error");
  EXPECT_EQ(text, std::string(64 - 19 - 1, 'x'));
}

}  // namespace
}  // namespace kasuri::cluster
