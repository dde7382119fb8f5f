// SPDX-License-Identifier: Apache-2.0
// The checks that look for races: labels and histories against brute force, then whole programs on
// simulated ranks.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "cluster/check/history.hpp"
#include "cluster/check/task_tree.hpp"
#include "cluster/memory/memory.hpp"
#include "cluster/sched/front/strands.hpp"
#include "cluster/transport/simulated/simulated.hpp"
#include "kasuri/global/checkout.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/global/invoke.hpp"
#include "kasuri/global/run.hpp"
#include "kasuri/global/vector.hpp"
#include "loopback.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;

/// The pieces of a random fork-join program between its forks and joins, in the order in which one
/// task alone would run them, with what is known of each from the program's graph.
class random_program {
 public:
  random_program(task_tree& tasks, std::mt19937_64& random) : tasks_(tasks), random_(random) {
    make(task_tree::root, 0);
    reaches_.assign(points_.size(), std::vector<bool>(points_.size()));
    for (std::size_t from = points_.size(); from-- != 0;)
      for (const std::size_t next : nexts_[from]) {
        reaches_[from][next] = true;
        for (std::size_t to = 0; to != points_.size(); ++to)
          if (reaches_[next][to]) reaches_[from][to] = true;
      }
  }

  std::size_t size() const { return points_.size(); }
  const program_point& point(std::size_t i) const { return points_[i]; }
  bool reaches(std::size_t a, std::size_t b) const { return reaches_[a][b]; }
  bool are_parallel(std::size_t a, std::size_t b) const {
    return a != b && !reaches(a, b) && !reaches(b, a);
  }

  /// All pieces in an order in which they may run.
  std::vector<std::size_t> any_schedule() {
    std::vector<std::size_t> missing(size());
    for (const auto& nexts : nexts_)
      for (const std::size_t n : nexts) ++missing[n];
    std::vector<std::size_t> ready{0};
    std::vector<std::size_t> order;
    while (!ready.empty()) {
      const std::size_t at = random_() % ready.size();
      const std::size_t piece = ready[at];
      ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(at));
      order.push_back(piece);
      for (const std::size_t n : nexts_[piece])
        if (--missing[n] == 0) ready.push_back(n);
    }
    return order;
  }

 private:
  std::size_t add(std::uint64_t task, std::uint32_t forks) {
    points_.push_back({task, forks});
    nexts_.emplace_back();
    return points_.size() - 1;
  }

  /// The last piece of the task.
  std::size_t make(std::uint64_t task, int depth) {
    std::size_t piece = add(task, 0);
    const std::uint64_t forks = depth == 5 ? 0 : random_() % (depth < 2 ? 4 : 2);
    for (std::uint32_t i = 0; i != forks; ++i) {
      const std::uint64_t number = tasks_.fork({task, i});
      std::size_t ends[2];
      for (std::size_t side = 0; side != 2; ++side) {
        nexts_[piece].push_back(points_.size());
        ends[side] = make(number + side, depth + 1);
      }
      piece = add(task, i + 1);
      for (const std::size_t end : ends) nexts_[end].push_back(piece);
    }
    return piece;
  }

  task_tree& tasks_;
  std::mt19937_64& random_;
  std::vector<program_point> points_;
  std::vector<std::vector<std::size_t>> nexts_;
  std::vector<std::vector<bool>> reaches_;
};

/// Calls f(tasks) with the tree of a job of one.
void with_tasks(const std::function<void(arena&, task_tree&)>& f) {
  on_ranks(1, [&](transport& network) {
    arena records(network, std::size_t{8} << 20, 64);
    task_tree tasks(records);
    f(records, tasks);
  });
}

