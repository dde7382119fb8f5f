// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/bench.hpp"

/// Sorting random 32-bit integers. The variant "unstable" may reorder equal keys, "stable" pays
/// for not doing so.
namespace bench::sort {

using keys = std::vector<std::uint32_t>;

/// Keys from a 64-bit linear congruential generator (Knuth's MMIX constants): the same in every
/// language.
inline keys random_keys(std::size_t n) {
  keys result(n);
  std::uint64_t state = 42;
  for (auto& key : result) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    key = static_cast<std::uint32_t>(state >> 32);
  }
  return result;
}

/// Order-independent fingerprint: the same keys must come out.
inline std::uint64_t sum(const keys& all) {
  std::uint64_t total = 0;
  for (const auto key : all) total += key * std::uint64_t{key} + key;
  return total;
}

struct problem {
  static constexpr const char* name = "sort";
  struct answer {};  ///< the sorted keys stay in the problem

  explicit problem(const arguments& args)
      : problem(static_cast<std::size_t>(args.size_or(10'000'000, 1'000'000))) {}
  explicit problem(std::size_t n) : input(random_keys(n)), fingerprint(sum(input)) {}

  problem rehearsal() const { return problem(std::min<std::size_t>(input.size(), 100'000)); }
  void prepare() { data = input; }
  std::string wrong(const answer&) const {
    if (!std::is_sorted(data.begin(), data.end())) return "the keys are not in order";
    return sum(data) == fingerprint ? "" : "keys were lost or changed";
  }
  std::vector<metric> metrics(double seconds, const answer&) const {
    return {{"time", "s", seconds}};
  }

  keys input;
  std::uint64_t fingerprint;
  keys data;
};

/// A variant from a function that sorts a range.
template <class Sort>
variant<problem> sorted_by(const char* name, Sort sort) {
  return {name, [sort](problem& p) {
            sort(p.data.begin(), p.data.end());
            return problem::answer{};
          }};
}

}  // namespace bench::sort
