// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/bench.hpp"

/// A problem of a folder beside, with sizes that suit the slowest runtime.
namespace bench::openmp {

inline arguments resized(arguments args, long full, long small) {
  args.size = args.size_or(full, small);
  return args;
}

/// The rehearsal of the base, as a problem of the derived type.
template <class Base, class Problem>
Problem rehearsed(const Problem& whole) {
  Problem small = whole;
  static_cast<Base&>(small) = whole.Base::rehearsal();
  return small;
}

inline std::vector<metric> only_time(double seconds) { return {{"time", "s", seconds}}; }

}  // namespace bench::openmp
