// SPDX-License-Identifier: Apache-2.0
#pragma once

// The last uses of the bytes of a granule, for finding races: for each range of bytes the last
// write, and of the reads behind it the leftmost and the rightmost; atomic operations likewise.
// These suffice (Mellor-Crummey, SC '91) where accesses are entered in an order that the program
// allows:
//
// Writes. The last write is behind those before it, and is not behind what comes later. So an
// access that is parallel to one of them is parallel to the last too.
//
// Reads. A read becomes the leftmost unless the leftmost is parallel and left of it; the rightmost
// likewise. Let r be a read that was entered, and w a later write that is parallel to it, on the
// other side of fork N. The leftmost is never before r, and where it is parallel to r it is left of
// it; the rightmost right. Were both before w, then, as neither is before r, neither is before N:
// both would lie on w's side of N, parallel to r; and on one side of r, which they do not. So w is
// parallel to one of the two.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cluster/base/coherence.hpp"
#include "cluster/check/task_tree.hpp"

namespace kasuri::cluster {

enum class use : std::uint8_t { read, write, atomic, allocate, deallocate };

/// An access as it is remembered. Of task 0: none.
struct access_mark {
  std::uint64_t task = 0;
  std::uint64_t bytes = 0;  // of the whole checkout
  std::uint32_t forks = 0;  // of the task, when it was made
  std::uint16_t rank = 0;
  use what = use::read;
  std::uint8_t filler = 0;

  [[nodiscard]] program_point point() const noexcept { return {task, forks}; }
  friend bool operator==(const access_mark&, const access_mark&) = default;
};
static_assert(sizeof(access_mark) == 24);

/// The outermost two of parallel accesses that do not conflict with each other.
struct outer_marks {
  access_mark left, right;
  friend bool operator==(const outer_marks&, const outer_marks&) = default;
};

/// The last uses of bytes [begin, end) of a granule.
struct history_entry {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  access_mark writer;
  outer_marks readers;
  outer_marks atomics;

  [[nodiscard]] bool knows_the_same(const history_entry& other) const noexcept {
    return writer == other.writer && readers == other.readers && atomics == other.atomics;
  }
};
static_assert(sizeof(history_entry) == 128);

/// A race: an access that was entered before, and the bytes of the granule on which they meet.
struct race {
  access_mark earlier;
  std::uint32_t begin;
  std::uint32_t end;
};

/// How remembered accesses lie to the one that is entered, asked for once for each.
class judge {
 public:
  judge(task_tree& tasks, const program_point& now) : tasks_(tasks), now_(now) {}

  relation of(const access_mark& earlier);

 private:
  task_tree& tasks_;
  const program_point now_;
  std::vector<std::pair<program_point, relation>> known_;
};

/// Enters `now` for bytes [begin, end) into the sorted history of a granule. The first race, if
/// there is one; then the history is not of use any more.
std::optional<race> enter(std::vector<history_entry>& history, std::uint32_t begin,
                          std::uint32_t end, const access_mark& now, judge& order);

}  // namespace kasuri::cluster
