// SPDX-License-Identifier: Apache-2.0
#include "platform/base/placed_file.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

namespace kasuri::platform {
namespace {

TEST(PlacedFile, IsWrittenAtAnyPlaceAndReadBack) {
  const std::string path = testing::TempDir() + "kasuri-placed-" + std::to_string(::getpid());
  {
    placed_file out;
    ASSERT_TRUE(out.create(path + "-new", 10));
    placed_file other;
    ASSERT_TRUE(other.open_to_write(path + "-new", 10));
    EXPECT_TRUE(other.write("world", 5, 5));
    EXPECT_TRUE(out.write("hello", 5, 0));
    EXPECT_TRUE(out.make_durable() && out.close() && other.close());
  }
  EXPECT_TRUE(may_be_file(path));
  ASSERT_TRUE(rename_durably(path + "-new", path));
  EXPECT_TRUE(may_be_file(path));
  placed_file in;
  ASSERT_TRUE(in.open_to_read(path));
  EXPECT_EQ(in.bytes(), 10U);
  std::array<char, 10> all{};
  EXPECT_TRUE(in.read(all.data(), 6, 4));
  EXPECT_EQ(std::string(all.data(), 6), "oworld");
  EXPECT_FALSE(in.read(all.data(), 6, 5));
  EXPECT_EQ(errno, ENODATA);
  remove_file(path);
  EXPECT_FALSE(in.open_to_read(path));
  EXPECT_EQ(errno, ENOENT);
}

TEST(PlacedFile, WhatIsNoFileIsRefused) {
  placed_file f;
  EXPECT_FALSE(f.open_to_read("/dev/null"));
  EXPECT_EQ(errno, EINVAL);
  EXPECT_FALSE(may_be_file("/dev/null"));
  EXPECT_EQ(errno, EEXIST);
  EXPECT_FALSE(may_be_file(testing::TempDir()));
  ASSERT_FALSE(f.open_to_write(testing::TempDir() + "kasuri/no/such/folder", 1));
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace kasuri::platform
