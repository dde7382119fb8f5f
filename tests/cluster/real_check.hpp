// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the programs that check themselves on the ranks of a job share.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "kasuri/global/start.hpp"

namespace kasuri::test {

/// Ends the rank with 1 and a line where something is wrong.
inline void check(bool right, const std::string& what) {
  if (right) return;
  std::fprintf(stderr, "rank %d: wrong: %s\n", global::rank(), what.c_str());
  std::_Exit(1);
}

inline std::uint64_t hash(std::uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9;
  return x ^ (x >> 32);
}

}  // namespace kasuri::test
