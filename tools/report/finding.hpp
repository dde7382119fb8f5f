// SPDX-License-Identifier: Apache-2.0
// The answer of one rule: something that limits a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/places.hpp"

namespace kasuri::report {

class measures;

struct finding {
  std::string rule;           // its short name: serial, lock, imbalance, ...
  std::string sentence = {};  // the finding in words, with figures and place
  std::string advice = {};    // the remedy
  double gain_s = 0;          // wall seconds that the run would be shorter by
  place where;
  bool sure = true;
};

/// A rule looks at one thing. Nothing: it is not so, or too little of it to matter.
using rule = std::optional<finding> (*)(const measures& m);

std::optional<finding> others_rule(const measures& m);
std::optional<finding> recording_rule(const measures& m);
std::optional<finding> serial_rule(const measures& m);
std::optional<finding> parallelism_rule(const measures& m);
std::optional<finding> uneven_tasks_rule(const measures& m);
std::optional<finding> dependences_rule(const measures& m);
std::optional<finding> short_tasks_rule(const measures& m);
std::optional<finding> lock_rule(const measures& m);
std::optional<finding> imbalance_rule(const measures& m);
std::optional<finding> stretch_rule(const measures& m);
std::optional<finding> first_touch_rule(const measures& m);
std::optional<finding> delay_rule(const measures& m);
std::optional<finding> blocked_rule(const measures& m);
std::optional<finding> remote_rule(const measures& m);
std::optional<finding> gil_rule(const measures& m);

/// What stretch_rule finds, whatever the reason.
std::optional<finding> stretched_work(const measures& m);

/// Processor seconds, of all workers, that the code of a file took more than on one worker. 0 where
/// no such run is known.
double stretch_in_file(const measures& m, const place& where);

/// A gain below this part of the wall time is not worth a sentence.
inline constexpr double least_gain = 0.05;

/// All that hold, what matters most first; at most three. What makes the others unsure comes first
/// whatever it would gain.
std::vector<finding> find_all(const measures& m);

}  // namespace kasuri::report
