// SPDX-License-Identifier: Apache-2.0
#include <kasuri/global.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace global = kasuri::global;

constexpr std::size_t size = 200'000;
constexpr std::size_t leaf = 10'000;

// Words that all tasks count in.
struct statistics {
  global::ptr<std::uint32_t> odd;
  global::ptr<double> sum;
  global::ptr<double> largest;
};

void look_at(global::view<const double> part, statistics s) {
  std::uint32_t odd = 0;
  double sum = 0;
  double largest = 0;
  for (const double x : global::checkout(part, global::read)) {
    odd += std::fmod(x, 2) == 1;
    sum += x;
    largest = std::fmax(largest, x);
  }
  global::fetch_add(s.odd, odd);
  global::fetch_add(s.sum, sum);
  global::fetch_max(s.largest, largest);
}

int main() {
  // Start:
  global::start({.cache_size = 16 << 20});
  // end
  global::vector<double> x(size);
  const global::view<double> v = x.view();

  const bool right = global::run([v] {
    // At each part's home: what is written there does not travel.
    global::task_group group;
    for (std::size_t at = 0; at < size; at += leaf) {
      const auto part = v.subview(at, leaf);
      group.run([part, at] {
        global::at_home(part.begin(), [part, at] {
          double next = static_cast<double>(at % 1000);
          for (double& each : global::checkout(part, global::write)) each = next++;
        });
      });
    }
    group.wait();

    const statistics s{global::allocate<std::uint32_t>(1), global::allocate<double>(1),
                       global::allocate<double>(1)};
    global::atomic_store(s.odd, 0);
    global::atomic_store(s.sum, 0);
    global::atomic_store(s.largest, 0);
    constexpr std::size_t quarter = size / 4;
    const auto look = [v, s](std::size_t first) {
      return [part = v.subview(first, quarter), s] { look_at(part, s); };
    };
    global::parallel_invoke(look(0), look(quarter), look(2 * quarter), look(3 * quarter));
    return global::atomic_load(s.odd) == size / 2 && global::atomic_load(s.largest) == leaf - 1 &&
           global::atomic_load(s.sum) == size * (leaf - 1) / 2.0;
  });

  // Outside of runs each rank has values of its own.
  const auto plus = [](int a, int b) { return a + b; };
  const int mine = global::rank() + 1;
  const int before = global::exclusive_scan(mine, 0, plus);
  const int all = global::all_reduce(mine, plus);
  const int ranks = global::num_ranks();
  if (global::broadcast(global::rank(), ranks - 1) != ranks - 1) return 1;
  if (global::rank() == 0) std::printf("%d ranks: %s\n", ranks, right ? "right" : "wrong");
  return right && before == mine * (mine - 1) / 2 && all == ranks * (ranks + 1) / 2 ? 0 : 1;
}
