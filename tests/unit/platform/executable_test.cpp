// SPDX-License-Identifier: Apache-2.0
#include "platform/process/executable.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace kasuri::platform {
namespace {

TEST(Executable, NameIsThatOfTheProgram) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe").filename().string();
  EXPECT_EQ(program_name(), program);
}

TEST(Executable, BuildIdStandsInTheProgramsFile) {
  const auto id = build_id();
  if (id.empty()) GTEST_SKIP() << "this toolchain writes no build id";
  EXPECT_GE(id.size(), 8u);
  std::ifstream from("/proc/self/exe", std::ios::binary);
  const std::string program{std::istreambuf_iterator<char>(from), {}};
  const std::string wanted(reinterpret_cast<const char*>(id.data()), id.size());
  EXPECT_NE(program.find(wanted), std::string::npos);
}

TEST(Executable, ProcessIdIsTheSystems) {
  EXPECT_EQ(process_id(), static_cast<std::uint32_t>(::getpid()));
}

}  // namespace
}  // namespace kasuri::platform
