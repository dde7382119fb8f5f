// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"

/// The frame of every benchmark program.
///
/// A problem is a type with
///   static constexpr const char* name;         its folder
///   using answer = ...;                        what a solver returns
///   explicit problem(const arguments&);        args.variant and .input name what is about to run
///   problem rehearsal() const;                 a small one, solved and checked first
///   void prepare();                            before each solution, untimed
///   std::string wrong(const answer&) const;    empty when the answer is right
///   std::vector<metric> metrics(double seconds, const answer&) const;   a value a name, or several
/// and, where it has several sets of parameters,
///   static constexpr std::array<const char*, N> inputs;
///   static bool accepts(const std::string& input);   a set that is not among them
///   static bool of_quick(const std::string& input);  one of them that --quick has, too
///
/// A system is a type with
///   static constexpr const char* name;         as it stands in the results
///   static std::string version();
///   explicit system(int workers);              starts it
///   template <class F> void run(F&& f);        runs f where the system's tasks may be spawned
/// and, where it has them,
///   static constexpr int most_workers;         it cannot have more
///   std::vector<metric> spent() const;         growing sums of how its workers spent their time;
///                                              all zero when it keeps no account
namespace bench {

struct metric {
  std::string name;
  std::string unit;
  double value;
};

/// One way to solve a problem with one system, for one of the problem's sets of parameters.
template <class Problem>
struct variant {
  std::string name;
  std::function<typename Problem::answer(Problem&)> solve;
  std::string input = "";
};

/// Seconds on a clock that only goes forward.
inline double now() {
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since_start).count();
}

/// Name and version of the compiler, "gcc 12.2.0" or "clang 19.1.7".
inline std::string compiler() {
  const std::string version = __VERSION__;
  if (const auto at = version.find("Clang "); at != std::string::npos) {
    return "clang " + version.substr(at + 6, version.find(' ', at + 6) - (at + 6));
  }
  return "gcc " + version;
}

/// An empty task: nothing the compiler could leave out.
inline void empty_task() noexcept { asm volatile("" ::: "memory"); }

namespace detail {

/// The values of each metric, in the order in which the problem named them.
class samples {
 public:
  void add(const metric& sample) {
    for (series& known : all_) {
      if (known.name == sample.name) return known.values.push_back(sample.value);
    }
    all_.push_back({sample.name, sample.unit, {sample.value}});
  }

  void print(const char* benchmark, const char* system, const std::string& version,
             const arguments& args) const {
    for (const series& one : all_) {
      std::printf(R"({"benchmark": "%s", "system": "%s", "version": "%s", "variant": "%s", )"
                  R"("input": "%s", "workers": %d, "metric": "%s", "unit": "%s", "values": [)",
                  benchmark, system, version.c_str(), args.variant.c_str(), args.input.c_str(),
                  args.workers, one.name.c_str(), one.unit.c_str());
      const char* separator = "";
      for (const double value : one.values) {
        std::printf("%s%.9g", separator, value);
        separator = ", ";
      }
      std::printf(R"(], "compiler": "%s"})"
                  "\n",
                  compiler().c_str());
    }
    std::fflush(stdout);
  }

