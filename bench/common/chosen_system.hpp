// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include BENCH_SYSTEM_HEADER

#include "bench.hpp"

/// The system that this program is compiled for. The build names its header, its class and the name
/// that stands in the results (BENCH_SYSTEM_HEADER, BENCH_SYSTEM_CLASS, BENCH_SYSTEM); its version
/// where the header does not know it (BENCH_SYSTEM_VERSION, else empty).
namespace bench {

struct chosen_system : kasuri::model::BENCH_SYSTEM_CLASS {
  using base = kasuri::model::BENCH_SYSTEM_CLASS;
  using base::base;
  static constexpr const char* name = BENCH_SYSTEM;
  static std::string version() {
    const std::string known = base::version();
    return known.empty() ? BENCH_SYSTEM_VERSION : known;
  }

  /// For a system that keeps account of its workers' time.
  template <class System = base>
    requires requires { System::seconds_spent(); }
  std::vector<metric> spent() const {
    const auto sum = System::seconds_spent();
    return {{"work", "s", sum.work},
            {"overhead", "s", sum.overhead},
            {"idle-ready", "s", sum.idle_ready},
            {"idle-empty", "s", sum.idle_empty}};
  }
};

namespace detail {

/// The parameter sets of a problem that has several, or one without a name.
template <class Problem>
std::vector<std::string> inputs_of() {
  if constexpr (requires { Problem::inputs; }) {
    return {Problem::inputs.begin(), Problem::inputs.end()};
  } else {
    return {""};
  }
}

template <class Way, class Problem, class Program>
typename Problem::answer solved_by(const Program& program, Problem& p) {
  typename Problem::answer found{};
  kasuri::model::enter<Way>([&] { found = program.template operator()<Way>(p); });
  return found;
}

/// A way of pairs has the groups of another way.
template <class Way, class... All>
inline constexpr bool only_borrows_groups = kasuri::model::pairing<Way> && sizeof...(All) > 1;

template <class Problem, class Program, class... Way>
std::vector<variant<Problem>> variants_of(const Program& program, kasuri::model::ways<Way...>) {
  std::vector<variant<Problem>> all;
  const auto add = [&]<class W>(const std::string& input) {
    if constexpr (!(requires { Problem::of_groups; } && only_borrows_groups<W, Way...>)) {
      all.push_back({W::name, [program](Problem& p) { return solved_by<W>(program, p); }, input});
    }
  };
  for (const std::string& input : inputs_of<Problem>()) {
    (add.template operator()<Way>(input), ...);
  }
  return all;
}

}  // namespace detail

/// A variant for each way of the chosen system: program.operator()<Way>(problem).
template <class Problem, class Program>
std::vector<variant<Problem>> every_way(const Program& program) {
  return detail::variants_of<Problem>(program, chosen_system::ways{});
}

/// The whole of main() for a program of the common model.
template <class Problem, class Program>
int run_model(int argc, char** argv, const Program& program) {
  return run<chosen_system, Problem>(argc, argv, every_way<Problem>(program));
}

}  // namespace bench
