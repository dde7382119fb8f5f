// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <iostream>
#include <optional>
#include <utility>

#include "input.hpp"

int main() {
  std::istringstream in = make_lines();
  // Pipeline:
  const auto read = [&in]() -> std::optional<std::string> {
    std::string line;
    if (!std::getline(in, line)) return std::nullopt;
    return line;
  };
  kasuri::pipeline(16, read,
                   kasuri::parallel([](std::string line) { return shout(std::move(line)); }),
                   kasuri::in_order([](const std::string& line) { std::cout << line << '\n'; }));
  // end
}
