// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace apps {

/// A bar on standard error, for runs longer than a second, only where that is a terminal.
class progress {
 public:
  /// `unit` is shown behind the numbers.
  explicit progress(long total, const char* unit = "");
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// `done` steps of the total are done. Redraws at most ten times a second.
  void at(long done);

 private:
  using clock = std::chrono::steady_clock;

  const long total_;
  const char* const unit_;
  const bool terminal_;
  bool drawn_ = false;
  clock::time_point next_ = clock::now() + std::chrono::seconds(1);
};

}  // namespace apps
