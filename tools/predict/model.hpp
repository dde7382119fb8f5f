// SPDX-License-Identifier: Apache-2.0
// A recorded run as a sum of parts, for any number of workers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/cpu/topology.hpp"
#include "predict/parts.hpp"
#include "report/measures.hpp"
#include "simulate/cost_model.hpp"

namespace kasuri::predict {

/// The machine that the run is predicted for.
struct target {
  platform::topology machine;
  simulate::cost_model costs;
};

class model {
 public:
  model(const report::measures& m, const target& t);

  /// Wall seconds, without stretch of the work.
  [[nodiscard]] times on(int workers) const;
  /// The part that takes most of it.
  [[nodiscard]] std::string largest_part(int workers) const;
  /// The workers that it was recorded on, and the wall seconds of that run.
  [[nodiscard]] int recorded_on() const { return recorded_on_; }
  [[nodiscard]] double recorded() const { return recorded_; }
  /// Processor time of all tasks, in that run.
  [[nodiscard]] double work() const { return work_; }
  /// A line for each thing that it cannot know.
  [[nodiscard]] const std::vector<std::string>& doubts() const { return doubts_; }

 private:
  void add_phases(const report::measures& m);
  void add_openmp_tasks(const report::measures& m);
  /// Its work in seconds; 0: there is none.
  [[nodiscard]] double add_tree(const report::measures& m, const target& t);
  [[nodiscard]] times of_parts(int workers) const;

  std::vector<std::unique_ptr<part>> parts_;
  std::vector<std::string> doubts_;
  int recorded_on_ = 1;
  double recorded_ = 0;
  double work_ = 0;
  double rest_ = 0;  // of the recorded run, in no part
};

}  // namespace kasuri::predict
