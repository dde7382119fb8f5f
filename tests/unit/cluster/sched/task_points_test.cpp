// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/host/task_points.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

#include "sched_parts.hpp"

namespace kasuri::cluster {
namespace {

using global::detail::offer_state;
using global::detail::runs_given;
using test::idle_fork;
using test::on_parts;
using test::rank_parts;

/// Gives each fork's tasks the next two numbers, and notes where they fork.
struct numbering final : coherence {
  std::uint64_t next = 10;
  bool knows = true;
  std::vector<program_point> asked;

  token release() override { return {}; }
  void acquire(const token&) override {}
  std::uint64_t at_fork(const program_point& here) override {
    asked.push_back(here);
    if (!knows) return 0;
    next += 2;
    return next - 2;
  }
};

/// body(parts, points, memory), as a task of one rank that was given the number 1.
template <class Body>
void in_root(Body body) {
  on_parts(1, [&body](rank_parts& p) {
    struct all {
      Body& body;
      rank_parts& parts;
      task_points points;
      numbering memory;
    } here{body, p, task_points(p.pool), {}};
    EXPECT_EQ(here.points.here(), program_point{});  // no task runs
    p.pool.enter(
        [](void* arg) {
          auto& a = *static_cast<all*>(arg);
          EXPECT_EQ(a.points.here(), program_point{});  // one that nobody knows
          const runs_given root(a.parts.pool.chain(), coherence::root_task);
          a.body(a.parts.pool.chain(), a.points, a.memory);
        },
        &here);
    EXPECT_EQ(p.pool.chain().given, nullptr);
  });
}

const auto nothing = [] {};
using fork_of_nothing = idle_fork<std::remove_const_t<decltype(nothing)>>;

TEST(TaskPoints, TheFirstClosureRunsUntilTheSecondIsTaken) {
  in_root([](global::detail::fork_chain& chain, task_points& points, numbering& memory) {
    EXPECT_EQ(points.here(), (program_point{1, 0}));
    {
      fork_of_nothing outer(chain, nothing);
      task_points::fork(chain, false, memory);
      EXPECT_EQ(points.here(), (program_point{10, 0}));
      EXPECT_EQ(outer.offered_task(), 11U);
      {
        fork_of_nothing inner(chain, nothing);
        task_points::fork(chain, false, memory);
        EXPECT_EQ(points.here(), (program_point{12, 0}));
        inner.state = offer_state::taken;
        EXPECT_EQ(points.here(), (program_point{13, 0}));
      }
      EXPECT_EQ(points.here(), (program_point{10, 1}));  // one fork further
      outer.state = offer_state::taken;
      EXPECT_EQ(points.here(), (program_point{11, 0}));
      fork_of_nothing in_second(chain, nothing);
      task_points::fork(chain, false, memory);
    }
    EXPECT_EQ(points.here(), (program_point{1, 1}));
    EXPECT_EQ(memory.asked, (std::vector<program_point>{{1, 0}, {10, 0}, {11, 0}}));
  });
}

TEST(TaskPoints, WhereTheFirstClosureIsOfferedTheSecondRuns) {
  in_root([](global::detail::fork_chain& chain, task_points& points, numbering& memory) {
    fork_of_nothing f(chain, nothing);
    task_points::fork(chain, true, memory);
    EXPECT_EQ(points.here(), (program_point{11, 0}));
    EXPECT_EQ(f.offered_task(), 10U);
    for (const offer_state others : {offer_state::posted, offer_state::lent, offer_state::gone}) {
      f.state = others;
      EXPECT_EQ(points.here(), (program_point{11, 0}));
    }
    f.state = offer_state::taken;
    EXPECT_EQ(points.here(), (program_point{10, 0}));
  });
}

TEST(TaskPoints, ATaskThatTheStackWasGivenMeanwhileIsTheOneThatRuns) {
  in_root([](global::detail::fork_chain& chain, task_points& points, numbering& memory) {
    fork_of_nothing f(chain, nothing);
    task_points::fork(chain, false, memory);
    {
      const runs_given anothers(chain, 40);
      EXPECT_EQ(points.here(), (program_point{40, 0}));
      {
        fork_of_nothing its(chain, nothing);
        task_points::fork(chain, false, memory);
        EXPECT_EQ(points.here(), (program_point{12, 0}));
      }
      EXPECT_EQ(points.here(), (program_point{40, 1}));
    }
    EXPECT_EQ(points.here(), (program_point{10, 0}));
  });
}

TEST(TaskPoints, OfTasksThatNobodyKnowsNothingIsSaid) {
  in_root([](global::detail::fork_chain& chain, task_points& points, numbering& memory) {
    const runs_given unknown(chain, 0);
    EXPECT_EQ(points.here(), program_point{});
    memory.knows = false;
    fork_of_nothing f(chain, nothing);
    task_points::fork(chain, false, memory);
    EXPECT_EQ(points.here(), program_point{});
    f.state = offer_state::taken;
    EXPECT_EQ(points.here(), program_point{});
    EXPECT_EQ(memory.asked, std::vector<program_point>{{}});
  });
}

}  // namespace
}  // namespace kasuri::cluster
