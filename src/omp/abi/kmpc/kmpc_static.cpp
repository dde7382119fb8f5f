// SPDX-License-Identifier: Apache-2.0
// Clang's static loops, also over the teams of a league: each member computes its part. Bounds are
// inclusive.

#include <algorithm>
#include <type_traits>

#include "omp/abi/kmpc/kmpc.hpp"
#include "omp/abi/kmpc/kmpc_loop.hpp"
#include "omp/region/league.hpp"
#include "omp/tool/hooks.hpp"
#include "platform/base/expect.hpp"

using namespace kasuri::omp;
using namespace kasuri::omp::kmpc;

namespace {

/// One of several that share the iterations.
struct part {
  std::uint64_t number;
  std::uint64_t of;
};

part thread_part(const member& m) noexcept {
  return {static_cast<std::uint64_t>(m.number), static_cast<std::uint64_t>(m.in->size)};
}

part team_part(const member& m) noexcept {
  const league_place l = league_of(m);
  return {static_cast<std::uint64_t>(l.number), static_cast<std::uint64_t>(l.size)};
}

template <class Index>
Index at(Index first, std::uint64_t iteration, step_of<Index> step) noexcept {
  return static_cast<Index>(static_cast<std::uint64_t>(first) +
                            iteration * static_cast<std::uint64_t>(step));
}

template <class Index>
struct bounds {
  std::int32_t* last;  // whether the part has the last iteration; may be null
  Index* lower;
  Index* upper;
  step_of<Index>* stride;

  void set_last(bool is) const noexcept {
    if (last != nullptr) *last = is ? 1 : 0;
  }
};

/// Not the bounds next to those of the loop, which might wrap around.
template <class Index>
void set_empty(const bounds<Index>& b, step_of<Index> step) noexcept {
  *b.lower = step > 0 ? 1 : 0;
  *b.upper = step > 0 ? 0 : 1;
}

/// The part's block.
template <class Index>
void take_block(const bounds<Index>& b, part p, std::uint64_t iterations,
                step_of<Index> step) noexcept {
  const Index first = *b.lower;
  const block mine = block_of(iterations, p.number, p.of);
  KASURI_EXPECT(cheap, mine.from <= mine.to && mine.to <= iterations,
                "part %lu of %lu has [%lu, %lu) of %lu", p.number, p.of, mine.from, mine.to,
                iterations);
  b.set_last(mine.to == iterations && mine.from != mine.to);
  if (mine.from == mine.to) {
    set_empty(b, step);
  } else {
    *b.lower = at(first, mine.from, step);
    *b.upper = at(first, mine.to - 1, step);
  }
  *b.stride = static_cast<step_of<Index>>(iterations);
}

/// The part's first chunk, and the way to its next one. A chunk behind the last iteration may wrap
/// around: then it is empty.
template <class Index>
void take_chunks(const bounds<Index>& b, part p, std::uint64_t iterations, step_of<Index> step,
                 std::uint64_t chunk) noexcept {
  KASURI_EXPECT(cheap, iterations != 0 && p.number < p.of, "part %lu of %lu of %lu iterations",
                p.number, p.of, iterations);
  chunk = std::clamp<std::uint64_t>(chunk, 1, iterations);
  const Index first = *b.lower;
  const std::uint64_t chunks = (iterations - 1) / chunk + 1;
  *b.stride = static_cast<step_of<Index>>(chunk * p.of * static_cast<std::uint64_t>(step));
  b.set_last(p.number == (chunks - 1) % p.of);
  if (p.number >= chunks) {
    set_empty(b, step);
  } else {
    *b.lower = at(first, p.number * chunk, step);
    *b.upper = at(first, p.number * chunk + chunk - 1, step);
  }
}

/// The part's block, of a size that is a multiple of the chunk: for simd.
template <class Index>
void take_rounded_block(const bounds<Index>& b, part p, std::uint64_t iterations,
                        step_of<Index> step, std::uint64_t chunk) noexcept {
  chunk = std::max<std::uint64_t>(chunk, 1);
  const std::uint64_t size = ((iterations + p.of - 1) / p.of + chunk - 1) / chunk * chunk;
  take_chunks(b, p, iterations, step, size);
  const std::uint64_t from = p.number * std::min(size, iterations);
  if (from < iterations && iterations - from < size)
    *b.upper = at(*b.lower, iterations - from - 1, step);
}

tool::work_kind work_of(const location* at) noexcept {
  const std::int32_t flags = at != nullptr ? at->flags : 0;
  if ((flags & flag_sections) != 0) return tool::work_kind::sections;
  if ((flags & flag_distribute) != 0) return tool::work_kind::distribute;
  return tool::work_kind::loop_static;
}

/// Tells the tool of the construct, and of the member's first part of it when the object goes. Of
/// further chunks the compiled code tells nobody.
template <class Index>
class seen_loop {
 public:
  seen_loop(member& m, const location* at, const bounds<Index>& b, step_of<Index> step,
            std::uint64_t iterations) noexcept {
    if (!tool::active()) [[likely]]
      return;
    of_ = &m;
    bounds_ = &b;
    step_ = step;
    tool::begin_work(m, work_of(at), iterations);
  }
  ~seen_loop() {
    if (of_ == nullptr) [[likely]]
      return;
    const std::uint64_t mine = iterations_between(*bounds_->lower, *bounds_->upper, step_);
    if (mine != 0) tool::dispatch_static(*of_, static_cast<std::uint64_t>(*bounds_->lower), mine);
  }
  seen_loop(const seen_loop&) = delete;
  seen_loop& operator=(const seen_loop&) = delete;

