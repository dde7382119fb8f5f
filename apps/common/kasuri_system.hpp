// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kasuri/kasuri.hpp>

#include "apps/common/program.hpp"

namespace apps {

/// Kasuri's own interface. The thread of main() only waits: workers alone run tasks.
inline system kasuri_system() {
  system made;
  made.name = "Kasuri";
  made.start = [](int threads) {
    kasuri::options chosen;
    chosen.workers = threads;
    kasuri::initialize(chosen);
  };
  made.threads = [] { return kasuri::num_workers(); };
  made.enter = [](const std::function<void()>& f) {
    kasuri::task_group whole;
    whole.run(f);
    whole.wait();
  };
  made.by_loop = [enter = made.enter](int n, const std::function<void(int)>& f) {
    enter([&] { kasuri::parallel_for(0, n, f); });
  };
  made.by_tasks = [](int n, const std::function<void(int)>& f) {
    kasuri::task_group all;
    for (int i = 0; i < n; ++i) all.run([&f, i] { f(i); });
    all.wait();
  };
  return made;
}

}  // namespace apps
