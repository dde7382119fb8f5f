// SPDX-License-Identifier: Apache-2.0
// What each construct costs beyond the work in it. `overhead` is the mean over the whole time,
// `overhead-median` that of the middle sample: they part where threads lose their core. `time` has
// the work in it: where an overhead is next to nothing, a ratio of overheads says nothing.

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "openmp/constructs.hpp"
#include "openmp/repeated.hpp"
#include "openmp/runtime.hpp"

namespace {

using namespace bench;
using openmp::counting;
using openmp::delay;

/// Who runs the body when a construct is met once.
enum class shape { each, one, turns, none, sections, iterations };

struct construct {
  const char* name;
  shape who;
  long (*timed)(long, int, const delay&);
  long (*counted)(long, int, const counting&);

  /// Runs of the body for so many encounters.
  long calls(long reps, int threads) const {
    switch (who) {
      case shape::each:
        return reps * threads;
      case shape::one:
        return reps;
      case shape::turns:
        return reps / threads * threads;
      case shape::none:
        return 0;
      case shape::sections:
        return reps * openmp::sections;
      case shape::iterations:
        return reps * threads * openmp::iterations;
    }
    return -1;
  }

  /// Runs of the body, one after another, that the best runtime cannot avoid.
  long unavoidable(int threads) const {
    const int together = std::min(threads, omp_get_num_procs());
    switch (who) {
      case shape::each:
        return openmp::rounds_on_cores(threads);
      case shape::one:
      case shape::turns:
        return 1;
      case shape::none:
        return 0;
      case shape::sections:
        return (openmp::sections + together - 1) / together;
      case shape::iterations:
        return openmp::iterations * openmp::rounds_on_cores(threads);
    }
    return -1;
  }
};

template <class Construct>
construct from(const char* name, shape who) {
  return {name, who, &Construct::template run<delay>, &Construct::template run<counting>};
}

const std::vector<construct> all = {
    from<openmp::parallel>("parallel", shape::each),
    from<openmp::loop>("for", shape::each),
    from<openmp::parallel_loop>("parallel-for", shape::each),
    from<openmp::barrier>("barrier", shape::each),
    from<openmp::single>("single", shape::one),
    from<openmp::copyprivate>("copyprivate", shape::one),
    from<openmp::masked>("masked", shape::none),
    from<openmp::critical>("critical", shape::turns),
    from<openmp::lock>("lock", shape::turns),
    from<openmp::ordered>("ordered", shape::one),
    from<openmp::atomic>("atomic", shape::none),
    from<openmp::reduction>("reduction", shape::each),
    from<openmp::section>("sections", shape::sections),
    from<openmp::static_loop>("static-1", shape::iterations),
    from<openmp::dynamic_loop>("dynamic-1", shape::iterations),
    from<openmp::guided_loop>("guided-1", shape::iterations),
};

struct problem {
  static constexpr const char* name = "openmp-sync";
  struct answer {
    openmp::samples samples;
    long ran;    ///< of a counting body
    long wrong;  ///< results that a construct gave
  };
  static constexpr int delay_length = 256;  // about 0.1 us
  static constexpr long rehearsed = 64;

  explicit problem(const arguments& args)
      : what(&named(args.variant)), threads(args.workers), work_seconds(seconds_of_work()) {
    if (args.quick) time = {0.01, 0.001};
    if (args.size > 0) time.total = static_cast<double>(args.size) * 1e-3;
  }
  problem rehearsal() const {
    problem small = *this;
    small.counted = true;
    return small;
  }
  void prepare() {}

  answer solve() const {
    if (counted) {
      std::atomic<long> ran = 0;
      const long wrong = what->counted(rehearsed, threads, counting{&ran});
      return {{}, ran.load(std::memory_order_relaxed), wrong};
    }
    long wrong = 0;
    auto samples = openmp::repeat(4L * threads, time, [&](long reps) {
      wrong += what->timed(reps, threads, delay{delay_length});
    });
    return {std::move(samples), 0, wrong};
  }

  std::string wrong(const answer& found) const {
    if (found.wrong != 0) return std::to_string(found.wrong) + " wrong results";
    const long expected = counted ? what->calls(rehearsed, threads) : 0;
    if (found.ran == expected) return "";
    return "the body ran " + std::to_string(found.ran) + " times, expected " +
           std::to_string(expected);
  }
  std::vector<metric> metrics(double, const answer& found) const {
    const double least = static_cast<double>(what->unavoidable(threads)) * work_seconds;
    return {{"overhead", "ns", (openmp::mean(found.samples) - least) * 1e9},
            {"overhead-median", "ns", (openmp::middle(found.samples) - least) * 1e9},
            {"time", "ns", openmp::mean(found.samples) * 1e9}};
  }

 private:
  static const construct& named(const std::string& variant) {
    return *std::find_if(all.begin(), all.end(),
                         [&](const construct& one) { return one.name == variant; });
  }

  /// Of one body: the least of many samples, what it takes when nobody disturbs it.
  static double seconds_of_work() {
    constexpr int calls = 200;
    const delay work{delay_length};
    double least = 1;
    for (int trial = 0; trial < 50; ++trial) {
      const double start = now();
      for (int i = 0; i < calls; ++i) work();
      least = std::min(least, (now() - start) / calls);
    }
    return least;
  }

  const construct* what;
  int threads;
  double work_seconds;
  openmp::budget time;
  bool counted = false;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<variant<problem>> ways;
  for (const construct& one : all) {
    ways.push_back({one.name, [](problem& p) { return p.solve(); }});
  }
  return openmp::run<problem>(argc, argv, ways);
}
