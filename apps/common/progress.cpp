// SPDX-License-Identifier: Apache-2.0
#include "common/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace apps {

progress::progress(long total, const char* unit)
    : total_(total), unit_(unit), terminal_(::isatty(STDERR_FILENO) == 1) {}

progress::~progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void progress::at(long done) {
  if (!terminal_ || clock::now() < next_) return;
  constexpr long width = 40;
  const auto filled = static_cast<std::size_t>(width * std::min(done, total_) / total_);
  const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
  std::fprintf(stderr, "\r[%s] %ld of %ld%s", bar.c_str(), done, total_, unit_);
  drawn_ = true;
  next_ = clock::now() + std::chrono::milliseconds(100);
}

}  // namespace apps
