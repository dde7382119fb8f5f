// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/bench.hpp"

/// Random 32-bit integers, and what is common to programs that sort them.
namespace bench::sort {

using keys = std::vector<std::uint32_t>;

/// Numbers from a 64-bit linear congruential generator (Knuth's MMIX constants): the same in every
/// language.
class draws {
 public:
  std::uint32_t next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>(state_ >> 32);
  }

 private:
  std::uint64_t state_ = 42;
};

inline keys random_keys(std::size_t n) {
  keys result(n);
  draws random;
  for (auto& key : result) key = random.next();
  return result;
}

inline std::uint64_t fingerprint_of(std::uint32_t key) { return key * std::uint64_t{key} + key; }

/// Order-independent fingerprint: the same keys must come out.
inline std::uint64_t sum(const keys& all) {
  std::uint64_t total = 0;
  for (const auto key : all) total += fingerprint_of(key);
  return total;
}

/// n random keys, to be sorted once.
struct random_problem {
  struct answer {};  ///< the sorted keys stay in the problem

  explicit random_problem(const arguments& args)
      : random_problem(static_cast<std::size_t>(args.size_or(10'000'000, 1'000'000))) {}
  explicit random_problem(std::size_t n) : input(random_keys(n)), fingerprint(sum(input)) {}

  random_problem rehearsal() const {
    return random_problem(std::min<std::size_t>(input.size(), 100'000));
  }
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

}  // namespace bench::sort
