// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kasuri/kasuri.hpp>

#include <string>

namespace bench {

struct kasuri_system {
  static constexpr const char* name = "kasuri";
  static std::string version() { return KASURI_BENCH_VERSION; }

  explicit kasuri_system(int workers) {
    kasuri::options options;
    options.workers = workers;
    kasuri::initialize(options);
  }
  ~kasuri_system() { kasuri::finalize(); }
  kasuri_system(const kasuri_system&) = delete;
  kasuri_system& operator=(const kasuri_system&) = delete;

  template <class F>
  void run(F&& f) {
    kasuri::run([&] { f(); });
  }
};

/// visit(begin) + ... + visit(end - 1), every term a task of its own.
template <class Visit>
auto sum_of_tasks(int begin, int end, const Visit& visit) -> decltype(visit(begin)) {
  if (begin == end) return {};
  auto [others, own] =
      kasuri::parallel_invoke([=, &visit] { return sum_of_tasks(begin + 1, end, visit); },
                              [=, &visit] { return visit(begin); });
  return others + own;
}

}  // namespace bench
