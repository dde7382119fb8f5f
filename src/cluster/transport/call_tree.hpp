// SPDX-License-Identifier: Apache-2.0
#pragma once

// How all ranks meet in a collective call, and how the outcome of a run gets to them: along a tree
// (tree_place.hpp), so that no rank hears from, or tells, more than a few others.
//
//   child   1. its children have told it: makes one of that and its own, in its buffer `up`
//           2. stores a word at its parent: the number of the call, what it is, the buffer's bytes
//   parent  3. gets the buffers of all its children at once, and goes on with 1.; rank 0 with 4.
//           4. fills its buffer `begin`, and stores a word at each of its children
//   child   5. gets that buffer, if there is anything, and goes on with 4.
//
// The outcome of a run goes down in the same way, with a word and a buffer of its own, `end`. So a
// call in which nobody has anything to tell is two words a rank and no wait for a get.
//
// A word is stored behind what it tells of, in the order of transport.hpp; each has the number of
// its call, so that an old one is known. A buffer is not filled again before all have read it:
// `up` and `begin` of a call, and `end` of the one before, are filled by a rank that its children,
// and theirs, have told to be in this call; a child tells that with `begin` and `end` of the last
// one behind it, and is told to go on when its `up` has been read.
//
// One thread of a rank is in a call, or hands down or takes an outcome; has_outcome() is for any.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/base/carried.hpp"
#include "cluster/transport/collective_call.hpp"
#include "cluster/transport/transport.hpp"
#include "cluster/transport/tree_place.hpp"

namespace kasuri::cluster {

class call_tree {
 public:
  /// Collective.
  explicit call_tree(transport& network);

  /// So many bytes can go along with a meeting, and with an outcome beside own_bytes: less where
  /// there are more ranks, since each hears of all.
  static std::size_t most_bytes(int ranks) noexcept;
  static constexpr std::size_t own_bytes = 1024;  // a result, or an exception's text

  /// Collective: the ranks are in the call that the network was entered in last, all of them when
  /// this returns. `load` may be null, at all ranks. Where they are in different ones, rank 0 ends
  /// the job with a line that names two of them.
  void meet(carried* load);

  /// Rank 0, once behind a meeting: all others have the outcome from now on.
  void hand_down(std::span<const std::byte> outcome);
  /// The others: whether that has been done. Any thread.
  [[nodiscard]] bool has_outcome() const;
  /// The others, when it has: the outcome, which goes on to further ones.
  std::vector<std::byte> take_outcome();

 private:
  struct other_call;

  void tell_children(std::size_t word, std::uint64_t value, std::size_t buffer,
                     std::span<const std::byte> bytes);
  void gather(carried* load, other_call& odd);
  [[nodiscard]] std::uint64_t await(std::size_t word);
  [[nodiscard]] std::vector<std::byte> get(int rank, std::size_t buffer, std::size_t bytes);
  [[nodiscard]] other_call look_at(int child, bool has_odd);
  void write(std::size_t at, std::span<const std::byte> bytes);
  [[nodiscard]] std::size_t buffer(std::size_t i) const noexcept;

  transport& network_;
  const tree_place place_;
  const std::size_t most_;
  const window words_;
  std::atomic<std::uint32_t> number_{0};  // of the call
};

}  // namespace kasuri::cluster