 private:
  member* of_ = nullptr;
  const bounds<Index>* bounds_ = nullptr;
  step_of<Index> step_ = 1;
};

template <class Index>
void init(const location* at, std::int32_t kind, const bounds<Index>& b, step_of<Index> step,
          std::int64_t chunk) {
  member& m = self();
  const std::uint64_t iterations = iterations_between(*b.lower, *b.upper, step);
  const seen_loop seen(m, at, b, step, iterations);
  if (iterations == 0) {
    b.set_last(false);
    *b.stride = step;
    return;
  }
  const auto size = static_cast<std::uint64_t>(chunk);
  switch (kind & ~modifiers) {
    case static_chunked:
    case ordered_static_chunked:
      return take_chunks(b, thread_part(m), iterations, step, size);
    case static_balanced_chunked:
      return take_rounded_block(b, thread_part(m), iterations, step, size);
    case distribute_static_chunked:
      return take_chunks(b, team_part(m), iterations, step, size);
    case distribute_static:
      return take_block(b, team_part(m), iterations, step);
    default:
      return take_block(b, thread_part(m), iterations, step);
  }
}

/// A team's part of the iterations, and the member's part of that.
template <class Index>
void dist_init(const location* at, std::int32_t kind, const bounds<Index>& b, Index* team_upper,
               step_of<Index> step, std::int64_t chunk) {
  member& m = self();
  const std::uint64_t iterations = iterations_between(*b.lower, *b.upper, step);
  const seen_loop seen(m, at, b, step, iterations);
  if (iterations == 0) {
    b.set_last(false);
    *team_upper = *b.upper;
    *b.stride = step;
    return;
  }
  std::int32_t last_team = 0;
  take_block(bounds<Index>{&last_team, b.lower, b.upper, b.stride}, team_part(m), iterations, step);
  *team_upper = *b.upper;
  const std::uint64_t own = iterations_between(*b.lower, *b.upper, step);
  std::int32_t last_thread = 0;
  const bounds<Index> mine{&last_thread, b.lower, b.upper, b.stride};
  if (own != 0) {
    if ((kind & ~modifiers) == static_chunked)
      take_chunks(mine, thread_part(m), own, step, static_cast<std::uint64_t>(chunk));
    else
      take_block(mine, thread_part(m), own, step);
  }
  b.set_last(last_team != 0 && last_thread != 0);
}

/// Chunks of the iterations by turns for the teams.
template <class Index>
void team_init(const location* at, const bounds<Index>& b, step_of<Index> step,
               std::int64_t chunk) {
  const std::uint64_t iterations = iterations_between(*b.lower, *b.upper, step);
  const seen_loop seen(self(), at, b, step, iterations);
  if (iterations == 0) return b.set_last(false);
  const Index last = *b.upper;
  take_chunks(b, team_part(self()), iterations, step, static_cast<std::uint64_t>(chunk));
  const bool beyond = step > 0 ? (*b.upper > last) || (*b.upper < *b.lower)
                               : (*b.upper < last) || (*b.upper > *b.lower);
  if (beyond) *b.upper = last;
}

}  // namespace

