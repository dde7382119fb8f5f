// SPDX-License-Identifier: Apache-2.0
#include "cluster/ranks.hpp"

#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <exception>
#include <memory>

#include <kasuri/global/checkout.hpp>
#include <kasuri/global/run.hpp>
#include <kasuri/global/start.hpp>
#include <kasuri/global/vector.hpp>
#include <kasuri/runtime.hpp>

#include "common/command_line.hpp"
#include "common/progress.hpp"

namespace apps {

void add_ranks_options(CLI::App& app, ranks_request& r) {
  app.add_option("--workers", r.workers,
                 "Workers of each process; without it KASURI_NUM_WORKERS decides.")
      ->check(whole_number(1, 2048));
  app.add_option("--repeat", r.repeat, "Rounds, each from the same input (1).")
      ->check(whole_number(1, 1000000));
}

void start_ranks(const ranks_request& r) {
  if (r.workers != 0) {
    kasuri::options chosen;
    chosen.workers = r.workers;
    kasuri::initialize(chosen);
  }
  kasuri::global::start();
}

bool speaks() { return kasuri::global::rank() == 0; }

void say(const char* format, ...) {
  if (!speaks()) return;
  std::va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
}

std::vector<double> seconds_of(int rounds, const std::function<void()>& prepare,
                               const std::function<void()>& work) {
  using clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  for (int i = 0; i < rounds; ++i) {
    prepare();
    const clock::time_point begin = clock::now();
    work();
    seconds.push_back(std::chrono::duration<double>(clock::now() - begin).count());
  }
  return seconds;
}

std::vector<double> timed_rounds(int rounds, const std::function<void()>& prepare,
                                 const std::function<void()>& work) {
  const std::unique_ptr<progress> bar = speaks() ? std::make_unique<progress>(rounds) : nullptr;
  int done = 0;
  return seconds_of(rounds, prepare, [&] {
    work();
    if (bar) bar->at(++done);
  });
}

void report_times(const std::vector<double>& seconds) {
  say("ranks      %d, %d workers each\n", kasuri::global::num_ranks(), kasuri::num_workers());
  say("time       %.4f s\n", seconds.front());
  if (seconds.size() < 2) return;
  std::vector<double> others(seconds.begin() + 1, seconds.end());
  std::sort(others.begin(), others.end());
  say("median     %.4f s of %zu further rounds, %.4f to %.4f s\n", others[others.size() / 2],
      others.size(), others.front(), others.back());
}

std::uint64_t sum_over_ranks(std::uint64_t mine) {
  namespace global = kasuri::global;
  const global::vector<std::uint64_t> all(static_cast<std::size_t>(global::num_ranks()));
  global::put(all.begin() + global::rank(), mine);
  return global::run([v = all.view()] {
    std::uint64_t sum = 0;
    for (const std::uint64_t each : global::checkout(v, global::read)) sum += each;
    return sum;
  });
}

int guarded(const char* program, const std::function<int()>& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return status_differs;
  }
}

}  // namespace apps