TEST(TaskTree, KnowsHowPointsLieToEachOther) {
  std::mt19937_64 random(1);
  std::size_t pairs = 0;
  with_tasks([&](arena& records, task_tree& tasks) {
    for (int n = 0; n != 300; ++n) {
      records.clear();
      tasks.clear();
      const random_program p(tasks, random);
      for (std::size_t a = 0; a != p.size(); ++a) {
        for (std::size_t b = 0; b != p.size(); ++b, ++pairs) {
          const relation expected = a == b            ? relation::same
                                    : p.reaches(a, b) ? relation::before
                                    : p.reaches(b, a) ? relation::behind
                                    : a < b           ? relation::left
                                                      : relation::right;
          ASSERT_EQ(tasks.compare(p.point(a), p.point(b)), expected) << n << ' ' << a << ' ' << b;
        }
      }
    }
  });
  EXPECT_GT(pairs, 100'000U);
}

TEST(TaskTree, ShowsPaths) {
  with_tasks([](arena&, task_tree& tasks) {
    EXPECT_EQ(tasks.path(task_tree::root), "root");
    std::uint64_t task = tasks.fork({task_tree::root, 2}) + 1;
    EXPECT_EQ(tasks.path(task), "3R");
    EXPECT_EQ(tasks.path(tasks.fork({task, 0})), "3R.1L");
    for (int i = 0; i != 40; ++i) task = tasks.fork({task, 1});
    EXPECT_EQ(tasks.path(task), "3R.2L.2L.2L.2L.2L.2L.2L.(25 more).2L.2L.2L.2L.2L.2L.2L.2L");
  });
}

struct random_access {
  std::size_t piece;
  std::uint32_t begin;
  std::uint32_t end;
  use what;
};

bool conflict(const random_access& a, const random_access& b) {
  return a.begin < b.end && b.begin < a.end && (a.what != b.what || a.what == use::write);
}

TEST(History, FindsARaceWhereThereIsOneAndNoneElsewhere) {
  std::mt19937_64 random(2);
  const int programs = scaled(20'000);
  int with = 0;
  int without = 0;
  with_tasks([&](arena& records, task_tree& tasks) {
    for (int n = 0; n != programs; ++n) {
      records.clear();
      tasks.clear();
      random_program p(tasks, random);
      std::vector<random_access> accesses(1 + random() % 24);
      const std::uint64_t writes = random() % 10;
      for (random_access& a : accesses) {
        const auto begin = static_cast<std::uint32_t>(random() % 60);
        a = {random() % p.size(), begin, begin + 1 + static_cast<std::uint32_t>(random() % 9),
             random() % 10 < writes ? use::write
             : random() % 8 != 0    ? use::read
                                    : use::atomic};
      }
      const auto raced = [&](const random_access& a, const random_access& b) {
        return p.are_parallel(a.piece, b.piece) && conflict(a, b);
      };
      bool any = false;
      for (const random_access& a : accesses)
        for (const random_access& b : accesses) any = any || raced(a, b);
      std::optional<race> found;
      std::vector<history_entry> history;
      for (const std::size_t piece : p.any_schedule()) {
        for (std::size_t i = 0; i != accesses.size(); ++i) {
          const random_access& a = accesses[i];
          if (a.piece != piece || found) continue;
          const program_point at = p.point(piece);
          judge order(tasks, at);
          // The bytes are its name.
          found = enter(history, a.begin, a.end, {at.task, i, at.forks, 0, a.what, 0}, order);
          if (!found) continue;
          const random_access& b = accesses[found->earlier.bytes];
          EXPECT_TRUE(raced(a, b)) << n;
          EXPECT_TRUE(b.begin <= found->begin && found->end <= b.end) << n;
          EXPECT_TRUE(a.begin <= found->begin && found->end <= a.end) << n;
        }
      }
      ASSERT_EQ(found.has_value(), any) << n;
      ++(any ? with : without);
      for (std::size_t i = 0; !any && i + 1 < history.size(); ++i)
        ASSERT_LE(history[i].end, history[i + 1].begin) << n;
    }
  });
  EXPECT_GT(with, programs / 10);
  EXPECT_GT(without, programs / 10);
}

/// Leaves of ten bytes each; one, if it is so, reaches into the next.
struct leaves {
  global::view<char> v;
  int reaching;

  void run(int lo, int hi) const {
    const auto part = [this](int from, int bytes) {
      return v.subview(static_cast<std::size_t>(from) * 10, static_cast<std::size_t>(bytes));
    };
    const leaves all = *this;
    if (hi - lo == 1) {
      process& me = *current_process;
      me.network->spend(2000);
      const auto x = global::checkout(part(lo, lo == reaching ? 11 : 10), global::write);
      std::ranges::fill(x, 'x');
      return;
    }
    const int mid = lo + (hi - lo) / 2;
    global::parallel_invoke([=] { all.run(lo, mid); }, [=] { all.run(mid, hi); });
    global::checkout(part(lo, 10 * (hi - lo)), global::read);
    global::parallel_invoke([=] { global::checkout(part(lo, 1), global::read_write); }, [] {});
  }
};

/// What the run on so many simulated ranks says; and how many closures travelled.
std::string run_leaves(int ranks, std::uint64_t seed, int reaching, bool adws, std::uint64_t& ran) {
  constexpr int count = 64;
  simulation_options net;
  net.ranks = ranks;
  net.seed = seed;
  net.jitter_ns = 3000;
  memory_options options;
  options.range_bytes = std::size_t{8} << 20;
  options.heap_bytes = std::size_t{64} << 10;
  options.cache_bytes = std::size_t{256} << 10;
  options.same_address = false;
  options.checked = true;
  options.check_bytes = std::size_t{8} << 20;
  options.races_end = false;
  std::string said;
  simulation all(net);
  all.run([&](int rank, transport& network) {
    memory m(network, options);
    all.process_of(rank).memory = &m;
    {
      scheduler_options how;
      how.checked = true;
      how.adws = adws;
      how.seed = seed;
      simulated_rank me(all, rank, m, how);
      const global::vector<char> v(count * 10);
      const leaves work{v.view(), reaching};
      try {
        global::run([=] { work.run(0, count); });
        global::run([=] { global::checkout(work.v, global::write); });
      } catch (const global::error& e) {
        said = e.what();
      }
      for (const auto& c : me.scheduler().gather_counters())
        if (rank == 0) ran += c.ran;
      network.barrier();
    }
    all.process_of(rank).memory = nullptr;
  });
  return said;
}

TEST(Checks, OfProgramsOnSimulatedRanks) {
  std::uint64_t ran = 0;
  const auto seeds = static_cast<std::uint64_t>(std::max(2, scaled(8)));
  for (int ranks = 1; ranks != 6; ++ranks) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const bool adws = seed % 2 == 0;
      EXPECT_EQ(run_leaves(ranks, seed, -1, adws, ran), "") << ranks << ' ' << seed;
      const auto reaching = static_cast<int>(seed * 37 % 63);
      const std::string said = run_leaves(ranks, seed, reaching, adws, ran);
      const std::string place =
          "(byte " + std::to_string(10 * (reaching + 1)) + " of the array of 640";
      for (const char* part : {"a data race on 1 bytes", place.c_str(), "writing of 11 bytes",
                               "is parallel to", " on rank "})
        EXPECT_NE(said.find(part), std::string::npos) << ranks << ' ' << seed << ": " << said;
    }
  }
  EXPECT_GT(8 * ran, 500 * seeds);
}

