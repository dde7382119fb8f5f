// SPDX-License-Identifier: Apache-2.0
// A flat group of tasks of some 10 us, each created behind 1 us of its creator's.
#include <kasuri/kasuri.hpp>

#include <vector>

#include "../count.h"

namespace {

figures flat(std::uint64_t unit) {
  constexpr std::size_t tasks = 1000;
  std::vector<figures> all(tasks);
  figures creator{};
  kasuri::task_group group;
  for (figures& at : all) {
    const std::uint64_t start = ticks();
    static_cast<void>(consume(unit));
    group.run([&at, unit] {
      for (int i = 0; i != 10; ++i) at = then(at, consume(unit));
    });
    creator = then(creator, since(start, unit));
  }
  group.wait();
  figures longest{};
  for (const figures& f : all) longest = beside(longest, f);
  return then(creator, longest);
}

}  // namespace

int main(int argc, char** argv) {
  const long n = read_repetitions(argc, argv);
  const rate clock = begin_rate();
  const std::uint64_t unit = ticks_of_ns(clock, 1000);
  figures all{};
  for (long i = 0; i != n; ++i) all = then(all, kasuri::run([=] { return flat(unit); }));
  return print_figures(seconds_of(clock, all.work), seconds_of(clock, all.span));
}
