// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/chosen_system.hpp"
#include "common/thread_model.hpp"
#include "create/problem.hpp"

namespace bench::create {

template <class Way>
constexpr auto loop = [](long n, auto task) {
  if constexpr (kasuri::model::pairing<Way>) {
    for (long i = 0; i < n; ++i) kasuri::model::fork_join<Way>([] {}, task);
  } else {
    kasuri::model::children<Way> tasks;
    for (long i = 0; i < n; ++i) {
      tasks.spawn(task);
      tasks.wait();
    }
  }
};

/// The system's own create and join beside what the model makes of them: a variant more for each
/// way that is made of threads.
template <class Way>
void add_raw(std::vector<variant<problem>>& all) {
  if constexpr (requires { typename Way::threads; }) {
    const auto raw = []<class W>(problem& p) {
      return p.solve(thread_model::create_and_join<typename W::threads>,
                     &thread_model::empty_thread, &thread_model::counting_thread);
    };
    all.push_back({std::string(Way::name) + "_raw",
                   [raw](problem& p) { return bench::detail::solved_by<Way>(raw, p); }});
  }
}

template <class... Way>
void add_raw_of(std::vector<variant<problem>>& all, kasuri::model::ways<Way...>) {
  (add_raw<Way>(all), ...);
}

inline std::vector<variant<problem>> model_variants() {
  auto all = every_way<problem>([]<class Way>(problem& p) { return p.solve(loop<Way>); });
  add_raw_of(all, chosen_system::ways{});
  return all;
}

}  // namespace bench::create
