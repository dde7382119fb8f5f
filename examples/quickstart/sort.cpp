// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "problem.hpp"

namespace quickstart {
namespace {

constexpr std::size_t count = 10'000'000;

struct sort_run {
  std::vector<std::uint32_t> input;
  std::vector<std::uint32_t> sorted;
  std::uint64_t sum = 0;  // of the input: a sort that loses or doubles numbers changes it

  sort_run() : input(count) {
    std::mt19937 random(1);
    std::generate(input.begin(), input.end(), random);
    sum = std::accumulate(input.begin(), input.end(), std::uint64_t{0});
  }

  bool right() const {
    return std::is_sorted(sorted.begin(), sorted.end()) &&
           std::accumulate(sorted.begin(), sorted.end(), std::uint64_t{0}) == sum;
  }
};

}  // namespace

problem sort_problem() {
  auto run = std::make_shared<sort_run>();
  return {.name = "sort",
          .size = "10^7 integers, std::sort",
          .prepare = [=] { run->sorted = run->input; },
          .serial = [=] { std::sort(run->sorted.begin(), run->sorted.end()); },
          .parallel = [=] { kasuri::parallel_sort(run->sorted.begin(), run->sorted.end()); },
          .right = [=] { return run->right(); },
          .checked = "in order, same sum"};
}

}  // namespace quickstart
