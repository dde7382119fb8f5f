// SPDX-License-Identifier: Apache-2.0
// A prediction and the ways to tell it.
#pragma once

#include <string>
#include <vector>

#include "predict/parts.hpp"

namespace kasuri::predict {

/// A line of the table.
struct prediction {
  int workers = 1;
  times wall;
  std::string largest = {};  // the part that takes most of it
};

/// A run that was recorded.
struct measured_run {
  int workers = 1;
  double seconds = 0;
};

struct outcome {
  std::string program = {};
  int recorded_on = 1;
  double recorded = 0;  // seconds
  double work = 0;      // seconds
  double on_one = 0;    // seconds, predicted
  std::vector<prediction> predictions = {};
  std::vector<measured_run> measured = {};
  std::vector<std::string> notes = {};

  [[nodiscard]] double speedup(double seconds) const { return seconds > 0 ? on_one / seconds : 0; }
};

/// To standard output.
void print(const outcome& all);

/// `to`: a file; - is standard output. Throws std::runtime_error where it cannot be written.
void write_json(const std::string& to, const outcome& all);

/// A page that needs nothing else. Throws as write_json.
void write_page(const std::string& to, const outcome& all);
/// The page's text.
std::string page_of(const outcome& all);

}  // namespace kasuri::predict
