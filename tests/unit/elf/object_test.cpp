// SPDX-License-Identifier: Apache-2.0
// What is read of good files, and that of bad ones nothing comes but a line.
#include "elf/object.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

#include "support/scale.hpp"

namespace kasuri::elf {
namespace {

const std::string shape = KASURI_ELF_FIXTURES "/far/libshape.so.1";
const std::string middle = KASURI_ELF_FIXTURES "/near/libmiddle.so";
const std::string program = KASURI_ELF_FIXTURES "/elf_by_runpath";

const symbol* find(const std::vector<symbol>& list, const std::string& name,
                   const std::string& node) {
  const auto found = std::ranges::find_if(
      list, [&](const symbol& each) { return each.name == name && each.node == node; });
  return found == list.end() ? nullptr : &*found;
}

TEST(Object, ExportsHaveTheirVersions) {
  const object read = read_object(shape);
  EXPECT_EQ(read.soname, "libshape.so.1");
  EXPECT_FALSE(read.is_program);
  EXPECT_NE(find(read.exports, "shape_area", "SHAPE_1.0"), nullptr);
  EXPECT_NE(find(read.exports, "shape_area", "SHAPE_2.0"), nullptr);
  EXPECT_EQ(read.nodes, (std::vector<std::string>{"SHAPE_1.0", "SHAPE_2.0"}));
  EXPECT_EQ(find(read.exports, "SHAPE_1.0", "SHAPE_1.0"), nullptr);
}

TEST(Object, ImportsNameVersionAndFile) {
  const object read = read_object(middle);
  const symbol* area = find(read.imports, "shape_area", "SHAPE_2.0");
  ASSERT_NE(area, nullptr);
  EXPECT_EQ(area->from, "libshape.so.1");
  EXPECT_FALSE(area->weak);
  const symbol* hook = find(read.imports, "shape_hook", "");
  ASSERT_NE(hook, nullptr);
  EXPECT_TRUE(hook->weak);
  EXPECT_NE(std::ranges::find(read.needed, "libshape.so.1"), read.needed.end());
}

TEST(Object, ProgramsHaveSearchPaths) {
  const object by_runpath = read_object(program);
  EXPECT_TRUE(by_runpath.is_program);
  EXPECT_TRUE(by_runpath.has_runpath);
  EXPECT_EQ(by_runpath.runpath, "$ORIGIN/near:$ORIGIN/far");
  const object by_rpath = read_object(KASURI_ELF_FIXTURES "/elf_by_rpath");
  EXPECT_FALSE(by_rpath.has_runpath);
  EXPECT_EQ(by_rpath.rpath, "$ORIGIN/near:$ORIGIN/far");
}

TEST(Object, TheFullSymbolTableIsSearched) {
  EXPECT_EQ(read_object(program, {"main", "shape_area", "nothing"}).linked_in,
            std::vector<std::string>{"main"});
}

TEST(Object, WhatIsNoObjectIsToldInWords) {
  const auto complaint = [](const std::string& path) {
    try {
      read_object(path);
    } catch (const damaged& problem) {
      return std::string(problem.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(complaint("/"), "is no regular file");
  EXPECT_EQ(complaint("/dev/null"), "is no regular file");
  EXPECT_EQ(complaint("/nonexistent"), "No such file or directory");
  EXPECT_EQ(complaint("/etc/passwd"), "is no ELF file; accepted: programs and shared libraries");
}

std::vector<std::byte> content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<std::byte> all;
  for (std::istreambuf_iterator<char> each(in), end; each != end; ++each) {
    all.push_back(static_cast<std::byte>(*each));
  }
  return all;
}

// Whether it could be read; anything but an object or `damaged` fails the test by itself. Bytes in
// a block of their own, so that AddressSanitizer sees every step outside.
bool can_be_read(const std::vector<std::byte>& file) {
  const std::vector<std::byte> copy(file);
  try {
    read_object(bytes(copy), {"main"});
    return true;
  } catch (const damaged& problem) {
    EXPECT_EQ(std::string(problem.what()).find('\n'), std::string::npos);
    return false;
  }
}

TEST(Object, EveryShorterFileIsReadOrRefused) {
  std::vector<std::byte> file = content(middle);
  ASSERT_TRUE(can_be_read(file));
  const std::size_t step = std::max<std::size_t>(1, file.size() / test::scaled(2000));
  int refused = 0;
  while (file.size() > step) {
    file.resize(file.size() - step);
    refused += can_be_read(file) ? 0 : 1;
  }
  EXPECT_GT(refused, 0);
}

TEST(Object, RandomDamageIsReadOrRefused) {
  std::mt19937 random(3);
  int refused = 0;
  for (const std::string& path : {shape, middle, program}) {
    const std::vector<std::byte> good = content(path);
    const std::size_t tables = good.size() / 4;  // headers and tables lie in front
    for (int i = 0; i < test::scaled(3000); ++i) {
      std::vector<std::byte> bad = good;
      for (unsigned n = 1 + random() % 4; n != 0; --n) {
        const std::size_t range = random() % 2 != 0 ? 1024 : tables;
        constexpr std::byte values[] = {std::byte{0}, std::byte{1}, std::byte{0x7f},
                                        std::byte{0xff}};
        bad[random() % range] = random() % 2 != 0 ? values[random() % 4] : std::byte(random());
      }
      refused += can_be_read(bad) ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace kasuri::elf
