// SPDX-License-Identifier: Apache-2.0
#include "report/output.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace kasuri::report {

void write_file(const std::string& to, const std::string& text) {
  if (to == "-") {
    std::cout << text << std::flush;
    return;
  }
  std::ofstream out(to, std::ios::binary | std::ios::trunc);
  if (out) out << text << std::flush;
  if (!out) throw std::runtime_error(to + ": cannot be written (" + std::strerror(errno) + ")");
}

}  // namespace kasuri::report
