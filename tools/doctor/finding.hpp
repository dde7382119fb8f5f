// SPDX-License-Identifier: Apache-2.0
// A line of `kasuri doctor`, about one thing.
#pragma once

#include <string>
#include <vector>

namespace kasuri::doctor {

enum class grade {
  ok,       // nothing to do
  note,     // may matter for some programs
  warning,  // slows programs down, stops them or makes their times doubtful
};

struct finding {
  grade is = grade::ok;
  std::string topic;
  std::string what;
  std::string advice;  // empty: nothing to do
};

using findings = std::vector<finding>;

/// "ok", "note" or "warning".
const char* name(grade g);

/// One line each.
std::string findings_text(const findings& all);

/// One JSON object.
std::string findings_json(const findings& all);

/// "1.5": as many digits as say something.
std::string number(double value);

}  // namespace kasuri::doctor
