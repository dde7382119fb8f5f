// SPDX-License-Identifier: Apache-2.0
#pragma once

// Loops: which member runs which iterations. Iterations are numbers from 0 here; the ABIs
// translate.
//
//   static, no chunk   one block for each member, computed
//   static, chunk      chunks by turns, computed
//   dynamic            nonmonotonic: the chunks are dealt out and stolen (loop_share.hpp);
//                      monotonic or ordered: one counter of the team
//   guided             one counter of the team; a chunk is a share of what is left
//   auto               as nonmonotonic dynamic, in chunks that are small against a member's block
//
// A team of one takes all in one chunk.

#include "omp/tool/hooks.hpp"
#include "omp/work/meet.hpp"
#include "omp/work/ordered.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

/// Sets the member's loop up: no chunk is taken yet. True: it needs what the team shares.
bool choose_loop(member& m, std::uint64_t iterations, schedule s, bool ordered) noexcept;

/// Sets up the part of a loop that the team shares, before anybody takes a chunk.
void set_up_loop(member& m, construct& c) noexcept;

/// Takes the next chunk: m.work.loop.from and .to. False: none is left.
bool next_chunk(member& m) noexcept;

/// The member meets a loop. more(construct&) sets up what else the team shares in it, if anything.
template <class More>
void begin_loop(member& m, std::uint64_t iterations, schedule s, bool ordered, bool shared,
                const More& more) noexcept {
  if (!choose_loop(m, iterations, s, ordered) && !shared) return;
  construct& c = meet(m, [&m, &more](construct& made) {
    set_up_loop(m, made);
    more(made);
  });
  m.work.loop.shared = &c;
}

inline void begin_loop(member& m, std::uint64_t iterations, schedule s, bool ordered) noexcept {
  begin_loop(m, iterations, s, ordered, false, [](construct&) {});
}

/// The member is done with the loop; so often as one likes.
inline void end_loop(member& m) noexcept {
  loop_state& l = m.work.loop;
  if (l.how == loop_state::kind::none) return;
  if (l.ordered) pass_turn(m);
  l.how = loop_state::kind::none;
  if (tool::active()) [[unlikely]]
    tool::end_work(m);
  if (l.shared == nullptr) return;
  KASURI_EXPECT(
      cheap, l.shared == &m.in->shares.at(l.shared->state.load(std::memory_order_relaxed) / 2 - 1),
      "member %d leaves construct %p, which is in no place", m.number,
      static_cast<void*>(l.shared));
  l.shared = nullptr;
  leave(m);
}

/// Iterations of `for (i = first; i < end; i += step)` and, for negative steps, i > end.
constexpr std::uint64_t iterations_of(std::int64_t first, std::int64_t end,
                                      std::int64_t step) noexcept {
  const auto f = static_cast<std::uint64_t>(first);
  const auto e = static_cast<std::uint64_t>(end);
  const auto s = static_cast<std::uint64_t>(step);
  if (step > 0) return first < end ? (e - f - 1) / s + 1 : 0;
  return first > end && step < 0 ? (f - e - 1) / (0 - s) + 1 : 0;
}

/// The same for unsigned numbers; `step` of a loop that goes down is its two's complement.
constexpr std::uint64_t iterations_of(bool up, std::uint64_t first, std::uint64_t end,
                                      std::uint64_t step) noexcept {
  if (up) return first < end && step != 0 ? (end - first - 1) / step + 1 : 0;
  return first > end && step != 0 ? (first - end - 1) / (0 - step) + 1 : 0;
}

/// The block of [0, count) that belongs to one of several: the first ones get one more.
struct block {
  std::uint64_t from;
  std::uint64_t to;
};
constexpr block block_of(std::uint64_t count, std::uint64_t number, std::uint64_t of) noexcept {
  KASURI_EXPECT(cheap, number < of, "block %lu of %lu", number, of);
  const std::uint64_t size = count / of;
  const std::uint64_t longer = count % of;
  const std::uint64_t from = number * size + (number < longer ? number : longer);
  return {from, from + size + (number < longer ? 1 : 0)};
}

}  // namespace kasuri::omp
