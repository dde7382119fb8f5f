// SPDX-License-Identifier: Apache-2.0
#include "profile/watch/os_threads.hpp"

#include <dirent.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "platform/base/processor_time.hpp"
#include "platform/base/small_file.hpp"
#include "profile/base/json.hpp"

namespace kasuri::profile {
namespace {

/// The text of a file of /proc; empty when the thread is gone.
std::string text_of(int tid, const char* file) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/%s", tid, file);
  return platform::text_of_small_file(path);
}

std::uint64_t number_after(const std::string& text, const char* word) {
  const std::size_t at = text.find(word);
  return at == std::string::npos
             ? 0
             : std::strtoull(text.c_str() + at + std::strlen(word), nullptr, 10);
}

void read_one(int tid, os_threads::counts& c) {
  const std::string stat = text_of(tid, "stat");
  const std::size_t end_of_name = stat.rfind(')');
  if (end_of_name == std::string::npos) return;
  const std::size_t begin = stat.find('(') + 1;
  c.name = stat.substr(begin, end_of_name - begin);
  unsigned long minor = 0, major = 0;
  if (std::sscanf(stat.c_str() + end_of_name + 1, " %*c %*d %*d %*d %*d %*d %*u %lu %*u %lu",
                  &minor, &major) == 2) {
    c.minor_faults = minor;
    c.major_faults = major;
  }
  c.processor = 1e-9 * static_cast<double>(platform::processor_nanoseconds_of(
                           tid, static_cast<std::uint64_t>(c.processor * 1e9)));
  unsigned long long ran = 0, delayed = 0;
  if (std::sscanf(text_of(tid, "schedstat").c_str(), "%llu %llu", &ran, &delayed) == 2)
    c.run_delay = 1e-9 * static_cast<double>(delayed);
  const std::string status = text_of(tid, "status");
  c.switches = number_after(status, "\nvoluntary_ctxt_switches:");
  c.involuntary_switches = number_after(status, "\nnonvoluntary_ctxt_switches:");
}

}  // namespace

void os_threads::look() {
  DIR* const folder = opendir("/proc/self/task");
  if (folder == nullptr) return;
  while (const dirent* const entry = readdir(folder))
    if (const int tid = std::atoi(entry->d_name); tid > 0) read_one(tid, all_[tid]);
  closedir(folder);
}

void os_threads::write(json& to) const {
  to.begin_array();
  for (const auto& [tid, c] : all_) {
    to.begin_object().pair("tid", tid).pair("name", std::string_view(c.name));
    to.pair("processor_s", c.processor).pair("run_delay_s", c.run_delay);
    to.pair("minor_faults", c.minor_faults).pair("major_faults", c.major_faults);
    to.pair("switches", c.switches).pair("involuntary_switches", c.involuntary_switches);
    to.end_object();
  }
  to.end_array();
}

}  // namespace kasuri::profile
