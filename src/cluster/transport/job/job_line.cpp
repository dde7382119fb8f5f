// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/job/job_line.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string_view>

#include "cluster/transport/job/job_file.hpp"
#include "cluster/transport/job/job_place.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::cluster {
namespace {

constinit std::atomic<job_control*> named{nullptr};
constinit std::atomic<pid_t> named_by{0};

// The file of a job that this process was started for and has not joined.
job_file unjoined_job() {
  const char* text = std::getenv("KASURI_JOB");
  const auto place = parse_job_place(text == nullptr ? "" : text);
  return job_file::adopt(place ? place->descriptor : -1);
}

void say(std::string_view message) {
  job_control* const joined = named.load(std::memory_order_relaxed);
  if (joined != nullptr && named_by.load(std::memory_order_relaxed) == ::getpid()) {
    report_failure(*joined, message);
    return;
  }
  job_control own{};  // of a process that fails for itself
  const job_file unjoined = joined == nullptr ? unjoined_job() : job_file::adopt(-1);
  report_failure(unjoined.valid() ? unjoined.control() : own, message);
}

[[gnu::constructor]] void say_failures_of_the_start() { platform::say_fatal_by(say); }

}  // namespace

void say_failures_once(job_control* control) {
  named_by.store(::getpid(), std::memory_order_relaxed);
  named.store(control, std::memory_order_relaxed);
}

}  // namespace kasuri::cluster
