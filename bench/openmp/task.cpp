// SPDX-License-Identifier: Apache-2.0
// What a task costs: empty ones, made in the ways of EPCC's task benchmark (Bull, Reid, McDonnell,
// IWOMP 2012) and some more. `memory` and `memory-finished`: how far 400,000 of one producer make
// resident memory grow.

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "common/memory.hpp"
#include "openmp/repeated.hpp"
#include "openmp/runtime.hpp"
#include "openmp/tasks.hpp"

namespace {

using namespace bench;

struct empty {
  void operator()() const { empty_task(); }
};

struct counting {
  std::atomic<long>* ran;
  void operator()() const { ran->fetch_add(1, std::memory_order_relaxed); }
};

struct kind {
  const char* name;
  long tasks;  ///< by default
  bool memory;
  long (*timed)(long, int, const empty&);
  long (*counted)(long, int, const counting&);
};

template <class Kind>
kind from(const char* name, long tasks, bool memory = false) {
  return {name, tasks, memory, &Kind::template run<empty>, &Kind::template run<counting>};
}

const std::vector<kind> all = {
    from<openmp::flat>("flat", 200'000),
    from<openmp::flat_all>("flat-all", 200'000),
    from<openmp::task_then_wait>("taskwait", 50'000),
    from<openmp::task_then_wait_all>("taskwait-all", 50'000),
    from<openmp::group>("taskgroup", 50'000),
    from<openmp::undeferred>("undeferred", 200'000),
    from<openmp::depend>("depend", 50'000),
    from<openmp::loop_of_tasks>("taskloop", 200'000),
    from<openmp::parents>("nested", 100'000),
    from<openmp::flat>("memory", 400'000, true),
    from<openmp::finished>("memory-finished", 400'000, true),
};

struct problem {
  static constexpr const char* name = "openmp-task";
  struct answer {
    openmp::samples samples;
    long ran;
    long wrong;
  };

  explicit problem(const arguments& args)
      : what(&named(args.variant)),
        threads(args.workers),
        n(args.size_or(what->tasks, what->tasks / (what->memory ? 1 : 5))) {
    if (args.quick) time.total = 0.01;
    if (args.variant == "memory-finished" && threads < 2) {
      fail("memory-finished: its producer needs another thread to run the tasks", not_applicable);
    }
  }
  problem rehearsal() const {
    problem small = *this;
    small.counted = true;
    small.n = std::min(n, 1000L);
    return small;
  }
  void prepare() {
    if (what->memory) memory.start();
  }

  answer solve() const {
    if (counted) {
      std::atomic<long> ran = 0;
      const long wrong = what->counted(n, threads, counting{&ran});
      return {{}, ran.load(std::memory_order_relaxed), wrong};
    }
    long wrong = 0;
    const auto once = [&](long tasks) { wrong += what->timed(tasks, threads, empty{}); };
    if (what->memory) {  // the first run alone: later ones find memory that it has left
      once(n);
      return {{}, 0, wrong};
    }
    return {openmp::repeat(n, time, once), 0, wrong};
  }

  std::string wrong(const answer& found) const {
    if (found.wrong != 0) return std::to_string(found.wrong) + " wrong results";
    if (!counted || found.ran == n) return "";
    return std::to_string(found.ran) + " of " + std::to_string(n) + " tasks ran";
  }
  std::vector<metric> metrics(double, const answer& found) const {
    if (what->memory) return {{"peak-growth", "KiB", memory.bytes() / 1024}};
    return {{"time-per-task", "ns", openmp::mean(found.samples) * 1e9}};
  }

 private:
  static const kind& named(const std::string& variant) {
    return *std::find_if(all.begin(), all.end(),
                         [&](const kind& one) { return one.name == variant; });
  }

  const kind* what;
  int threads;
  long n;
  openmp::budget time{0.05, 0};
  bool counted = false;
  memory_growth memory;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<variant<problem>> ways;
  for (const kind& one : all) {
    ways.push_back({one.name, [](problem& p) { return p.solve(); }});
  }
  return openmp::run<problem>(argc, argv, ways);
}
