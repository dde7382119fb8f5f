// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "apps/common/arguments.hpp"
#include "apps/common/placement.hpp"
#include "apps/common/task_log.hpp"

/// The frame of a program that solves one problem in several ways on one task system and reports
/// where its tasks ran.
///
/// A problem is a type with
///   static constexpr const char* name;
///   static std::vector<std::string> distributions();   ways to lay its data out, default first
///   static std::vector<std::string> kinds();           of tasks
///   struct options { void declare(arguments&); std::string wrong() const; };  empty: not wrong
///   static constexpr bool whole_arrays;                its data are arrays, from setting::array
///   problem(const options&, const setting&);           allocates, places and fills
///   std::string describe() const;
///   std::size_t most_tasks() const;
///   std::string wrong();                               empty when the result is right
///   task_log log;
namespace apps {

/// A task system, as far as placing data needs it.
struct system {
  std::string name;
  std::function<void(int)> start;  ///< with so many threads; 0: as many as it would take
  std::function<int()> threads;
  /// Calls f(0) ... f(n - 1) by threads that share them, thread by thread in one run.
  std::function<void(int n, const std::function<void(int)>& f)> by_loop;
  /// Calls them in a task each.
  std::function<void(int n, const std::function<void(int)>& f)> by_tasks;
  /// Calls f where tasks may be made.
  std::function<void(const std::function<void()>& f)> enter;
  /// Memory that the system itself distributes in blocks; empty where it cannot.
  std::function<memory(std::size_t bytes)> allocate = {};
};

/// The distribution that is left to the system's own allocator.
inline constexpr const char* by_allocator = "allocator";

/// What the user chose that does not depend on the problem.
struct setting {
  const system* on = nullptr;
  std::string distribution;
  std::vector<int> nodes;
  bool affinity = false;

  /// Memory for an array, to be filled before it is read.
  memory array(std::size_t bytes) const {
    return distribution == by_allocator ? on->allocate(bytes) : memory(bytes);
  }

  /// Calls f(0) ... f(n - 1), which touch pieces of memory for the first time, as the distribution
  /// has it.
  void touch(int n, const std::function<void(int)>& f) const {
    if (distribution == "serial") {
      for (int i = 0; i < n; ++i) f(i);
    } else if (distribution == "tasks") {
      on->enter([&] { on->by_tasks(n, f); });
    } else {
      on->by_loop(n, f);
    }
  }
};

template <class Problem>
struct way {
  std::string name;
  std::function<void(Problem&)> solve;
  bool inside = true;  ///< called where tasks may be made; else it opens its regions itself
};

namespace detail {

inline std::string list(const std::vector<int>& nodes) {
  std::string text;
  for (const int node : nodes) text += (text.empty() ? "" : ",") + std::to_string(node);
  return text;
}

template <class Problem>
const way<Problem>& named(const std::vector<way<Problem>>& ways, const std::string& name) {
  for (const way<Problem>& each : ways) {
    if (each.name == name) return each;
  }
  return ways.front();
}

template <class Problem>
double seconds_of(const way<Problem>& chosen, const system& on, Problem& problem) {
  const auto start = std::chrono::steady_clock::now();
  if (chosen.inside) {
    on.enter([&] { chosen.solve(problem); });
  } else {
    chosen.solve(problem);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace detail

/// What a command line may say.
template <class Problem>
struct command_line {
  typename Problem::options sizes;
  setting where;
  std::string variant;
  int threads = 0;
  bool report = false;
  bool unchecked = false;

  void read(int argc, char** argv, const system& on, const std::vector<way<Problem>>& ways,
            bool has_affinity) {
    arguments all;
    sizes.declare(all);
    std::vector<std::string> names;
    for (const auto& each : ways) names.push_back(each.name);
    variant = names.back();
    all.word("--variant", variant, names, "how it is made parallel");
    all.number("--threads", threads, 0, 4096, "threads; 0: as the runtime finds");
    std::vector<std::string> distributions = Problem::distributions();
    if (Problem::whole_arrays && on.allocate) distributions.push_back(by_allocator);
    where.distribution = distributions.front();
    all.word("--distribution", where.distribution, distributions, "where data lie");
    where.nodes = nodes_with_cpus_and_memory();
    declare_nodes(all);
    if (has_affinity) {
      all.flag("--affinity", where.affinity, "tasks name their output in an affinity clause, too");
    }
    all.flag("--report", report, "tell how many tasks ran on the node of their output");
    all.flag("--no-check", unchecked, "do not compare with the serial result");
    all.parse(argc, argv);
    if (const std::string wrong = sizes.wrong(); !wrong.empty()) refuse(wrong);
  }

 private:
  void declare_nodes(arguments& all) {
    const std::vector<int> there = nodes_of("has_memory");
    const std::string accepted = "nodes with memory, as 0-1 or 0,1; here: " + detail::list(there);
    all.value("--nodes", accepted,
              "nodes that data are put on, as 0-1 or 0,1 (" + detail::list(where.nodes) + ")",
              [this, there](const std::string& text) {
                const std::vector<int> read = read_list(text);
                for (const int node : read) {
                  if (!contains(there, node)) return false;
                }
                where.nodes = read;
                return !read.empty();
              });
  }
};

/// The whole of a program's main(): 0; 1 after a wrong result; 2 after a bad argument.
template <class Problem>
int run(int argc, char** argv, const system& on, const std::vector<way<Problem>>& ways,
        bool has_affinity = false) {
  command_line<Problem> chosen;
  chosen.read(argc, argv, on, ways, has_affinity);
  try {
    on.start(chosen.threads);
    chosen.where.on = &on;
    Problem problem(chosen.sizes, chosen.where);
    std::printf("%s %s, %s, %d threads, %s on nodes %s, %s\n", Problem::name,
                chosen.variant.c_str(), problem.describe().c_str(), on.threads(),
                chosen.where.distribution.c_str(), detail::list(chosen.where.nodes).c_str(),
                on.name.c_str());
    if (chosen.report) problem.log.open(problem.most_tasks(), Problem::kinds());
    const double seconds = detail::seconds_of(detail::named(ways, chosen.variant), on, problem);
    std::printf("time %.6f s\n", seconds);
    problem.log.print();
    const std::string wrong = chosen.unchecked ? "" : problem.wrong();
    if (!wrong.empty()) {
      std::fprintf(stderr, "%s: wrong result: %s\n", Problem::name, wrong.c_str());
      return 1;
    }
    if (!chosen.unchecked) std::printf("result equal to the serial one\n");
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: no memory for this size\n", Problem::name);
    return 1;
  }
  return 0;
}

}  // namespace apps
