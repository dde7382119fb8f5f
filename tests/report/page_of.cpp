// SPDX-License-Identifier: Apache-2.0
// Reads a report's JSON from the standard input and writes its page to the standard output.
#include "report/page/page.hpp"

#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

int main() {
  try {
    std::cout << kasuri::report::page(nlohmann::json::parse(std::cin));
  } catch (const std::exception& e) {
    std::cerr << "page_of: the standard input is not a report's JSON: " << e.what() << '\n';
    return 1;
  }
  return std::cout.flush() ? 0 : 1;
}
