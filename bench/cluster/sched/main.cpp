// SPDX-License-Identifier: Apache-2.0
// bench_cluster_sched forkjoin|uts|queens|steals [SIZE]: what the cluster's scheduler costs. Alone,
// or on ranks: kasuri run -n 2 --cluster bench_cluster_sched uts. Serial times are of this very
// program, on rank 0 while the others sleep.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/counters.hpp"
#include "kasuri/global/invoke.hpp"
#include "kasuri/global/run.hpp"
#include "kasuri/global/start.hpp"
#include "kasuri/global/vector.hpp"
#include "queens/board.hpp"
#include "uts/problem.hpp"

namespace {

namespace global = kasuri::global;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> all) {
  std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
  return all[all.size() / 2];
}

/// The medians of runs on all ranks and of serial ones, in turns.
template <class Parallel, class Serial>
void compare(const char* name, int rounds, Parallel parallel, Serial serial) {
  std::vector<double> times, serial_times;
  bool right = true;
  for (int i = 0; i != rounds; ++i) {
    const double alone = global::run([=] {
      const double since = seconds();
      const volatile auto keep = serial();
      static_cast<void>(keep);
      return seconds() - since;
    });
    const long expected = global::run([=] { return serial(); });
    const double since = seconds();
    const long result = global::run(parallel);
    times.push_back(seconds() - since);
    serial_times.push_back(alone);
    right = right && result == expected;
  }
  if (global::rank() != 0) return;
  const double time = median(times), alone = median(serial_times);
  std::printf("%s ranks %d: %.3f ms, serial %.3f ms, ratio %.3f%s\n", name, global::num_ranks(),
              time * 1e3, alone * 1e3, time / alone, right ? "" : " WRONG");
  if (!right) std::exit(1);
}

[[gnu::noinline]] long serial_fib(int n) {
  return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2);
}

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] =
      global::parallel_invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

void forkjoin(int n) {
  std::vector<double> times, serial_times;
  for (int i = 0; i != 7; ++i) {
    double since = seconds();
    const volatile long s = serial_fib(n);
    static_cast<void>(s);
    serial_times.push_back(seconds() - since);
    times.push_back(global::run([n] {
      const double begin = seconds();
      const volatile long keep = fib(n);
      static_cast<void>(keep);
      return seconds() - begin;
    }));
  }
  const double forks = static_cast<double>(serial_fib(n + 1) - 1);
  const double time = median(times), alone = median(serial_times);
  if (global::rank() == 0)
    std::printf("forkjoin ranks %d: %.2f ns a fork and join (fib %d: %.3f ms, serial %.3f ms)\n",
                global::num_ranks(), (time - alone) / forks * 1e9, n, time * 1e3, alone * 1e3);
}

namespace uts = bench::uts;

uts::count tree(const uts::node& n, int max_depth);

uts::count branches(const uts::node& n, int from, int to, int max_depth) {
  if (to - from == 1) return tree(uts::child(n, from), max_depth);
  const int middle = (from + to) / 2;
  const auto [a, b] = global::parallel_invoke([=] { return branches(n, from, middle, max_depth); },
                                              [=] { return branches(n, middle, to, max_depth); });
  return a + b;
}

uts::count tree(const uts::node& n, int max_depth) {
  const int number = uts::children(n, max_depth);
  if (number == 0) return uts::itself(n, 0);
  return uts::itself(n, number) + branches(n, 0, number, max_depth);
}

namespace queens = bench::queens;

/// The first column from `at` on where a queen may stand, or n.
int next_safe(const queens::board& b, int at) {
  while (at < b.n && !b.safe(at)) ++at;
  return at;
}

long place(const queens::board& b);

/// A queen in this column, or in one of those behind it.
long place_from(const queens::board& b, int column) {
  const queens::board placed = b.with(column);
  const int next = next_safe(b, column + 1);
  if (next == b.n) return place(placed);
  const auto [x, y] = global::parallel_invoke([placed] { return place(placed); },
                                              [b, next] { return place_from(b, next); });
  return x + y;
}

long place(const queens::board& b) {
  if (b.complete()) return 1;
  const int first = next_safe(b, 0);
  return first == b.n ? 0 : place_from(b, first);
}

void busy(double s) {
  for (const double until = seconds() + s; seconds() < until;) {
  }
}

