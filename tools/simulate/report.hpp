// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "simulate/real_run.hpp"
#include "simulate/simulate.hpp"
#include "simulate/virtual_pool.hpp"

namespace kasuri::simulate {

/// A table on standard output, a line a policy; and the same as JSON where the request asks for it.
class report {
 public:
  report(const request& r, const graph& g, const cost_model& costs, int workers);
  void add(const std::string& policy, const run_result& s);
  /// @throw bad_value when the file cannot be written
  void finish();

 private:
  const request& request_;
  const double serial_;  // ns, all sweeps on one worker, every block as near as can be
  const int workers_;
  const bool table_;
  nlohmann::ordered_json json_;
};

void print_check_head(int cpus);
void print_check(const std::string& policy, int workers, const run_result& s, const real_result& m,
                 bool timed);

}  // namespace kasuri::simulate
