// SPDX-License-Identifier: Apache-2.0
// The same sort over oneTBB's tasks and plain memory, for comparison.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_invoke.h>

#include "cilksort/leaf.hpp"
#include "common/arguments.hpp"

namespace {

using namespace cilksort;
using keys = std::span<key>;

void merge(keys a, keys b, keys out, std::size_t cutoff) {
  if (out.size() <= cutoff)
    return merge_keys(a.data(), a.data() + a.size(), b.data(), b.data() + b.size(), out.data());
  if (a.size() < b.size()) return merge(b, a, out, cutoff);
  const std::size_t i = a.size() / 2;
  const auto j = static_cast<std::size_t>(std::lower_bound(b.begin(), b.end(), a[i]) - b.begin());
  tbb::parallel_invoke([=] { merge(a.first(i), b.first(j), out.first(i + j), cutoff); },
                       [=] { merge(a.subspan(i), b.subspan(j), out.subspan(i + j), cutoff); });
}

void sort(keys v, keys room, std::size_t cutoff, leaf_sort leaf) {
  const std::size_t n = v.size();
  if (n <= cutoff) return sort_keys(v.data(), n, leaf);
  const std::size_t half = n / 2;
  const std::size_t quarter = n / 4;
  const auto part = [=](std::size_t at, std::size_t size) {
    sort(v.subspan(at, size), room.subspan(at, size), cutoff, leaf);
  };
  const auto join = [=](std::size_t at, std::size_t a, std::size_t b) {
    merge(v.subspan(at, a), v.subspan(at + a, b), room.subspan(at, a + b), cutoff);
  };
  const std::size_t last = n - half - quarter;
  tbb::parallel_invoke(
      [=] {
        tbb::parallel_invoke([=] { part(0, quarter); }, [=] { part(quarter, half - quarter); });
        join(0, quarter, half - quarter);
      },
      [=] {
        tbb::parallel_invoke([=] { part(half, quarter); }, [=] { part(half + quarter, last); });
        join(half, quarter, last);
      });
  merge(room.first(half), room.subspan(half), v, cutoff);
}

/// Seconds of one sort; ends the program where its result is wrong.
double timed_round(std::vector<key>& data, std::vector<key>& room, std::size_t cutoff,
                   leaf_sort leaf) {
  using clock = std::chrono::steady_clock;
  fingerprint expected;
  for (std::size_t i = 0; i < data.size(); ++i) expected.add(data[i] = input_key(1, i));
  const clock::time_point begin = clock::now();
  sort(data, room, cutoff, leaf);
  const double seconds = std::chrono::duration<double>(clock::now() - begin).count();
  fingerprint got;
  for (const key k : data) got.add(k);
  if (!std::is_sorted(data.begin(), data.end()) || !(got == expected)) apps::refuse("check WRONG");
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  int keys = 10'000'000;
  int cutoff = 16384;
  int workers = 2;
  int repeat = 1;
  std::string leaf = "standard";
  apps::arguments options;
  options.number("--keys", keys, 1, 2'000'000'000, "32-bit numbers to sort");
  options.number("--cutoff", cutoff, 16, longest_leaf, "keys that one worker sorts or merges");
  options.number("--workers", workers, 1, 2048, "threads");
  options.number("--repeat", repeat, 1, 1'000'000, "rounds");
  options.word("--leaf", leaf, {"standard", "digits"}, "how leaves are sorted");
  options.parse(argc, argv);

  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(workers));
  std::vector<key> data(static_cast<std::size_t>(keys));
  std::vector<key> room(data.size());
  const leaf_sort how = leaf == "digits" ? leaf_sort::digits : leaf_sort::standard;
  std::vector<double> seconds;
  for (int i = 0; i < repeat; ++i)
    seconds.push_back(timed_round(data, room, static_cast<std::size_t>(cutoff), how));
  std::printf("time       %.4f s\n", seconds.front());
  std::sort(seconds.begin(), seconds.end());
  std::printf("median     %.4f s of %d rounds, %.4f to %.4f s\n", seconds[seconds.size() / 2],
              repeat, seconds.front(), seconds.back());
}
