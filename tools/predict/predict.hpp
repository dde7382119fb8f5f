// SPDX-License-Identifier: Apache-2.0
// `kasuri predict`: how fast a recorded program would be on another machine.
#pragma once

#include <string>
#include <vector>

namespace kasuri::predict {

struct predict_request {
  std::vector<std::string> profiles;  // of one program, on one number of workers each
  std::string machine;                // as of kasuri simulate; empty: as many workers as asked for
  std::vector<int> workers;           // empty: 1, 2, 4 and so on up to the machine's
  std::vector<std::string> costs;     // NAME=NS
  bool calibrate = false;             // measures this machine's costs
  std::string json;                   // a file; - is standard output
  std::string html;                   // a file
};

/// Prints a table. Returns 2 where an argument is not accepted.
int predict_command(const predict_request& request);

}  // namespace kasuri::predict
