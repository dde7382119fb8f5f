// SPDX-License-Identifier: Apache-2.0
// `kasuri report`: runs a program, and says what limits it.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/measures.hpp"

namespace kasuri::report {

struct report_request {
  std::string kasuri;                    // the command's file
  std::vector<std::string> run_options;  // passed on to `kasuri run`
  std::vector<std::string> program;      // empty: a profile is given
  std::string profile;                   // read this one instead of running anything
  std::string one_worker;  // a profile on one worker; empty: run it if the run is short; none
  std::string keep;        // where the profile is kept
  std::string json;        // files to write; - is standard output
  std::string html;
  std::string output;  // of the text; empty: standard error
  // Speed-ups on other numbers of workers, for the page and the JSON; may be empty.
  std::function<nlohmann::json(const measures&)> replay;
};

/// Returns the program's status; 2 where an argument is not accepted, 1 where something cannot be
/// written.
int report_command(const report_request& request);

}  // namespace kasuri::report