extern "C" {

void kasuri___kmpc_for_static_init_4(const location* at, gtid, std::int32_t kind,
                                     std::int32_t* last, std::int32_t* lower, std::int32_t* upper,
                                     std::int32_t* stride, std::int32_t step, std::int32_t chunk) {
  tool::called();
  init<std::int32_t>(at, kind, {last, lower, upper, stride}, step, chunk);
}

void kasuri___kmpc_for_static_init_4u(const location* at, gtid, std::int32_t kind,
                                      std::int32_t* last, std::uint32_t* lower,
                                      std::uint32_t* upper, std::int32_t* stride, std::int32_t step,
                                      std::int32_t chunk) {
  tool::called();
  init<std::uint32_t>(at, kind, {last, lower, upper, stride}, step, chunk);
}

void kasuri___kmpc_for_static_init_8(const location* at, gtid, std::int32_t kind,
                                     std::int32_t* last, std::int64_t* lower, std::int64_t* upper,
                                     std::int64_t* stride, std::int64_t step, std::int64_t chunk) {
  tool::called();
  init<std::int64_t>(at, kind, {last, lower, upper, stride}, step, chunk);
}

void kasuri___kmpc_for_static_init_8u(const location* at, gtid, std::int32_t kind,
                                      std::int32_t* last, std::uint64_t* lower,
                                      std::uint64_t* upper, std::int64_t* stride, std::int64_t step,
                                      std::int64_t chunk) {
  tool::called();
  init<std::uint64_t>(at, kind, {last, lower, upper, stride}, step, chunk);
}

void kasuri___kmpc_for_static_fini(location*, gtid) {
  tool::called();
  if (tool::active()) [[unlikely]]
    tool::end_work(self());
}

void kasuri___kmpc_dist_for_static_init_4(const location* at, gtid, std::int32_t kind,
                                          std::int32_t* last, std::int32_t* lower,
                                          std::int32_t* upper, std::int32_t* team_upper,
                                          std::int32_t* stride, std::int32_t step,
                                          std::int32_t chunk) {
  tool::called();
  dist_init<std::int32_t>(at, kind, {last, lower, upper, stride}, team_upper, step, chunk);
}

void kasuri___kmpc_dist_for_static_init_4u(const location* at, gtid, std::int32_t kind,
                                           std::int32_t* last, std::uint32_t* lower,
                                           std::uint32_t* upper, std::uint32_t* team_upper,
                                           std::int32_t* stride, std::int32_t step,
                                           std::int32_t chunk) {
  tool::called();
  dist_init<std::uint32_t>(at, kind, {last, lower, upper, stride}, team_upper, step, chunk);
}

void kasuri___kmpc_dist_for_static_init_8(const location* at, gtid, std::int32_t kind,
                                          std::int32_t* last, std::int64_t* lower,
                                          std::int64_t* upper, std::int64_t* team_upper,
                                          std::int64_t* stride, std::int64_t step,
                                          std::int64_t chunk) {
  tool::called();
  dist_init<std::int64_t>(at, kind, {last, lower, upper, stride}, team_upper, step, chunk);
}

void kasuri___kmpc_dist_for_static_init_8u(const location* at, gtid, std::int32_t kind,
                                           std::int32_t* last, std::uint64_t* lower,
                                           std::uint64_t* upper, std::uint64_t* team_upper,
                                           std::int64_t* stride, std::int64_t step,
                                           std::int64_t chunk) {
  tool::called();
  dist_init<std::uint64_t>(at, kind, {last, lower, upper, stride}, team_upper, step, chunk);
}

void kasuri___kmpc_team_static_init_4(const location* at, gtid, std::int32_t* last,
                                      std::int32_t* lower, std::int32_t* upper,
                                      std::int32_t* stride, std::int32_t step, std::int32_t chunk) {
  tool::called();
  team_init<std::int32_t>(at, {last, lower, upper, stride}, step, chunk);
}

void kasuri___kmpc_team_static_init_4u(const location* at, gtid, std::int32_t* last,
                                       std::uint32_t* lower, std::uint32_t* upper,
                                       std::int32_t* stride, std::int32_t step,
                                       std::int32_t chunk) {
  tool::called();
  team_init<std::uint32_t>(at, {last, lower, upper, stride}, step, chunk);
}

void kasuri___kmpc_team_static_init_8(const location* at, gtid, std::int32_t* last,
                                      std::int64_t* lower, std::int64_t* upper,
                                      std::int64_t* stride, std::int64_t step, std::int64_t chunk) {
  tool::called();
  team_init<std::int64_t>(at, {last, lower, upper, stride}, step, chunk);
}

void kasuri___kmpc_team_static_init_8u(const location* at, gtid, std::int32_t* last,
                                       std::uint64_t* lower, std::uint64_t* upper,
                                       std::int64_t* stride, std::int64_t step,
                                       std::int64_t chunk) {
  tool::called();
  team_init<std::uint64_t>(at, {last, lower, upper, stride}, step, chunk);
}

}  // extern "C"
