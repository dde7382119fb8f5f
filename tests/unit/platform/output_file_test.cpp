// SPDX-License-Identifier: Apache-2.0
#include "platform/process/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace kasuri::platform {
namespace {

using enum output_file::open_result;

class OutputFile : public testing::Test {
 protected:
  OutputFile() { std::filesystem::create_directories(folder_); }
  ~OutputFile() override { std::filesystem::remove_all(folder_); }

  std::string path(const char* name) const { return folder_ / name; }

  static bool append(output_file& to, std::string text) {
    const iovec piece{text.data(), text.size()};
    return to.append({&piece, 1});
  }

  static std::string contents(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

 private:
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("kasuri-output-" + std::to_string(::getpid()));
};

TEST_F(OutputFile, HoldsWhatWasAppended) {
  output_file file;
  EXPECT_FALSE(file.is_open());
  ASSERT_EQ(file.open(path("a")), opened);
  EXPECT_TRUE(append(file, "one "));
  EXPECT_TRUE(append(file, "two"));
  EXPECT_EQ(file.size(), 7u);
  EXPECT_EQ(contents(path("a")), "one two");
}

TEST_F(OutputFile, OpeningEmptiesAnOldFile) {
  std::ofstream(path("a")) << "something longer";
  output_file file;
  ASSERT_EQ(file.open(path("a")), opened);
  EXPECT_TRUE(append(file, "new"));
  EXPECT_EQ(contents(path("a")), "new");
}

TEST_F(OutputFile, HasOneWriter) {
  output_file first;
  output_file second;
  ASSERT_EQ(first.open(path("a")), opened);
  EXPECT_TRUE(append(first, "mine"));
  EXPECT_EQ(second.open(path("a")), in_use);
  EXPECT_EQ(contents(path("a")), "mine");
  first.close();
  EXPECT_EQ(second.open(path("a")), opened);
}

TEST_F(OutputFile, SaysWhyItCannotOpen) {
  output_file file;
  EXPECT_EQ(file.open(path("no/such")), failed);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(file.open(path("")), failed);
  EXPECT_EQ(errno, EISDIR);
}

TEST_F(OutputFile, APipeIsRefusedAtOnce) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  output_file file;
  EXPECT_EQ(file.open(path("pipe")), failed);
  EXPECT_EQ(errno, ENXIO);
}

TEST_F(OutputFile, AFailedWriteSaysWhy) {
  output_file file;
  ASSERT_EQ(file.open("/dev/full"), opened);
  EXPECT_FALSE(append(file, "text"));
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_EQ(file.size(), 0u);
}

}  // namespace
}  // namespace kasuri::platform
