// SPDX-License-Identifier: Apache-2.0
#include "platform/base/placed_file.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string>

namespace kasuri::platform {
namespace {

TEST(PlacedFile, IsWrittenAtAnyPlaceAndReadBack) {
  const std::string path = testing::TempDir() + "kasuri-placed-" + std::to_string(::getpid());
  {
    placed_file out;
    ASSERT_TRUE(out.create(path + "-new", 10, path));
    placed_file other;
    ASSERT_TRUE(other.open_to_write(path + "-new", 10));
    EXPECT_TRUE(other.write("world", 5, 5));
    EXPECT_TRUE(out.write("hello", 5, 0));
    EXPECT_TRUE(out.make_durable() && out.close() && other.close());
  }
  EXPECT_TRUE(may_be_file(path));
  ASSERT_TRUE(rename_file(path + "-new", path) && make_name_durable(path));
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

/// Also while it is written nobody else may read what is private.
TEST(PlacedFile, HasThePermissionsOfTheOneThatItReplaces) {
  const std::string path = testing::TempDir() + "kasuri-modes-" + std::to_string(::getpid());
  const auto mode_of = [](const std::string& name) {
    struct stat about;
    return ::stat(name.c_str(), &about) == 0 ? about.st_mode & 07777 : 0;
  };
  for (const mode_t mode : {0600, 0640, 0444, 0606}) {
    remove_file(path);
    placed_file old;
    ASSERT_TRUE(old.create(path, 1, path));
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    placed_file made;
    ASSERT_TRUE(made.create(path + "-new", 2, path));
    EXPECT_EQ(mode_of(path + "-new") & ~(mode | 0600), 0U);
    ASSERT_TRUE(rename_file(path + "-new", path));
    EXPECT_EQ(mode_of(path), mode);
  }
  // A link says nothing about it.
  remove_file(path);
  ASSERT_EQ(::symlink("/dev/null", path.c_str()), 0);
  placed_file made;
  ASSERT_TRUE(made.create(path + "-new", 2, path) && rename_file(path + "-new", path));
  EXPECT_EQ(mode_of(path) & 0600, 0600U);
  remove_file(path);
}

TEST(PlacedFile, IsNotMadeWhereOneIsOrHasNoRoom) {
  const std::string path = testing::TempDir() + "kasuri-there-" + std::to_string(::getpid());
  placed_file f;
  ASSERT_TRUE(f.create(path, 1, path));
  placed_file again;
  EXPECT_FALSE(again.create(path, 1, path));
  EXPECT_EQ(errno, EEXIST);
  remove_file(path);
  EXPECT_FALSE(again.create(path, std::uint64_t{1} << 63, path));
  EXPECT_FALSE(again.open_to_write(path, 1));
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
