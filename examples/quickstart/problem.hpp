// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace quickstart {

/// A program in its serial and its parallel version.
struct problem {
  std::string name;
  std::string size;
  /// Makes a fresh input; not timed.
  std::function<void()> prepare;
  std::function<void()> serial;
  std::function<void()> parallel;
  /// Whether the last run's result is right, and the sentence that says what was checked.
  std::function<bool()> right;
  std::string checked;
};

problem sort_problem();
problem tree_search_problem();
problem queens_problem();

}  // namespace quickstart
