// SPDX-License-Identifier: Apache-2.0
#include "report/words.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace kasuri::report {

std::string say(const char* format, ...) {
  char text[1024];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return text;
}

std::string duration(double seconds) {
  if (seconds >= 1) return say("%.2f s", seconds);
  if (seconds >= 1e-3) return say("%.3g ms", seconds * 1e3);
  if (seconds >= 1e-6) return say("%.3g us", seconds * 1e6);
  return say("%.0f ns", seconds * 1e9);
}

std::string so_many_workers(int workers) {
  return say(workers == 1 ? "%d worker" : "%d workers", workers);
}

std::string how_much_faster(double seconds, double gain_s) {
  const double left = std::max(seconds - gain_s, seconds / 1000);
  return say("at most %.2f times as fast without that", seconds / left);
}

std::string at_place(const place& where) { return where.known() ? " at " + where.text() : ""; }

}  // namespace kasuri::report
