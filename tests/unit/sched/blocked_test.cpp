// SPDX-License-Identifier: Apache-2.0
// Many tasks that wait at once: what each takes of the system, by count.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <kasuri/kasuri.hpp>

#include "context/stack.hpp"
#include "platform/cpu/features.hpp"
#include "platform/memory/mapping_limit.hpp"
#include "support/mappings.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

struct taken {
  std::size_t mappings = 0;
  long faults = 0;

  static taken now() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return {platform::mappings(), usage.ru_minflt};
  }
};

/// So many tasks wait at once; what the process has taken by then. `went_on`: how many went on
/// afterwards.
taken block(int n, int& went_on) {
  taken meanwhile;
  went_on = run([&] { return block_at_once(n, [&] { meanwhile = taken::now(); }); });
  return meanwhile;
}

TEST(blocked_tasks, take_few_page_faults_and_no_mapping_each) {
  if (sanitized) GTEST_SKIP() << "sanitizers have pages and mappings of their own";
  const auto n = static_cast<std::size_t>(scaled(20'000));
  initialize({.workers = 2});
  int went_on = 0;
  block(10, went_on);  // threads, deques and the like are there
  const taken before = taken::now();
  const taken meanwhile = block(static_cast<int>(n), went_on);
  finalize();
  EXPECT_EQ(went_on, static_cast<int>(n));
  // A slab, where it does not merge with its neighbour, is a mapping.
  const std::size_t guards = platform::probe_features().guard_install ? 0 : 2 * n;
  EXPECT_LE(meanwhile.mappings, before.mappings + n / context::most_stacks_per_slab + 64 + guards);
  // The page at the top of the stack; for a second one where the frames are large; and what else
  // there is.
  EXPECT_LE(meanwhile.faults - before.faults, 2 * static_cast<long>(n) + 4000);
}

}  // namespace
}  // namespace kasuri::test