 private:
  struct series {
    std::string name;
    std::string unit;
    std::vector<double> values;
  };
  std::vector<series> all_;
};

/// How a system's workers spend their time, where it can tell.
template <class System>
std::vector<metric> spent(const System& system) {
  if constexpr (requires { system.spent(); }) {
    return system.spent();
  } else {
    return {};
  }
}

/// Solves once and says what is wrong with the answer; adds the metrics when they are wanted.
template <class System, class Problem>
std::string solve_once(const System& system, Problem& problem, const variant<Problem>& way,
                       samples* wanted) {
  problem.prepare();
  const std::vector<metric> before = spent(system);
  const double start = now();
  const typename Problem::answer answer = way.solve(problem);
  const double seconds = now() - start;
  std::vector<metric> shares = spent(system);
  std::string wrong = problem.wrong(answer);
  if (wrong.empty() && wanted != nullptr) {
    for (const metric& sample : problem.metrics(seconds, answer)) wanted->add(sample);
    const bool kept = std::any_of(shares.begin(), shares.end(),
                                  [](const metric& share) { return share.value > 0; });
    for (std::size_t i = 0; kept && i < shares.size(); ++i) {
      shares[i].value -= before[i].value;
      wanted->add(shares[i]);
    }
  }
  return wrong;
}

/// Seconds. Within them every system has started its threads and spread over the cores; a problem
/// of some milliseconds measured before would be about that.
inline constexpr double rehearsed_for = 0.02;

template <class System, class Problem>
bool measure(System& system, const arguments& args, const variant<Problem>& way) {
  samples values;
  std::string wrong;
  system.run([&] {
    Problem problem(args);
    Problem rehearsal = problem.rehearsal();
    const double end = now() + rehearsed_for;
    do {
      wrong = solve_once(system, rehearsal, way, nullptr);
    } while (wrong.empty() && now() < end);
    for (int rep = 0; rep < args.reps && wrong.empty(); ++rep) {
      wrong = solve_once(system, problem, way, &values);
    }
  });
  if (!wrong.empty()) {
    std::fprintf(stderr, "%s %s %s: wrong answer: %s\n", Problem::name, System::name,
                 way.name.c_str(), wrong.c_str());
    return false;
  }
  values.print(Problem::name, System::name, System::version(), args);
  return true;
}

/// False for a set of parameters that --quick leaves out where nothing names it.
template <class Problem>
bool wanted(const variant<Problem>& way, const arguments& args) {
  if constexpr (requires { Problem::of_quick(way.input); }) {
    return !args.quick || Problem::of_quick(way.input);
  } else {
    return true;
  }
}

/// The variants that the arguments choose; a set of parameters that the problem accepts, though it
/// names others, goes to each way once.
template <class Problem>
std::vector<variant<Problem>> choose(const std::vector<variant<Problem>>& ways,
                                     const arguments& args) {
  std::vector<variant<Problem>> chosen;
  std::string names;
  for (const variant<Problem>& way : ways) {
    const bool named = args.variant.empty() || args.variant == way.name;
    const bool meant = args.input.empty() ? wanted(way, args) : args.input == way.input;
    if (named && meant) chosen.push_back(way);
    names += (names.empty() ? "" : ", ") + way.name + (way.input.empty() ? "" : " " + way.input);
  }
  if constexpr (requires { Problem::accepts(args.input); }) {
    if (chosen.empty() && Problem::accepts(args.input)) {
      for (variant<Problem> way : ways) {
        const bool named = args.variant.empty() || args.variant == way.name;
        if (!named || way.input != ways.front().input) continue;
        way.input = args.input;
        chosen.push_back(std::move(way));
      }
    }
  }
  if (chosen.empty()) {
    fail("--variant=" + args.variant + " --input=" + args.input + ": unknown; accepted: " + names);
  }
  return chosen;
}

template <class System>
void check_workers(const arguments& args) {
  if constexpr (requires { System::most_workers; }) {
    if (args.workers > System::most_workers) {
      fail(std::string(System::name) + ": at most " + std::to_string(System::most_workers) +
               " workers",
           not_applicable);
    }
  }
}

}  // namespace detail

/// The whole of a program's main(): 0, or 1 after a wrong answer, or 2 after a bad argument.
/// `args` holds what is meant where the command line is silent.
template <class System, class Problem>
int run(int argc, char** argv, const std::vector<variant<Problem>>& ways, arguments args = {}) {
  args = parse(argc, argv, std::move(args));
  if (args.list) {
    for (const auto& way : ways) {
      if (!detail::wanted(way, args)) continue;
      std::printf("%s\t%s\n", way.name.c_str(), way.input.c_str());
    }
    return 0;
  }
  const std::vector<variant<Problem>> chosen = detail::choose(ways, args);
  detail::check_workers<System>(args);
  System system(args.workers);
  bool right = true;
  for (const variant<Problem>& way : chosen) {
    args.variant = way.name;
    args.input = way.input;
    right = detail::measure(system, args, way) && right;
  }
  return right ? 0 : 1;
}

}  // namespace bench
