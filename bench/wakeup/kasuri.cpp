// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include <tuple>

#include "wakeup/problem.hpp"

namespace {

using namespace bench::wakeup;

constexpr auto by_group = [](start_signal& signal) {
  kasuri::task_group group;
  group.run([&signal] { signal.give(); });
  const double started = signal.wait();
  group.wait();
  return started;
};

constexpr auto by_invoke = [](start_signal& signal) {
  return std::get<0>(
      kasuri::parallel_invoke([&signal] { return signal.wait(); }, [&signal] { signal.give(); }));
};

}  // namespace

int main(int argc, char** argv) {
  const auto group = [](problem& p) { return sample(p, by_group); };
  const auto invoke = [](problem& p) { return sample(p, by_invoke); };
  return bench::run<bench::chosen_system, problem>(argc, argv,
                                                   {{"spinning", group},
                                                    {"asleep", group},
                                                    {"spinning-invoke", invoke},
                                                    {"asleep-invoke", invoke}});
}