TEST(ChecksDeathTest, ARaceEndsTheProgram) {
  const auto program = [] {
    memory_options options;
    options.range_bytes = std::size_t{8} << 20;
    options.heap_bytes = std::size_t{64} << 10;
    options.same_address = false;
    options.checked = true;
    options.check_bytes = std::size_t{8} << 20;
    on_ranks(1, [&](transport& network) {
      memory m(network, options);
      const std::uint64_t v = m.arrays().add_blocked(100);
      struct : known_tasks {
        program_point point{coherence::root_task, 0};
        program_point here() override { return point; }
      } tasks;
      m.ask(&tasks);
      m.begin_run();
      const std::uint64_t number = m.at_fork(tasks.point);
      tasks.point = {number, 0};
      m.check_in(*m.checkout(v, 10, access::write).kept);
      tasks.point = {number + 1, 0};
      m.checkout(v + 9, 1, access::read);
    });
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(2),
              "reading of 1 bytes by task 1R on rank 0 is parallel to checkout for writing of 10 "
              "bytes by task 1L");
}

TEST(ChecksDeathTest, TooLittleMemory) {
  const auto program = [] {
    with_tasks([](arena&, task_tree& tasks) {
      program_point at{task_tree::root, 0};
      for (;;) at.task = tasks.fork(at);
    });
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(2), "KASURI_CHECK_MEMORY=8388608 is too small");
}

}  // namespace
}  // namespace kasuri::test
