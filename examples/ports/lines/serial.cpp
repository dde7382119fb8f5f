// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <utility>

#include "input.hpp"

int main() {
  std::istringstream in = make_lines();
  std::string line;
  while (std::getline(in, line)) std::cout << shout(std::move(line)) << '\n';
}
