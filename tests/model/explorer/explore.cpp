// SPDX-License-Identifier: Apache-2.0
#include "explore.hpp"

#include <algorithm>

#include "fatal.hpp"

namespace kasuri::model {

namespace {
std::set<std::vector<int>>* observed = nullptr;
constexpr std::size_t shown_operations = 200;  // of a trace: the last ones
}  // namespace

void require(bool condition, const char* what) {
  if (!condition) machine::current().fail(what);
}

void observe(std::vector<int> outcome) {
  if (observed != nullptr) observed->insert(std::move(outcome));
}

report explore(const options& how, const program& what) {
  if (how.reduce && how.deviations != unbounded) {
    fatal("bounded deviations need reduce = false: the schedule kept may be beyond the bound");
  }
  report result;
  result.name = how.name;
  result.threads = what.threads;
  result.deviations = how.deviations;
  result.weak = how.weak;
  observed = &result.outcomes;
  machine runner(what, how.max_steps, how.weak);
  search choices(how.reduce, how.deviations);
  bool more = true;
  bool failed = false;
  while (more && result.executions + result.redundant < how.max_executions) {
    const machine::ending ending = runner.run(choices, nullptr);
    result.operations = std::max(result.operations, runner.operations());
    failed = ending == machine::ending::failed;
    if (failed) break;
    ++(ending == machine::ending::redundant ? result.redundant : result.executions);
    more = choices.advance();
  }
  result.complete = !more;
  observed = nullptr;
  if (failed) result.failed = replay(how, what, choices.taken()).failed;
  return result;
}

report replay(const options& how, const program& what, const search::choices& choices) {
  report result;
  result.name = how.name;
  machine runner(what, how.max_steps, how.weak);
  search script(how.reduce, choices);
  trace log(how.locations);
  runner.run(script, &log);
  result.threads = what.threads;
  result.operations = runner.operations();
  result.executions = 1;
  result.failed = failure{runner.failure(), log.lines(), choices};
  return result;
}

std::string report::text() const {
  std::string result = name + ": " + std::to_string(threads) + " threads, up to " +
                       std::to_string(operations) + " operations, " + std::to_string(executions) +
                       " executions";
  if (redundant != 0) result += " (+ " + std::to_string(redundant) + " redundant)";
  if (deviations != unbounded) result += ", at most " + std::to_string(deviations) + " deviations";
  if (!weak) result += ", sequentially consistent";
  result += complete ? ", complete" : failed ? ", stopped" : ", not complete";
  if (!failed) return result;
  result += "\n  failed: " + failed->what;
  const std::size_t length = failed->trace.size();
  const std::size_t hidden = length > shown_operations ? length - shown_operations : 0;
  if (hidden != 0) result += "\n    ... " + std::to_string(hidden) + " operations";
  for (std::size_t i = hidden; i < length; ++i) result += "\n    " + failed->trace[i];
  if (hidden != 0) return result;
  result += "\n  choices:";
  for (const int choice : failed->choices) result += " " + std::to_string(choice);
  return result;
}

}  // namespace kasuri::model
