// SPDX-License-Identifier: Apache-2.0
#include <oneapi/tbb.h>

#include <iostream>
#include <utility>

#include "input.hpp"

int main() {
  std::istringstream in = make_lines();
  // Pipeline:
  const auto read = tbb::make_filter<void, std::string>(tbb::filter_mode::serial_in_order,
                                                        [&in](tbb::flow_control& control) {
                                                          std::string line;
                                                          if (!std::getline(in, line))
                                                            control.stop();
                                                          return line;
                                                        });
  const auto work = tbb::make_filter<std::string, std::string>(
      tbb::filter_mode::parallel, [](std::string line) { return shout(std::move(line)); });
  const auto write = tbb::make_filter<std::string, void>(
      tbb::filter_mode::serial_in_order,
      [](const std::string& line) { std::cout << line << '\n'; });
  tbb::parallel_pipeline(16, read & work & write);
  // end
}
