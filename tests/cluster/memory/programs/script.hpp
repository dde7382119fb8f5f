// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random fork-join programs over global memory that have no data race, as scripts: what each task
// does step by step, on which rank it runs, and what each of its reads must find. Since there is no
// race that is what the serial execution finds, so it is known when the script is made.
//
// The memory is cut into cells of arbitrary bytes. A task may write the cells that it has, and read
// these and some more. A fork divides what the parent has among the children, who both may read a
// part that neither has; the parent has all again behind the join. So neighbours in a block are
// written by different ranks at a time, and everything is read by many.
//
// A script may have a race planted into it: two tasks that a fork separates use overlapping bytes
// that nobody else uses but tasks before that fork and behind its join.

#include <cstdint>
#include <memory>
#include <vector>

namespace kasuri::test::global_programs {

/// Arrays are numbered from 0; objects of the heap are cells of array -1.
struct cell {
  int array = 0;
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;
};

struct touch {
  int cell = 0;
  std::uint32_t value = 0;    // that it has before: each byte is a function of it and its place
  std::uint32_t becomes = 0;  // what is written
};

struct task;

struct step {
  enum class kind : std::uint8_t {
    read,
    write,
    update,
    together,
    allocate,
    free,
    count,
    fork,
    // Of the race: what is read is arbitrary.
    raced_read,
    raced_write,
    raced_count,
    raced_allocate,
    raced_free,
  };
  kind what = kind::read;
  std::vector<touch> touches;  // together: those with becomes != value are written
  std::unique_ptr<task> children[2];
};

struct task {
  int rank = 0;
  std::uint32_t delay_ns = 0;
  std::vector<step> steps;
};

struct array_shape {
  int distribution = 0;  // 0 blocked, 1 cyclic, 2 listed
  std::uint64_t bytes = 0;
  std::uint64_t chunk = 0;
};

struct script {
  std::uint64_t seed = 0;
  int ranks = 2;
  std::vector<array_shape> arrays;
  std::vector<cell> cells;  // objects too; they have no offset until they are allocated
  std::unique_ptr<task> root;
  std::uint64_t counted = 0;  // what the atomic counter must show
  int tasks = 0;
};

script make_script(std::uint64_t seed);

/// Plants a race; false: the script has no fork.
bool plant_race(script& s);

/// The byte at `place` of a cell that has `value`. Value 0: zeros.
inline std::byte byte_of(std::uint32_t value, std::uint32_t place) {
  if (value == 0) return std::byte{0};
  return static_cast<std::byte>((value * 2654435761U + place * 40503U) >> 13);
}

}  // namespace kasuri::test::global_programs
