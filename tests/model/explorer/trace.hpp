// SPDX-License-Identifier: Apache-2.0
// One execution written down for a human reader.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "operation.hpp"

namespace kasuri::model {

class trace {
 public:
  /// Names of the locations in order of construction; more locations get numbers.
  explicit trace(std::vector<std::string> names) : names_(std::move(names)) {}

  void add(int thread, const operation& op, std::uint64_t value, const char* result);
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::string name(int location) const;

  std::vector<std::string> names_;
  std::vector<std::string> lines_;
};

}  // namespace kasuri::model