/// Numbers of the part at the last rank, which rank 0 writes before it forks.
using dirt = global::view<std::uint64_t>;
constexpr std::size_t dirty_numbers = std::size_t{32} << 10;

void make_dirty(dirt d, std::uint64_t value) {
  const auto x = global::checkout(d, global::write);
  std::ranges::fill(x, value);
}

bool all_are(dirt d, std::uint64_t value) {
  const auto x = global::checkout(d, global::read);
  return std::ranges::all_of(x, [=](std::uint64_t v) { return v == value; });
}

/// Rank 0 has 256 KB of the last rank's data dirty and sits in leaves of 10 ms; what it forked just
/// before is to start elsewhere, and to see the data.
void steals(int count) {
  if (global::num_ranks() < 2) {
    std::fprintf(stderr, "steals: 1 rank; accepted: 2 or more\n");
    std::exit(2);
  }
  const auto ranks = static_cast<std::size_t>(global::num_ranks());
  const global::vector<std::uint64_t> all(dirty_numbers * ranks, global::blocked);
  const dirt d = all.view().subview(dirty_numbers * (ranks - 1), dirty_numbers);
  struct start {
    double at;
    int rank;
    bool right;
  };
  std::vector<double> delays;
  bool right = true;
  int forks = 0;
  // Some are taken by a spare worker of rank 0 itself, for which the monitor finds time.
  while (std::cmp_less(delays.size(), count)) {
    const auto value = static_cast<std::uint64_t>(++forks);
    const start delay = global::run([=] {
      busy(0.002);  // the others have gone to sleep
      make_dirty(d, value);
      const double forked = seconds();
      const auto [a, started] =
          global::parallel_invoke([] { return busy(0.010), 0; },
                                  [=] {
                                    const double now = seconds();
                                    return start{now, global::rank(), all_are(d, value)};
                                  });
      return start{started.at - forked, started.rank, started.right};
    });
    if (delay.rank != 0) delays.push_back(delay.at);
    right = right && delay.right;
  }
  if (global::rank() != 0) return;
  std::ranges::sort(delays);
  const auto at = [&](double q) {
    return 1e6 * delays[static_cast<std::size_t>(q * static_cast<double>(delays.size() - 1))];
  };
  std::printf(
      "steals ranks %d: %d of %d forks, start after p50 %.1f us, p90 %.1f us, p99 %.1f us, "
      "most %.1f us%s\n",
      global::num_ranks(), count, forks, at(0.5), at(0.9), at(0.99), at(1), right ? "" : " WRONG");
  if (!right) std::exit(1);
}

void show_counters() {
  std::uint64_t steals = 0, trips = 0, most = 0, failed = 0, failed_trips = 0, posted = 0;
  for (const auto& c : global::counters()) {
    steals += c.steals;
    trips += c.steal_trips;
    most = std::max(most, c.most_steal_trips);
    failed += c.failed_probes;
    failed_trips += c.failed_trips;
    posted += c.posted;
  }
  const auto n = [](std::uint64_t v) { return static_cast<unsigned long long>(v); };
  if (global::rank() == 0 && global::num_ranks() > 1)
    std::printf(
        "  steals %llu with %llu trips (at most %llu), failed probes %llu with %llu trips, "
        "posted %llu\n",
        n(steals), n(trips), n(most), n(failed), n(failed_trips), n(posted));
}

}  // namespace

int main(int argc, char** argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::string what = argc > 1 ? argv[1] : "";
  const int size = argc > 2 ? std::atoi(argv[2]) : 0;
  if (what == "forkjoin") {
    forkjoin(size > 0 ? size : 35);
  } else if (what == "uts") {
    const int depth = size > 0 ? size : 10;
    compare(
        "uts", 5, [=] { return tree(uts::root(), depth).nodes; },
        [=] { return uts::walk(uts::root(), depth).nodes; });
  } else if (what == "queens") {
    const int rows = size > 0 ? size : 11;
    compare(
        "queens", 20, [=] { return place(queens::board{.n = rows}); },
        [=] { return queens::solve(queens::board{.n = rows}); });
  } else if (what == "steals") {
    steals(size > 0 ? size : 1000);
  } else {
    std::fprintf(stderr, "usage: bench_cluster_sched forkjoin|uts|queens|steals [SIZE]\n");
    return 2;
  }
  show_counters();
}
