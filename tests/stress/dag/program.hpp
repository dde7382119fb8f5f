// SPDX-License-Identifier: Apache-2.0
#pragma once

// A random fork-join program: a tree of nodes, made from a seed alone.
//
// Each node has a value that depends on its salt and on its children's values, and throws or not,
// whatever the order in which independent parts run. So a serial evaluation is the oracle for every
// parallel one. What the generator must see to:
//   - Where the runtime does not say which of several exceptions comes out (groups, loops), at most
//     one child may fail.
//   - A group with a child that may fail may be cancelled: children that have not begun do not run.
//     Nodes whose members wait for each other are made of parts that are run in any case.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kasuri::test::dag {

enum class kind : std::uint8_t {
  leaf,     // computes
  yields,   // steps aside with errno set, and finds it again
  sleeps,   // blocking(f) for some microseconds
  fails,    // throws
  invoke,   // parallel_invoke of two to four
  group,    // task_group, each task by one of the policies
  loop,     // parallel_for over the children
  reduce,   // parallel_reduce of numbers
  future,   // async for the first, the second meanwhile
  catches,  // catches what the child throws, and suspends inside the handler
  unwinds,  // the second child runs in a destructor, while the first's exception is in flight
  counter,  // tasks that count under a mutex
  channel,  // a producer and a consumer on a semaphore
  meeting,  // threads that meet at a barrier
  foreign,  // the child runs on an OS thread that calls in
  threads,  // C threads of both policies, each with a child
};
inline constexpr int kinds = 16;

struct node {
  kind what = kind::leaf;
  std::uint64_t salt = 0;
  bool may_fail = false;
  std::vector<node> children;
};

/// What a node came to: a value or the salt of the node that threw.
struct outcome {
  std::uint64_t value = 0;
  bool threw = false;
  bool operator==(const outcome&) const = default;
};

/// What nodes throw.
struct failure {
  std::uint64_t salt;
};

constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t x = a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c15u);
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ x >> 29;
}

/// What a leaf computes, and how often the small things repeat that a node does by its salt.
std::uint64_t leaf_value(std::uint64_t salt) noexcept;
constexpr std::uint64_t pick(const node& n, std::uint64_t below) noexcept {
  return mix(n.salt, 77) % below;
}

/// The program of that seed.
node make_program(std::uint64_t seed);

/// The oracle.
outcome run_serially(const node& program);

/// The same through Kasuri, from the calling thread. Adds a line to `complaint` for each thing that
/// was seen to be wrong inside (errno, exception state, counters).
outcome run_in_parallel(const node& program, std::string& complaint);

/// The tree, indented: for the report of a failure.
std::string describe(const node& program);

}  // namespace kasuri::test::dag
