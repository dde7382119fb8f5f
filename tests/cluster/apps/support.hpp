// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/run.hpp"
#include "kasuri/global/vector.hpp"

/// Arrays in global memory beside the same numbers on every rank. The tests run alone and on ranks.
namespace kasuri::global::test {

/// The sizes at which leaves and pieces begin and end, for a cut-off of 100.
inline const std::vector<std::size_t> sizes = {0,   1,   2,   3,   99,   100,
                                               101, 199, 200, 201, 1000, 12'345};

inline policy small_leaves() { return {.cutoff = 100, .checkout = 40}; }

/// Numbers below `limit`.
inline std::vector<std::uint32_t> numbers(std::size_t n, std::uint32_t limit, unsigned seed = 1) {
  std::mt19937 random(seed + static_cast<unsigned>(n));
  std::vector<std::uint32_t> v(n);
  for (std::uint32_t& x : v) x = random() % limit;
  return v;
}

/// A global array; loads and comparisons are made by the root, which is on rank 0 where its address
/// of `data` holds.
template <class T>
class array {
 public:
  explicit array(std::size_t n) : memory_(std::max<std::size_t>(n, 1), cyclic{64}), size_(n) {}
  explicit array(const std::vector<T>& data) : array(data.size()) {
    global::run([to = view(), from = data.data()] {
      for (std::size_t at = 0; at < to.size(); at += 1000) {
        const std::size_t n = std::min<std::size_t>(1000, to.size() - at);
        const auto x = checkout(to.subview(at, n), write);
        std::copy_n(from + at, n, x.begin());
      }
    });
  }

  global::view<T> view() const { return memory_.view().subview(0, size_); }

  /// Elements that differ from `expected`.
  std::size_t differences(const std::vector<T>& expected) const {
    return global::run([from = view(), to = expected.data()] {
      std::size_t found = 0;
      for (std::size_t at = 0; at < from.size(); at += 1000) {
        const std::size_t n = std::min<std::size_t>(1000, from.size() - at);
        const auto x = checkout(from.subview(at, n), read);
        for (std::size_t i = 0; i < n; ++i) found += x[i] == to[at + i] ? 0 : 1;
      }
      return found;
    });
  }

 private:
  global::vector<T> memory_;
  std::size_t size_;
};

}  // namespace kasuri::global::test
