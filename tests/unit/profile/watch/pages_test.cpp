// SPDX-License-Identifier: Apache-2.0
// Lines of /proc/PID/numa_maps as the kernel writes them.
#include <gtest/gtest.h>

#include "profile/watch/pages.hpp"

namespace kasuri::profile {
namespace {

using sizes = std::vector<std::uint64_t>;

sizes of(std::initializer_list<std::string_view> lines) {
  sizes kib;
  for (const std::string_view line : lines) pages::add_line(line, kib);
  return kib;
}

TEST(pages, are_summed_by_node_in_their_sizes) {
  EXPECT_EQ(of({"7f00 default anon=30 dirty=30 N0=10 N2=20 kernelpagesize_kB=4",
                "7e00 default anon=2 dirty=2 N2=2 kernelpagesize_kB=2048"}),
            (sizes{40, 0, 80 + 4096}));
}

TEST(pages, of_files_and_of_none_are_left_out) {
  EXPECT_EQ(of({"5500 default file=/usr/bin/cat mapped=4 N0=4 kernelpagesize_kB=4", "7f00 default",
                "7f00 default anon=1 N0=1", "7f00 N=3 N0 kernelpagesize_kB=4", ""}),
            sizes());
}

TEST(pages, a_node_that_no_machine_has_is_passed_over) {
  EXPECT_EQ(of({"7f00 default N99999999=5 N1=1 kernelpagesize_kB=4"}), (sizes{0, 4}));
}

}  // namespace
}  // namespace kasuri::profile
