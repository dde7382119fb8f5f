// SPDX-License-Identifier: Apache-2.0
#include "omp/place/places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace kasuri::omp {
namespace {

// hwloc reads its variables at each load, so a test can describe a machine of its own.
platform::topology described(const char* machine) {
  ::setenv("HWLOC_SYNTHETIC", machine, 1);
  platform::topology read = platform::read_topology();
  ::unsetenv("HWLOC_SYNTHETIC");
  return read;
}

const platform::topology& small_machine() {
  static const platform::topology machine = described("pack:2 l3:1 core:2 pu:2");
  return machine;
}

std::string places_of(const char* text, const platform::topology& machine = small_machine()) {
  const auto request = parse_places(text);
  return request ? place_text(resolve(*request, machine)) : "ill-formed";
}

TEST(places, abstract_names_are_parts_of_the_machine) {
  EXPECT_EQ(places_of("threads"), "{0},{1},{2},{3},{4},{5},{6},{7}");
  EXPECT_EQ(places_of("cores"), "{0,1},{2,3},{4,5},{6,7}");
  EXPECT_EQ(places_of("ll_caches"), "{0,1,2,3},{4,5,6,7}");
  EXPECT_EQ(places_of("sockets"), "{0,1,2,3},{4,5,6,7}");
  EXPECT_EQ(places_of(" Cores ( 3 ) "), "{0,1},{2,3},{4,5}");
  EXPECT_EQ(places_of("cores(9)"), "{0,1},{2,3},{4,5},{6,7}");
}

TEST(places, numa_domains_are_nodes) {
  const platform::topology machine = described("pack:2 numa:2 core:2 pu:1");
  EXPECT_EQ(places_of("numa_domains", machine), "{0,1},{2,3},{4,5},{6,7}");
  EXPECT_EQ(places_of("sockets", machine), "{0,1,2,3},{4,5,6,7}");
}

TEST(places, without_a_last_level_cache_cores_are_taken) {
  EXPECT_EQ(places_of("ll_caches", described("pack:2 core:2 pu:2")), "{0,1},{2,3},{4,5},{6,7}");
}

TEST(places, explicit_lists_have_all_interval_forms) {
  EXPECT_EQ(places_of("{0},{3}"), "{0},{3}");
  EXPECT_EQ(places_of("{0,1,2},{5}"), "{0,1,2},{5}");
  EXPECT_EQ(places_of("{0:4},{4:2:2}"), "{0,1,2,3},{4,6}");
  EXPECT_EQ(places_of("{0:2}:4:2"), "{0,1},{2,3},{4,5},{6,7}");
  EXPECT_EQ(places_of("{0:2}:3"), "{0,1},{2,3},{4,5}") << "the stride is what a place spans";
  EXPECT_EQ(places_of("{6:2}:4:-2"), "{6,7},{4,5},{2,3},{0,1}");
  EXPECT_EQ(places_of("{7:3:-2}"), "{7,5,3}");
  EXPECT_EQ(places_of("{0:4,!2}"), "{0,1,3}");
  EXPECT_EQ(places_of("{0}:4:1,!{2}"), "{0},{1},{3}");
  EXPECT_EQ(places_of("0,2,4"), "{0},{2},{4}");
  EXPECT_EQ(places_of("0:3:2"), "{0},{2},{4}");
}

TEST(places, what_the_process_may_not_use_is_left_out) {
  EXPECT_EQ(places_of("{6,7,8,9},{10}"), "{6,7}");
  EXPECT_EQ(places_of("{100}"), "");
}

TEST(places, ill_formed_lists_are_refused) {
  for (const char* text : {"",        "{",      "{}",       "{0",      "{0},",
                           "{0}}",    "{0:}",   "{0:0}",    "{-1}",    "{0:2:}",
                           "core",    "cores(", "cores(0)", "cores()", "cores(2",
                           "cores 2", "{0}x",   "!{0}:2",   "{!0:2}",  "{99999999999999999999}"})
    EXPECT_EQ(places_of(text), "ill-formed") << text;
}

std::string gomp_places(const char* text) {
  const auto request = parse_cpu_affinity(text);
  return request ? place_text(resolve(*request, small_machine())) : "ill-formed";
}

TEST(places, gomp_cpu_affinity_is_a_list_of_cpus) {
  EXPECT_EQ(gomp_places("0 3 1-2 4-7:2"), "{0},{3},{1},{2},{4},{6}");
  EXPECT_EQ(gomp_places("5,1"), "{5},{1}");
  for (const char* text : {"", "x", "3-1", "1,", "1-", "1-3:0", "-1"})
    EXPECT_EQ(gomp_places(text), "ill-formed") << text;
}

std::string kmp_places(const char* text) {
  const auto affinity = parse_kmp_affinity(text);
  return affinity ? place_text(resolve(affinity->places, small_machine())) : "ill-formed";
}

TEST(places, kmp_affinity_orders_places) {
  EXPECT_EQ(kmp_places("none"), "");
  EXPECT_EQ(kmp_places("disabled"), "");
  EXPECT_EQ(kmp_places("compact"), "{0,1},{2,3},{4,5},{6,7}");
  EXPECT_EQ(kmp_places("scatter"), "{0,1},{4,5},{2,3},{6,7}");
  EXPECT_EQ(kmp_places("granularity=fine,compact"), "{0},{1},{2},{3},{4},{5},{6},{7}");
  EXPECT_EQ(kmp_places("granularity=fine,compact,1,0"), "{0},{2},{4},{6},{1},{3},{5},{7}");
  EXPECT_EQ(kmp_places("verbose,granularity=thread,scatter"), "{0},{4},{2},{6},{1},{5},{3},{7}");
  EXPECT_EQ(kmp_places("compact,0,1"), "{2,3},{4,5},{6,7},{0,1}");
  EXPECT_EQ(kmp_places("proclist=[7,0-2,{4,5}],explicit"), "{7},{0},{1},{2},{4,5}");
  EXPECT_TRUE(parse_kmp_affinity("balanced")->balanced);
  EXPECT_TRUE(parse_kmp_affinity("verbose")->verbose);
  for (const char* text :
       {"", "tight", "compact,scatter", "granularity=", "granularity=foo,compact", "explicit",
        "proclist=[1", "compact,1,2,3", "compact,"})
    EXPECT_EQ(kmp_places(text), "ill-formed") << text;
}

std::string subset_of(const char* text, const platform::topology& machine = small_machine()) {
  const auto subset = parse_hw_subset(text);
  if (!subset) return "ill-formed";
  std::vector<int> all;
  for (const platform::pu& unit : machine.pus) all.push_back(unit.os_index);
  return cpu_text(cpus_of_subset(*subset, machine, all));
}

TEST(places, kmp_hw_subset_keeps_parts_of_each_level) {
  EXPECT_EQ(subset_of("1s"), "0-3");
  EXPECT_EQ(subset_of("1s@1"), "4-7");
  EXPECT_EQ(subset_of("1c"), "0,1,4,5");
  EXPECT_EQ(subset_of("1t"), "0,2,4,6");
  EXPECT_EQ(subset_of("1t,2s,1c@1"), "2,6") << "in any order";
  EXPECT_EQ(subset_of("*sockets,1core,*threads"), "0,1,4,5");
  EXPECT_EQ(subset_of(":1s,2t@1"), "1,2");
  EXPECT_EQ(subset_of(":3c"), "0-5");
  EXPECT_EQ(subset_of("1s@7"), "0-7") << "all, when none would be left";
  for (const char* text : {"", "s", "0s", "2x", "1s@", "1s,", "1s@-1"})
    EXPECT_EQ(subset_of(text), "ill-formed") << text;
}

TEST(places, cpu_numbers_in_short) {
  EXPECT_EQ(cpu_text({}), "");
  EXPECT_EQ(cpu_text({3}), "3");
  EXPECT_EQ(cpu_text({0, 1}), "0,1");
  EXPECT_EQ(cpu_text({0, 1, 2, 5, 7, 8}), "0-2,5,7,8");
}

// ---- place_of: worked out by hand from section 2.6.2
// -------------------------------------------------

/// "place@first+count ..." of all members.
std::string spread_out(int members, proc_bind bind, const place_partition& parents) {
  std::string text;
  for (int i = 0; i != members; ++i) {
    const place_partition p = place_of(i, members, bind, parents);
    if (!text.empty()) text += ' ';
    text += std::to_string(p.bound) + '@' + std::to_string(p.first) + '+' + std::to_string(p.count);
  }
  return text;
}

TEST(partition, primary_keeps_everybody_with_the_parent) {
  EXPECT_EQ(spread_out(3, proc_bind::primary, {0, 8, 5}), "5@0+8 5@0+8 5@0+8");
}

TEST(partition, close_takes_the_next_places_and_wraps) {
  EXPECT_EQ(spread_out(4, proc_bind::close, {0, 8, 6}), "6@0+8 7@0+8 0@0+8 1@0+8");
  EXPECT_EQ(spread_out(3, proc_bind::close, {4, 3, 5}), "5@4+3 6@4+3 4@4+3");
}

TEST(partition, close_with_more_members_than_places_gives_each_place_a_run) {
  EXPECT_EQ(spread_out(8, proc_bind::close, {0, 4, 2}),
            "2@0+4 2@0+4 3@0+4 3@0+4 0@0+4 0@0+4 1@0+4 1@0+4");
  // 5 on 3: runs of 2, 2 and 1.
  EXPECT_EQ(spread_out(5, proc_bind::close, {0, 3, 0}), "0@0+3 0@0+3 1@0+3 1@0+3 2@0+3");
}

TEST(partition, spread_divides_the_places) {
  EXPECT_EQ(spread_out(4, proc_bind::spread, {0, 8, 0}), "0@0+2 2@2+2 4@4+2 6@6+2");
  // The primary stays where it is, in the part that holds its place.
  EXPECT_EQ(spread_out(4, proc_bind::spread, {0, 8, 3}), "3@2+2 4@4+2 6@6+2 0@0+2");
  // 8 places for 3: parts of 3, 3 and 2.
  EXPECT_EQ(spread_out(3, proc_bind::spread, {0, 8, 0}), "0@0+3 3@3+3 6@6+2");
  EXPECT_EQ(spread_out(3, proc_bind::spread, {0, 8, 7}), "7@6+2 0@0+3 3@3+3");
}

TEST(partition, spread_with_more_members_than_places_gives_parts_of_one) {
  EXPECT_EQ(spread_out(4, proc_bind::spread, {0, 2, 1}), "1@1+1 1@1+1 0@0+1 0@0+1");
}

TEST(partition, off_binds_nobody_and_no_places_stay_none) {
  EXPECT_EQ(spread_out(2, proc_bind::off, {0, 4, 1}), "-1@0+4 -1@0+4");
  EXPECT_EQ(spread_out(1, proc_bind::off, {0, 4, 1}), "1@0+4") << "the parent's own thread";
  EXPECT_EQ(spread_out(2, proc_bind::spread, {}), "-1@0+0 -1@0+0");
}

TEST(partition, an_unbound_parent_starts_at_the_first_place) {
  EXPECT_EQ(spread_out(2, proc_bind::close, {0, 4, -1}), "0@0+4 1@0+4");
}

// 36 cores in 4 nodes: an outer region of 4 gets a node each, inner ones stay in their node.
TEST(partition, a_machine_of_4_nodes_of_9_cores) {
  const platform::topology machine = described("numa:4 core:9 pu:1");
  const int cores = static_cast<int>(resolve(*parse_places("cores"), machine).size());
  ASSERT_EQ(cores, 36);
  EXPECT_EQ(spread_out(4, proc_bind::spread, {0, cores, 0}), "0@0+9 9@9+9 18@18+9 27@27+9");
  EXPECT_EQ(spread_out(9, proc_bind::spread, {9, 9, 9}),
            "9@9+1 10@10+1 11@11+1 12@12+1 13@13+1 14@14+1 15@15+1 16@16+1 17@17+1");
  EXPECT_EQ(spread_out(2, proc_bind::close, {27, 9, 35}), "35@27+9 27@27+9");
}

// 48 cores in 8 nodes, 8 members outside and 6 inside, and more than fit.
TEST(partition, a_machine_of_8_nodes_of_6_cores) {
  const platform::topology machine = described("numa:8 core:6 pu:1");
  const place_list nodes = resolve(*parse_places("numa_domains"), machine);
  ASSERT_EQ(nodes.size(), 8u);
  EXPECT_EQ(nodes[7], (std::vector<int>{42, 43, 44, 45, 46, 47}));
  EXPECT_EQ(spread_out(8, proc_bind::spread, {0, 48, 0}),
            "0@0+6 6@6+6 12@12+6 18@18+6 24@24+6 30@30+6 36@36+6 42@42+6");
  EXPECT_EQ(spread_out(6, proc_bind::close, {42, 6, 42}),
            "42@42+6 43@42+6 44@42+6 45@42+6 46@42+6 47@42+6");
  EXPECT_EQ(spread_out(7, proc_bind::spread, {6, 6, 6}),
            "6@6+1 6@6+1 7@7+1 8@8+1 9@9+1 10@10+1 11@11+1");
}

// 61 cores of 4 threads each: 122 members, two to a core; 8 members get 7 or 8 cores.
TEST(partition, a_machine_of_61_cores_of_4_threads) {
  const platform::topology machine = described("core:61 pu:4");
  const int cores = static_cast<int>(resolve(*parse_places("cores"), machine).size());
  ASSERT_EQ(cores, 61);
  for (int i = 0; i != 122; ++i)
    EXPECT_EQ(place_of(i, 122, proc_bind::close, {0, cores, 0}).bound, i / 2);
  // 61 = 5 * 8 + 3 * 7
  EXPECT_EQ(spread_out(8, proc_bind::spread, {0, cores, 0}),
            "0@0+8 8@8+8 16@16+8 24@24+8 32@32+8 40@40+7 47@47+7 54@54+7");
  EXPECT_EQ(spread_out(2, proc_bind::spread, {0, cores, 60}), "60@31+30 0@0+31");
}

/// Whatever the numbers: every part holds its place, parts of a spread do not overlap and differ by
/// one at most, and places get as many members as others, give or take one.
TEST(partition, holds_for_all_small_numbers) {
  for (int count = 1; count != 12; ++count)
    for (int members = 1; members != 26; ++members)
      for (int bound = 0; bound != count; ++bound)
        for (const proc_bind bind : {proc_bind::close, proc_bind::spread}) {
          const place_partition parents{3, count, 3 + bound};
          std::vector<int> uses(static_cast<std::size_t>(count));
          int covered = 0;
          for (int i = 0; i != members; ++i) {
            const place_partition p = place_of(i, members, bind, parents);
            ASSERT_GE(p.bound, p.first);
            ASSERT_LT(p.bound, p.first + p.count);
            ++uses[static_cast<std::size_t>(p.bound - 3)];
            covered += p.count;
            ASSERT_TRUE(i != 0 || p.bound == parents.bound);
          }
          ASSERT_TRUE(bind != proc_bind::spread || members > count || covered == count);
          const auto [least, most] = std::ranges::minmax(uses);
          ASSERT_LE(most - least, 1);
        }
}

}  // namespace
}  // namespace kasuri::omp
