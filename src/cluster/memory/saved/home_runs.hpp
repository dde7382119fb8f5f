// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a rank writes and reads of a range of global memory: what lies at its home.

#include <algorithm>
#include <cstdint>

#include "cluster/memory/base/requests.hpp"
#include "cluster/memory/space/region.hpp"

namespace kasuri::cluster {

/// Bytes [begin, end) of a range, counted from its own begin.
struct run_of_bytes {
  std::uint64_t begin;
  std::uint64_t end;
};

/// Calls f(run) for each run of bytes of the range, which lies in the region, whose home is the
/// rank, in rising order. A file is at home everywhere: each rank gets an equal share of it.
template <class F>
void each_home_run(const region& where, global_range r, int rank, F f) {
  const std::uint64_t bytes = r.end - r.begin;
  if (where.kind == region::kind_t::file) {
    const auto ranks = static_cast<std::uint64_t>(where.ranks);
    const std::uint64_t share = bytes / ranks + 1;
    const std::uint64_t begin = std::min(bytes, share * static_cast<std::uint64_t>(rank));
    if (begin != bytes) f(run_of_bytes{begin, std::min(bytes, begin + share)});
    return;
  }
  run_of_bytes mine{0, 0};
  for (std::uint64_t at = 0; at < bytes;) {
    const home_place home = where.home_of(r.begin + at);
    const std::uint64_t stop = std::min(bytes, at + home.run);
    if (home.rank == rank) {
      if (mine.end != at) {
        if (mine.end != mine.begin) f(mine);
        mine.begin = at;
      }
      mine.end = stop;
    }
    at = stop;
  }
  if (mine.end != mine.begin) f(mine);
}

}  // namespace kasuri::cluster
