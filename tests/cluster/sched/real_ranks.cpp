// SPDX-License-Identifier: Apache-2.0
// A program on the ranks of a job: kasuri run -n N --cluster real_ranks [ROUNDS]. Checks what comes
// back against serial results; ends with 1 and a line where something is wrong.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "cluster/real_check.hpp"
#include "kasuri/global/collective.hpp"
#include "kasuri/global/counters.hpp"
#include "kasuri/global/invoke.hpp"
#include "kasuri/global/parallel_for.hpp"
#include "kasuri/global/run.hpp"
#include "kasuri/global/start.hpp"
#include "kasuri/global/tasks/task_group.hpp"

namespace {

namespace global = kasuri::global;
namespace test = kasuri::test;

using test::check;
using test::hash;

void busy(std::uint64_t ns) {
  using clock = std::chrono::steady_clock;
  for (const auto until = clock::now() + std::chrono::nanoseconds(ns); clock::now() < until;) {
  }
}

// Tasks that ran in this process.
std::atomic<long> ran{0};

struct answer {
  std::uint64_t value;
  long tasks;
};

answer tree(std::uint64_t id, int left) {
  const std::uint64_t h = hash(id);
  ran.fetch_add(1, std::memory_order_relaxed);
  if (h % 8 == 0) busy(h % 3000);
  if (left == 0 || h % 16 == 0) return {h, 1};
  const auto [a, b] = global::parallel_invoke([=] { return tree(2 * id, left - 1); },
                                              [=] { return tree(2 * id + 1, left - 1); });
  return {hash(a.value) + 3 * b.value + h, a.tasks + b.tasks + 1};
}

answer serial_tree(std::uint64_t id, int left) {
  const std::uint64_t h = hash(id);
  if (left == 0 || h % 16 == 0) return {h, 1};
  const answer a = serial_tree(2 * id, left - 1), b = serial_tree(2 * id + 1, left - 1);
  return {hash(a.value) + 3 * b.value + h, a.tasks + b.tasks + 1};
}

/// All ranks' tasks together, as all of them know it.
void random_trees(int rounds) {
  for (int i = 1; i <= rounds; ++i) {
    const std::uint64_t root = hash(static_cast<std::uint64_t>(i)) | 1;
    const int depth = 6 + i % 9;
    const answer expected = serial_tree(root, depth);
    const answer result = global::run([=] { return tree(root, depth); });
    check(result.value == expected.value, "the value of tree " + std::to_string(i));
    check(result.tasks == expected.tasks, "the tasks of tree " + std::to_string(i));
  }
}

long throwing(int low, int high, int bad) {
  if (high - low == 1) {
    busy(100'000);
    if (low == bad) throw std::out_of_range("leaf " + std::to_string(low));
    return 1;
  }
  const int middle = (low + high) / 2;
  const auto [a, b] = global::parallel_invoke([=] { return throwing(low, middle, bad); },
                                              [=] { return throwing(middle, high, bad); });
  return a + b;
}

void exceptions(int rounds) {
  for (int bad = 0; bad != rounds; ++bad) {
    std::string type, text;
    try {
      global::run([=] { return throwing(0, 32, bad % 32); });
    } catch (const global::remote_exception& e) {
      type = e.type();
      text = e.text();
      check(e.rank() >= 0 && e.rank() < global::num_ranks(), "the rank of an exception");
    } catch (const std::out_of_range& e) {
      type = "std::out_of_range";
      text = e.what();
    }
    check(type == "std::out_of_range", "an exception's type: " + type);
    check(text == "leaf " + std::to_string(bad % 32), "an exception's text: " + text);
    check(global::run([] { return throwing(0, 32, -1); }) == 32, "the run behind an exception");
  }
}

template <std::size_t Words>
void travel(int rounds) {
  using load = std::array<std::uint64_t, Words>;
  for (int i = 0; i != rounds; ++i) {
    const bool right = global::run([=] {
      load l;
      for (std::size_t k = 0; k != Words; ++k) l[k] = hash(k + static_cast<std::size_t>(i));
      const auto [a, b] = global::parallel_invoke([] { return busy(300'000), 0; },
                                                  [l] {
                                                    std::uint64_t sum = 0;
                                                    for (const std::uint64_t w : l) sum += w;
                                                    return sum;
                                                  });
      std::uint64_t sum = 0;
      for (const std::uint64_t w : l) sum += w;
      return b == sum;
    });
    check(right, "a closure of " + std::to_string(Words) + " words");
  }
}

int chain_down(int left) {
  if (left == 0) return 0;
  const auto [a, b] =
      global::parallel_invoke([=] { return chain_down(left - 1); }, [] { return 1; });
  return a + b;
}

/// Under adws a sweep meets the ranks of the last one; without, it only has to be right.
void sweeps(bool adws) {
  struct owners {
    std::array<signed char, 64> of;
  };
  owners first{};
  int moved = 0;
  for (int s = 0; s != 10; ++s) {
    const owners now = global::run([] {
      struct gather {
        static owners some(int low, int high) {
          owners o{};
          if (high - low == 1) {
            busy(500'000);
            o.of[static_cast<std::size_t>(low)] = static_cast<signed char>(global::rank() + 1);
            return o;
          }
          const int middle = (low + high) / 2;
          const auto [a, b] = global::parallel_invoke([=] { return some(low, middle); },
                                                      [=] { return some(middle, high); });
          for (std::size_t i = 0; i != o.of.size(); ++i)
            o.of[i] = static_cast<signed char>(a.of[i] + b.of[i]);
          return o;
        }
      };
      return gather::some(0, 64);
    });
    for (const signed char owner : now.of)
      check(owner >= 1 && owner <= global::num_ranks(), "a block's owner");
    if (s == 0) first = now;
    for (std::size_t i = 0; i != now.of.size(); ++i) moved += now.of[i] != first.of[i];
  }
  if (adws) {
    std::uint64_t sent = 0, kept = 0;
    for (const auto& c : global::counters()) sent += c.sent, kept += c.kept;
    check(sent >= 10u * static_cast<unsigned>(global::num_ranks() - 1) - kept,
          "forks sent by adws");
  }
  if (global::rank() == 0) std::printf("sweeps: %d of 640 blocks moved\n", moved);
}

void many_closures(int rounds) {
  for (int i = 0; i != rounds; ++i) {
    const bool right = global::run([i] {
      const auto [a, b, c, d, e, f, g, h] = global::parallel_invoke(
          [i] { return tree(hash(static_cast<std::uint64_t>(i)), 5).tasks; }, [] { busy(50'000); },
          [] { return busy(50'000), 3; }, [] { return 4.5; },
          [i] { return hash(static_cast<std::uint64_t>(i)); }, [] { return 'f'; },
          [i] { return tree(hash(static_cast<std::uint64_t>(i)), 5).tasks; },
          [] { return busy(100'000), 8; });
      static_cast<void>(b);
      return a == g && c == 3 && d == 4.5 && e == hash(static_cast<std::uint64_t>(i)) && f == 'f' &&
             h == 8;
    });
    check(right, "eight closures");
    std::string text;
    try {
      global::run([] {
        global::parallel_invoke([] { busy(100'000); }, [] { busy(50'000); },
                                [] { throw std::out_of_range("the third"); });
      });
    } catch (const global::remote_exception& e) {
      text = e.text();
    } catch (const std::out_of_range& e) {
      text = e.what();
    }
    check(text == "the third", "what the third of three throws: " + text);
  }
}

/// Sums of what each rank's tasks did, by all_reduce.
void groups(int rounds) {
  static std::atomic<long> leaves{0};
  struct group_of {
    static void tasks(int depth) {
      if (depth == 0) {
        busy(20'000);
        leaves.fetch_add(1, std::memory_order_relaxed);
        return;
      }
      global::task_group group;
      for (int i = 0; i != 5; ++i) group.run([depth] { tasks(depth - 1); });
      global::parallel_invoke([depth] { tasks(depth - 1); }, [] { busy(1000); });
      group.wait();
    }
  };
  for (int i = 0; i != rounds; ++i) {
    leaves = 0;
    global::run([] { group_of::tasks(3); });
    const long sum = global::all_reduce(leaves.load(), [](long a, long b) { return a + b; });
    check(sum == 216, "leaves of groups: " + std::to_string(sum));
    std::string text;
    try {
      global::run([] {
        global::task_group group;
        for (int t = 0; t != 12; ++t)
          group.run([t] {
            busy(50'000);
            if (t == 5) throw std::out_of_range("task 5");
          });
        group.wait();
      });
    } catch (const global::remote_exception& e) {
      text = e.text();
    } catch (const std::out_of_range& e) {
      text = e.what();
    }
    check(text == "task 5", "what a task of a group throws: " + text);
  }
}

struct wide {
  std::array<std::uint64_t, 300> each{};
};

void values(int rounds) {
  const int me = global::rank();
  const int ranks = global::num_ranks();
  const auto add = [](const wide& a, const wide& b) {
    wide c;
    for (std::size_t i = 0; i != c.each.size(); ++i) c.each[i] = a.each[i] + b.each[i];
    return c;
  };
  // x -> a x + b: the order counts, the grouping does not.
  struct line {
    std::uint32_t a, b;
  };
  const auto after = [](line f, line g) { return line{f.a * g.a, f.a * g.b + f.b}; };
  const auto of = [](int rank, int round) {
    return line{2 * static_cast<std::uint32_t>(rank) + 3, static_cast<std::uint32_t>(round)};
  };
  const auto same = [](line f, line g) { return f.a == g.a && f.b == g.b; };
  for (int i = 0; i != rounds; ++i) {
    const int root = i % ranks;
    check(global::broadcast(me * 100 + i, root) == root * 100 + i, "a small broadcast");
    wide mine;
    mine.each.fill(static_cast<std::uint64_t>(me + i));
    check(global::broadcast(mine, root).each[299] == static_cast<std::uint64_t>(root + i),
          "a large broadcast");
    const auto sum = static_cast<std::uint64_t>(ranks * (ranks - 1) / 2 + ranks * i);
    check(global::all_reduce(mine, add).each[17] == sum, "a large sum for all");
    const wide at_root = global::reduce(mine, add, root);
    check(at_root.each[3] == (me == root ? sum : mine.each[3]), "a large sum for one");
    const auto up_to = static_cast<std::uint64_t>(me * (me + 1) / 2 + (me + 1) * i);
    check(global::scan(mine, add).each[0] == up_to, "a large scan");
    check(global::exclusive_scan(mine, wide{}, add).each[0] == up_to - mine.each[0],
          "a large exclusive scan");
    line all = of(0, i);
    line before{1, 9};
    line mine_too = all;
    for (int r = 0; r != ranks; ++r) {
      if (r != 0) all = after(all, of(r, i));
      if (r < me) before = after(before, of(r, i));
      if (r <= me) mine_too = all;
    }
    check(same(global::all_reduce(of(me, i), after), all), "lines");
    check(same(global::scan(of(me, i), after), mine_too), "lines up to a rank");
    check(same(global::exclusive_scan(of(me, i), line{1, 9}, after), before),
          "lines before a rank");
  }
}

void check_counters() {
  global::rank_counters t{};
  for (const auto& c : global::counters()) {
    t.steals += c.steals;
    t.steal_trips += c.steal_trips;
    t.failed_probes += c.failed_probes;
    t.failed_trips += c.failed_trips;
    t.posted += c.posted;
    t.taken_back += c.taken_back;
    t.received += c.received;
    t.sent += c.sent;
    t.ran += c.ran;
    t.joined += c.joined;
    check(c.most_steal_trips <= 3, "trips of a steal");
  }
  check(t.steal_trips == 3 * t.steals, "trips of all steals");
  check(t.failed_trips == t.failed_probes, "trips of probes that failed");
  check(t.posted == t.taken_back + t.steals, "offers that were neither taken nor taken back");
  check(t.sent == t.received, "forks sent and received");
  check(t.ran == t.steals + t.received, "closures that ran elsewhere");
  check(global::num_ranks() == 1 || t.steals + t.sent > 0, "no closure travelled");
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 50;
  const char* const policy = std::getenv("KASURI_SCHED");
  const bool adws = policy != nullptr && std::string(policy) == "adws";
  random_trees(rounds);
  exceptions(rounds / 2);
  travel<1>(rounds / 5);
  travel<20>(rounds / 5);
  travel<448>(rounds / 5);
  check(global::run([] { return chain_down(2000); }) == 2000, "a deep recursion");
  many_closures(rounds / 5);
  groups(rounds / 5);
  values(rounds);
  sweeps(adws);
  check_counters();
  if (global::rank() == 0) std::printf("all right on %d ranks\n", global::num_ranks());
}
