// SPDX-License-Identifier: Apache-2.0
// An unbalanced tree as of UTS: the number of a node's children follows from a hash of its path,
// and each child is a task of its parent's group.
#include <kasuri/kasuri.hpp>

#include <array>

#include "../count.h"

namespace {

constexpr int most_children = 8;
constexpr int depth = 12;

std::uint64_t hash(std::uint64_t x) {
  x = (x ^ (x >> 31)) * 0x7fb5d329728ea185u;
  x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44du;
  return x ^ (x >> 33);
}

/// Most have none, and the mean is a little above 1.
int children_of(std::uint64_t name, int level) {
  if (level == 0) return most_children;
  if (level == depth) return 0;
  const std::uint64_t h = hash(name) % 100;
  return h < 55 ? 0 : h < 90 ? 2 : most_children;
}

figures node(std::uint64_t unit, std::uint64_t name, int level) {
  const figures own = consume(unit);
  const int children = children_of(name, level);
  if (children == 0) return own;
  std::array<figures, most_children> all{};
  kasuri::task_group group;
  for (int i = 0; i != children; ++i)
    group.run([=, &at = all[static_cast<std::size_t>(i)]] {
      at = node(unit, hash(name + static_cast<std::uint64_t>(i) + 1), level + 1);
    });
  group.wait();
  figures sides{};
  for (const figures& f : all) sides = beside(sides, f);
  return then(own, sides);
}

}  // namespace

int main(int argc, char** argv) {
  const long n = read_repetitions(argc, argv);
  const rate clock = begin_rate();
  const std::uint64_t unit = ticks_of_ns(clock, 5000);
  figures all{};
  for (long i = 0; i != n; ++i)
    all = then(all, kasuri::run([=] { return node(unit, static_cast<std::uint64_t>(i), 0); }));
  return print_figures(seconds_of(clock, all.work), seconds_of(clock, all.span));
}
