// SPDX-License-Identifier: Apache-2.0
// Arrays written to files by all ranks of the simulated network, by the public functions.

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <cstring>
#include <numeric>
#include <string>

#include "cluster/memory/memory.hpp"
#include "cluster/simulated_memory.hpp"
#include "kasuri/global/file.hpp"
#include "kasuri/global/grid.hpp"
#include "kasuri/global/memory.hpp"
#include "kasuri/parallel.hpp"
#include "saved.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;

constexpr std::size_t sizes[] = {0, 1, 1023, 1024, 1025, 4097, 50'001};

std::string bytes_of(std::size_t n, std::uint32_t array) {
  std::string all(n * 4, '\0');
  for (std::size_t i = 0; i != n; ++i) {
    const std::uint32_t x = element(i, array);
    std::memcpy(all.data() + 4 * i, &x, 4);
  }
  return all;
}

class WriteFile : public testing::TestWithParam<int> {};

TEST_P(WriteFile, HasTheElementsOfAllRanks) {
  const file_name file("elements");
  const int ranks = GetParam();
  for (const bool cached : {true, false}) {
    memory_options how = small_memory();
    how.cached = cached;
    on_simulated_ranks(ranks, how, [&](int rank, transport& net, memory&) {
      for (int layout = 0; layout != layouts; ++layout) {
        for (const std::size_t n : sizes) {
          const auto a = array_of(n, layout, ranks);
          fill(a.view(), 7, rank, ranks);
          global::write_file(file.path(), a);
          EXPECT_EQ(content_of(file.path()), bytes_of(n, 7)) << n << " in layout " << layout;
          EXPECT_TRUE(file.unfinished().empty());
          const global::file_view<std::uint32_t> back(file.path());
          EXPECT_EQ(back.size(), n);
          EXPECT_EQ(wrong_in(back.view(), 7), 0U);
          net.barrier();  // others look at the file still
        }
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, WriteFile, testing::Values(1, 2, 3, 5));

TEST(WriteFileOf, PartsGridsObjectsAndFiles) {
  const file_name file("parts");
  const file_name copy("copy");
  on_simulated_ranks(3, small_memory(), [&](int rank, transport& net, memory&) {
    const global::vector<std::uint32_t> a(20'000);
    fill(a.view(), 1, rank, 3);
    global::write_file(file.path(), a.view().subview(333, 10'001));
    EXPECT_EQ(content_of(file.path()), bytes_of(20'000, 1).substr(4 * 333, 4 * 10'001));
    net.barrier();

    const global::grid<std::uint32_t> g(30, 333, global::cyclic(2));
    fill(g.view().all(), 2, rank, 3);
    global::write_file(file.path(), g);
    EXPECT_EQ(content_of(file.path()), bytes_of(30 * 333, 2));

    // What has been read from a file, by all ranks in equal parts.
    const global::file_view<std::uint32_t> read(file.path());
    global::write_file(copy.path(), read.view());
    EXPECT_EQ(content_of(copy.path()), bytes_of(30 * 333, 2));

    // An object, which lies at one rank.
    static global::ptr<std::uint32_t> object;
    if (rank == 1) {
      object = global::allocate<std::uint32_t>(2000);
      for (int i = 0; i != 2000; ++i)
        global::put(object + i, element(static_cast<std::size_t>(i), 3));
    }
    net.barrier();
    global::write_file(file.path(), global::view<const std::uint32_t>(object, 2000));
    EXPECT_EQ(content_of(file.path()), bytes_of(2000, 3));
    net.barrier();
  });
}

TEST(WriteFileOf, WhatIsNoGlobalMemoryIsRefused) {
  const file_name file("none");
  on_simulated_ranks(2, small_memory(), [&](int, transport&, memory&) {
    const global::vector<int> a(10);
    EXPECT_TRUE(has(said_by([&] { global::write_file(file.path(), a.view().subview(5, 6)); }),
                    "not inside one allocation"));
    EXPECT_FALSE(is_there(file.path()) || !file.unfinished().empty());
  });
}

TEST(WriteFileFails, AtAllRanksAndTheOldFileStays) {
  const file_name file("old");
  const file_name folder("folder");
  set_content(file.path(), "old");
  on_simulated_ranks(3, small_memory(), [&](int rank, transport& net, memory&) {
    const global::vector<std::uint32_t> a(20'000);
    fill(a.view(), 1, rank, 3);
    const std::string nowhere = folder.path() + "/file";
    const std::string said = said_by([&] { global::write_file(nowhere, a); });
    EXPECT_TRUE(said.starts_with("global::write_file '" + nowhere + "': rank 0 cannot create '" +
                                 nowhere + ".writing-"))
        << said;
    EXPECT_TRUE(
        said.ends_with("': No such file or directory; accepted: a folder where all ranks "
                       "can write, with room for 80000 bytes (a file of this name is as it "
                       "was)"))
        << said;
    EXPECT_EQ(said_by([&] { global::write_file("", a); }),
              "global::write_file '': the name is empty; accepted: the name of a file");
    const std::string device = said_by([&] { global::write_file("/dev/full", a); });
    EXPECT_TRUE(has(device, "rank 0 cannot replace '/dev/full'")) << device;
    net.barrier();

    rlimit before;
    ::getrlimit(RLIMIT_FSIZE, &before);
    net.barrier();
    rlimit small = before;
    small.rlim_cur = 50'000;
    ::setrlimit(RLIMIT_FSIZE, &small);
    const std::string limit = said_by([&] { global::write_file(file.path(), a); });
    net.barrier();
    ::setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_TRUE(has(limit, "': rank 0 cannot create '" + file.path() + ".writing-") &&
                has(limit, "': File too large"))
        << limit;
    EXPECT_EQ(content_of(file.path()), "old");
    EXPECT_TRUE(file.unfinished().empty());
    net.barrier();
    global::write_file(file.path(), a);  // all can go on
    EXPECT_EQ(content_of(file.path()), bytes_of(20'000, 1));
    net.barrier();
  });
  EXPECT_TRUE(is_there("/dev/full"));
}

TEST(WriteFileFails, InsideATask) {
  const file_name file("task");
  on_simulated_ranks(1, small_memory(), [&](int, transport&, memory&) {
    const global::vector<int> a(10);
    std::string said;
    kasuri::parallel_invoke([&] { said = said_by([&] { global::write_file(file.path(), a); }); },
                            [] {});
    EXPECT_TRUE(has(said, "global::write_file: used inside a task; accepted: outside of tasks"))
        << said;
  });
}

TEST(WriteFileReplaces, ALinkAndKeepsPermissions) {
  const file_name file("left");
  const file_name aim("aim");
  const file_name secret("secret");
  const std::string of_another_job = file.path() + ".writing-0000000000000001";
  set_content(of_another_job, std::string(1000, 'x'));
  set_content(aim.path(), "aim");
  set_content(secret.path(), "old");
  ASSERT_EQ(::chmod(secret.path().c_str(), 0600), 0);
  ASSERT_EQ(::symlink(aim.path().c_str(), file.path().c_str()), 0);
  on_simulated_ranks(2, small_memory(), [&](int rank, transport& net, memory&) {
    const global::vector<std::uint32_t> a(10);
    fill(a.view(), 1, rank, 2);
    global::write_file(file.path(), a);
    EXPECT_EQ(content_of(file.path()), bytes_of(10, 1));
    EXPECT_EQ(content_of(aim.path()), "aim");
    EXPECT_EQ(file.unfinished(), std::vector<std::string>{of_another_job});
    global::write_file(secret.path(), a);
    net.barrier();
  });
  EXPECT_EQ(content_of(secret.path()), bytes_of(10, 1));
  struct stat about;
  ASSERT_EQ(::stat(secret.path().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600U);
}

}  // namespace
}  // namespace kasuri::test
