// SPDX-License-Identifier: Apache-2.0
#include "simulate/real_run.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <kasuri/kasuri.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

#include "platform/cpu/topology.hpp"
#include "platform/settings/settings.hpp"
#include "platform/thread/os_thread.hpp"

namespace kasuri::simulate {
namespace {

using clock = std::chrono::steady_clock;

double ns_since(clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(clock::now() - begin).count();
}

/// Work that does not depend on memory, nor on a clock: what is preempted takes longer.
[[gnu::noinline]] void turn(std::int64_t times) {
  for (; times > 0; --times) asm volatile("" ::: "memory");
}

/// Turns in a nanosecond: the most of many short tries, so that some are not disturbed.
double turns_per_ns() {
  constexpr std::int64_t many = 100'000;
  double best = 0;
  for (int i = 0; i != 10'000; ++i) {
    const auto begin = clock::now();
    turn(many);
    best = std::max(best, static_cast<double>(many) / ns_since(begin));
  }
  return best;
}

/// One sweep over the graph after another.
class walk {
 public:
  walk(const graph& g, double rate)
      : graph_(g), rate_(rate), last_(static_cast<std::size_t>(g.blocks()), -1) {}

  void sweep() { from(graph_.root()); }
  /// From the second sweep on.
  void count_from_here() {
    same_.store(0, std::memory_order_relaxed);
    again_.store(0, std::memory_order_relaxed);
  }
  double same_worker() const {
    const auto again = static_cast<double>(again_.load(std::memory_order_relaxed));
    return again > 0 ? static_cast<double>(same_.load(std::memory_order_relaxed)) / again : 0;
  }

 private:
  void from(std::uint32_t i) {
    while (i != no_node) {
      const graph_node& n = graph_.at(i);
      if (n.work > 0) turn(static_cast<std::int64_t>(n.work * rate_));
      if (n.block >= 0) visit(static_cast<std::size_t>(n.block));
      if (n.first != no_node)
        parallel_invoke(share(n.first_share, [this, &n] { from(n.first); }),
                        share(n.second_share, [this, &n] { from(n.second); }));
      i = n.next;
    }
  }

  // A graph's blocks are touched by one task at a time.
  void visit(std::size_t block) {
    const int worker = this_task::worker();
    again_.fetch_add(1, std::memory_order_relaxed);
    if (last_[block] == worker) same_.fetch_add(1, std::memory_order_relaxed);
    last_[block] = worker;
  }

  const graph& graph_;
  const double rate_;
  std::vector<int> last_;
  std::atomic<std::uint64_t> same_{0};
  std::atomic<std::uint64_t> again_{0};
};

/// The calling thread stands for worker 0 under adws; else worker 0 is the first to be woken.
void bind_caller(int workers) {
  const bool first = platform::current_settings().sched == "adws";
  const platform::topology& machine = platform::machine_topology();
  platform::bind_to_cpu(platform::pu_of_worker(machine, first ? 0 : workers - 1).os_index);
}

real_result repeat(const graph& g, double rate, int workers, int sweeps, int repetitions,
                   double least_time) {
  initialize({.workers = workers});
  if (least_time > 0) bind_caller(workers);
  real_result r;
  const auto routed = [] {
    double sum = 0;
    for (const worker_counters& c : counters()) sum += static_cast<double>(c.routed);
    return sum;
  };
  run([&] {
    const auto start = clock::now();
    for (int n = 0; n < repetitions || ns_since(start) < least_time; ++n) {
      walk w(g, rate);
      const double before = routed();
      const auto begin = clock::now();
      for (int i = 0; i != sweeps; ++i) {
        if (i == 1) w.count_from_here();
        w.sweep();
      }
      const double time = ns_since(begin);
      if (n != 0 && time >= r.time) continue;
      r = {.time = time,
           .same_worker = sweeps == 1 ? 0 : w.same_worker(),
           .routed = routed() - before};
    }
  });
  finalize();
  return r;
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// ns from a push to the start on the other worker, `pause` after the last time.
double start_elsewhere(int times, std::chrono::microseconds pause) {
  std::vector<double> all;
  for (int i = 0; i != times; ++i) {
    std::this_thread::sleep_for(pause);
    std::atomic<bool> begun{false};
    double took = 0;
    const auto begin = clock::now();
    parallel_invoke(
        [&] {
          // A worker that never comes is no measurement: the second side then runs here.
          while (!begun.load(std::memory_order_relaxed) && ns_since(begin) < 20e6) continue;
        },
        [&] {
          took = ns_since(begin);
          begun.store(true, std::memory_order_relaxed);
        });
    all.push_back(took);
  }
  return median(std::move(all));
}

/// Calls `measure` in a child and hands back what it returns.
template <class Result, class Measure>
Result in_child(const std::string& policy, Measure measure) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe for a run in a child process");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no child process for a run");
  if (child == 0) {
    ::setenv("KASURI_SCHED", policy.c_str(), 1);
    ::setenv("KASURI_BIND", "on", 1);    // a busy machine may put two workers on one CPU for long
    ::setenv("KASURI_MONITOR", "0", 1);  // a worker that is preempted gets no stand-in
    const Result r = measure();
    const bool written = ::write(ends[1], &r, sizeof r) == sizeof r;
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  Result r;
  const bool got = ::read(ends[0], &r, sizeof r) == sizeof r;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!got || status != 0) throw std::runtime_error("a run in a child process has failed");
  return r;
}

}  // namespace

real_result run_really(const graph& g, const std::string& policy, int workers, int sweeps,
                       int repetitions, double least_time) {
  static const double rate = turns_per_ns();  // one for all runs: they are compared
  return in_child<real_result>(
      policy, [&] { return repeat(g, rate, workers, sweeps, repetitions, least_time); });
}

cost_model calibrated(cost_model costs) {
  const graph empty = make_graph({.kind = "fib", .size = 22, .work = 1e-9});
  const real_result one = run_really(empty, "near", 1, 1, 20, 0);
  costs.spawn = one.time / static_cast<double>(empty.forks());
  struct latencies {
    double spinning, asleep;
  };
  const auto got = in_child<latencies>("near", [] {
    initialize({.workers = 2});
    latencies l{};
    run([&] {
      // Twice: the first start of a thread is no wake-up.
      for (int i = 0; i != 2; ++i)
        l = {start_elsewhere(301, std::chrono::microseconds(0)),
             start_elsewhere(101, std::chrono::microseconds(2000))};
    });
    finalize();
    return l;
  });
  costs.steal[shares_cache] = got.spinning;
  costs.steal[shares_node] = std::max(got.spinning, costs.steal[shares_node]);
  costs.letter = got.spinning;
  costs.wake = std::max(0.0, got.asleep - got.spinning);
  return costs;
}

}  // namespace kasuri::simulate
