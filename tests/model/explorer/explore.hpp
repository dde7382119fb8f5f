// SPDX-License-Identifier: Apache-2.0
// Explores all executions of a small program of 1 to 4 threads.
//
//   struct store_buffering {
//     static constexpr int threads = 2;
//     model::atomic<int> x{0}, y{0};
//     int seen[2];
//     void run(int thread);   // the body of each thread
//     void check();           // once all have finished; model::require() and model::observe()
//   };
//   model::report r = model::explore<store_buffering>({.name = "store buffering"});
//
// The program is constructed anew for every execution. It must be deterministic, its atomics must
// be its members, and its threads' stacks must own nothing (an execution may be left in the
// middle).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "atomic.hpp"
#include "machine.hpp"
#include "search.hpp"

namespace kasuri::model {

struct options {
  std::string name = {};
  /// Explore one schedule of each class of equivalent ones. Not with bounded deviations.
  bool reduce = true;
  /// With reduce = false: how often an execution may deviate from the plain one, in which each
  /// thread runs until it waits and reads the newest values. A deviation is to take the CPU from a
  /// thread that could go on, to let a barrier arrive then, or to act on an older message.
  int deviations = unbounded;
  /// False: sequential consistency. Loads read the newest message and stores come last, whatever
  /// their orders say: for programs too large to explore under weak memory.
  bool weak = true;
  /// Stop after so many executions; the report then says that it is not complete.
  std::uint64_t max_executions = 20'000'000;
  /// Operations after which an execution counts as endless, at most 500.
  int max_steps = 400;
  /// Names of the program's atomics in order of construction, for the trace of a failure.
  std::vector<std::string> locations = {};
};

struct failure {
  std::string what;
  std::vector<std::string> trace;
  search::choices choices;  // for replay()
};

struct report {
  std::string name;
  int threads = 0;
  int operations = 0;     // of the longest execution
  bool complete = false;  // everything within the bounds was explored
  int deviations = unbounded;
  bool weak = true;
  std::uint64_t executions = 0;         // that ran to their end
  std::uint64_t redundant = 0;          // given up as repetitions
  std::set<std::vector<int>> outcomes;  // what observe() was told
  std::optional<failure> failed;

  /// "name: 2 threads, up to 20 operations, 1234 executions (+ 5 redundant), complete", then the
  /// failure, if any.
  std::string text() const;
};

/// Fails the execution, with this text, unless the condition holds.
void require(bool condition, const char* what);

/// Adds an outcome to the report. For use in check().
void observe(std::vector<int> outcome);

report explore(const options& how, const program& what);
/// Runs one execution along the given choices, and fills `failed` with its trace in any case.
report replay(const options& how, const program& what, const search::choices& choices);

/// The program made by a class as above, constructed with the arguments.
template <class Program, class... Args>
class program_of {
 public:
  explicit program_of(const Args&... args) {
    what_.threads = Program::threads;
    what_.make = [this, args...] { state_.emplace(args...); };
    what_.run = [this](int thread) { state_->run(thread); };
    what_.check = [this] { state_->check(); };
  }
  program_of(const program_of&) = delete;
  const program& get() const { return what_; }

 private:
  std::optional<Program> state_;
  program what_;
};

template <class Program, class... Args>
report explore(const options& how, const Args&... args) {
  const program_of<Program, Args...> it(args...);
  return explore(how, it.get());
}

template <class Program, class... Args>
report replay(const options& how, const search::choices& choices, const Args&... args) {
  const program_of<Program, Args...> it(args...);
  return replay(how, it.get(), choices);
}

}  // namespace kasuri::model
