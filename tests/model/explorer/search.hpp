// SPDX-License-Identifier: Apache-2.0
// Depth-first search over everything that is left open: who runs next, which message a load reads.
//
// The search is stateless: an execution is a list of choices, and the next one is found by running
// the program again along the same list up to the last choice that has an untried alternative.
//
// Reduction (Abdulla, Aronis, Jonsson, Sagonas: "Optimal dynamic partial order reduction", POPL
// 2014; the source-set variant). Schedules that differ only in the order of independent operations
// are one execution:
// - `wanted` of a scheduling point starts with one process. When a later event e turns out to race
//   with an event d (dependent, neither enables the other), a process that can begin the reversed
//   order is added to `wanted` of the point where d was chosen.
// - `asleep` holds processes whose next step has been explored from here, or from further up with
//   nothing dependent in between: taking it again would repeat an execution. When all that could
//   run are asleep the run is redundant and is given up.
// Loads choose among old messages, so one more rule is needed to count an execution once: an
// operation passes over a message (reads an older one, writes below it) only if that message is in
// its causal past. Otherwise the operation could have been scheduled before the message was
// written, and it is explored there. See docs/design/model-checking.md for why nothing is lost.
//
// Without reduction every schedule is tried, or all with a bounded number of deviations
// (explore.hpp says what counts as one).
#pragma once

#include <cstddef>
#include <vector>

#include "causality.hpp"
#include "operation.hpp"

namespace kasuri::model {

inline constexpr int unbounded = -1;

class search {
 public:
  /// Choices of one execution, for replay: the process at a scheduling point, else an index.
  using choices = std::vector<int>;

  static constexpr int redundant = -1;

  search(bool reduce, int deviations) : reduce_(reduce), deviations_(deviations) {}
  /// Follows the given choices, once; they were taken with the same `reduce`.
  search(bool reduce, const choices& script) : reduce_(reduce), script_(&script) {}

  void begin_execution();
  /// Moves on to the next execution; false when there is none.
  bool advance();

  /// The process to run next, or `redundant`. `current` is the thread that ran last, or -1.
  int choose_process(process_set enabled, int current);
  /// An index below `count`; `deviates` when all but the first are deviations.
  int choose_value(int count, bool deviates);
  /// The chosen process has executed `op`; `next` holds the next operation of every process.
  clock record(int process, const operation& op, const operation* next);
  void enable(int process, int cause) { causality_.enable(process, cause); }

  bool reduces() const { return reduce_; }
  clock past(int process, bool sequential) const { return causality_.past(process, sequential); }
  choices taken() const;

 private:
  struct node {
    process_set enabled = 0;  // 0: a choice among `count` values
    process_set asleep = 0;
    process_set tried = 0;
    process_set wanted = 0;
    int chosen = 0;
    int count = 0;
    int deviations = 0;  // before it
    int current = -1;
  };
  struct event {
    int process;
    tick index;
    std::size_t at;  // its scheduling point in path_
    clock past;
  };

  node make_point(process_set enabled, int current) const;
  process_set affordable(const node& point) const;
  int pick(const node& point) const;
  int spent(const node& point, int process) const;
  int scripted();
  void reverse_races(const std::array<tick, max_processes>& races);
  process_set reversed_beginnings(std::size_t position) const;

  const bool reduce_;
  const int deviations_ = unbounded;
  const choices* const script_ = nullptr;

  std::vector<node> path_;
  std::size_t cursor_ = 0;    // choices taken in this execution
  std::size_t replayed_ = 0;  // choices that the previous execution fixed for this one
  std::size_t point_ = 0;     // the latest scheduling point
  process_set asleep_ = 0;    // for the next scheduling point
  int spent_ = 0;             // deviations so far
  causality causality_;
  std::vector<event> trace_;
  std::array<std::vector<std::size_t>, max_processes> positions_;  // in trace_, by event index - 1
};

}  // namespace kasuri::model
