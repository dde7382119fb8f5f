// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/shared/shared_windows.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "cluster/transport/shared/shared.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::cluster {
namespace {

/// Windows of a job of one rank.
struct lone {
  job_file file = job_file::create(1, 0);
  shared_transport unused{job_file::create(1, 0), 0, {}};  // whose calls a message would name
  shared_ends ends{file, 0, unused};
  shared_collectives with{file, 0, ends};
  shared_windows windows{file, 0, with, ends};
};

TEST(SharedWindows, AreZeroAndApart) {
  lone l;
  std::vector<window> all;
  for (std::size_t i = 0; i != 5; ++i) {
    all.push_back(l.windows.allocate(1 + i * 5000));
    for (std::size_t b = 0; b != all[i].bytes; ++b) ASSERT_EQ(all[i].local[b], std::byte{});
    std::memset(all[i].local, static_cast<int>(i) + 1, all[i].bytes);
  }
  for (std::size_t i = 0; i != 5; ++i)
    EXPECT_EQ(all[i].local[all[i].bytes - 1], static_cast<std::byte>(i + 1));
  for (window& w : all) l.windows.free(w);
}

TEST(SharedWindows, AreShownASecondTime) {
  lone l;
  const std::size_t page = platform::page_size();
  window w = l.windows.allocate(4 * page);
  auto* const second = static_cast<std::byte*>(platform::reserve(2 * page));
  l.windows.alias(w, page, 2 * page, second);
  w.local[page + 7] = std::byte{42};
  EXPECT_EQ(second[7], std::byte{42});
  second[2 * page - 1] = std::byte{43};
  EXPECT_EQ(*l.windows.at(0, w, 3 * page - 1, 1), std::byte{43});
  l.windows.free(w);
  EXPECT_EQ(w.id, -1);
  second[0] = std::byte{1};  // stays mapped until the caller unmaps it
  platform::release(second, 2 * page);
}

}  // namespace
}  // namespace kasuri::cluster
