// SPDX-License-Identifier: Apache-2.0
#include "report/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace kasuri::report {
namespace {

[[noreturn]] void refuse(const std::string& to, int error) {
  throw std::runtime_error(to + ": cannot be written (" + std::strerror(error) + ")");
}

}  // namespace

void write_file(const std::string& to, const std::string& text) {
  if (to == "-") {
    std::cout << text << std::flush;
    return;
  }
  std::ofstream out(to, std::ios::binary | std::ios::trunc);
  if (out) out << text << std::flush;
  if (!out) refuse(to, errno);
}

void expect_writable(const std::string& to) {
  if (to.empty() || to == "-") return;
  const int made = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (made >= 0) {
    ::close(made);
    ::unlink(to.c_str());
    return;
  }
  if (errno != EEXIST) refuse(to, errno);
  struct stat is{};
  // A link to nothing yet is left to be followed when the file is written.
  if (::stat(to.c_str(), &is) != 0) return;
  if (S_ISDIR(is.st_mode)) refuse(to, EISDIR);
  if (::access(to.c_str(), W_OK) != 0) refuse(to, errno);
}

}  // namespace kasuri::report
