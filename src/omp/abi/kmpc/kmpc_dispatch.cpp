// SPDX-License-Identifier: Apache-2.0
// Clang's loops whose iterations the library deals out, doacross loops, and sections by number.

#include <algorithm>

#include "omp/abi/kmpc/kmpc.hpp"
#include "omp/abi/kmpc/kmpc_loop.hpp"
#include "omp/region/league.hpp"
#include "omp/team/icv_access.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/tool/mutex.hpp"
#include "omp/work/doacross.hpp"
#include "omp/work/ordered.hpp"
#include "omp/work/sections.hpp"
#include "platform/base/expect.hpp"

using namespace kasuri::omp;
using namespace kasuri::omp::kmpc;

namespace {

struct named_schedule {
  schedule how;
  bool is_ordered;
};

/// A block for each member, of a length that is a multiple of `unit`.
schedule balanced_blocks(const member& m, std::uint64_t iterations, std::int64_t unit) noexcept {
  const auto of = static_cast<std::uint64_t>(unit) * static_cast<std::uint64_t>(m.in->size);
  const std::uint64_t units = iterations / of + (iterations % of != 0 ? 1 : 0);
  return {.kind = schedule_kind::static_, .chunk = static_cast<std::int64_t>(units) * unit};
}

/// schedule(simd: runtime): chunks are multiples of `unit`, the length of a vector.
schedule in_units(const member& m, schedule s, std::uint64_t iterations,
                  std::int64_t unit) noexcept {
  if (unit <= 1) return s;
  if (s.kind == schedule_kind::static_ && s.chunk == 0) return balanced_blocks(m, iterations, unit);
  if (s.kind == schedule_kind::auto_) s.kind = schedule_kind::guided;
  s.whole_chunks = true;
  s.chunk = std::max<std::int64_t>(s.chunk, 1) * unit;
  return s;
}

named_schedule schedule_of(const member& m, std::int32_t named, std::uint64_t iterations,
                           std::int64_t chunk) noexcept {
  std::int32_t kind = named & ~modifiers;
  if (kind >= unmerged_first) kind -= unmerged;
  const bool in_order = kind >= ordered_first && kind <= ordered_last;
  if (in_order) kind -= ordered;
  schedule s{schedule_kind::static_, (named & monotonic) != 0, chunk};
  switch (kind) {
    case dynamic_chunked:
      s.kind = schedule_kind::dynamic;
      break;
    case guided_simd:
      s.whole_chunks = true;
      [[fallthrough]];
    case guided_chunked:
      s.kind = schedule_kind::guided;
      break;
    case automatic:
      s.kind = schedule_kind::auto_;
      break;
    case runtime:
    case runtime_simd:
      s = run_schedule_for_clang(values(m));
      s.monotonic = s.monotonic || (named & monotonic) != 0;
      if (kind == runtime_simd) s = in_units(m, s, iterations, chunk);
      break;
    case static_balanced_chunked:
      if (chunk > 0) s = balanced_blocks(m, iterations, chunk);
      break;
    case static_chunked:
      break;
    default:
      s.chunk = 0;
      break;
  }
  return {s, in_order};
}

template <class Index>
void init(std::int32_t kind, Index lower, Index upper, step_of<Index> step, std::int64_t chunk) {
  member& m = self();
  const std::uint64_t iterations = iterations_between(lower, upper, step);
  const named_schedule s = schedule_of(m, kind, iterations, chunk);
  begin_loop(m, iterations, s.how, s.is_ordered);
  loop_state& l = m.work.loop;
  l.first = static_cast<std::uint64_t>(lower);
  l.step = static_cast<std::uint64_t>(step);
}

/// The team's part of the iterations of a league, dealt out to its members.
template <class Index>
void dist_init(std::int32_t kind, std::int32_t* last, Index lower, Index upper, step_of<Index> step,
               std::int64_t chunk) {
  const league_place l = league_of(self());
  const std::uint64_t iterations = iterations_between(lower, upper, step);
  const block mine = block_of(iterations, static_cast<std::uint64_t>(l.number),
                              static_cast<std::uint64_t>(l.size));
  if (last != nullptr) *last = mine.to == iterations && mine.from != mine.to ? 1 : 0;
  const auto first = static_cast<std::uint64_t>(lower);
  const auto by = static_cast<std::uint64_t>(step);
  if (mine.from == mine.to)
    init<Index>(kind, static_cast<Index>(1), static_cast<Index>(0), 1, chunk);
  else
    init<Index>(kind, static_cast<Index>(first + mine.from * by),
                static_cast<Index>(first + (mine.to - 1) * by), step, chunk);
}

template <class Index>
std::int32_t next(std::int32_t* last, Index* lower, Index* upper, step_of<Index>* step) {
  member& m = self();
  if (!next_chunk(m)) {
    end_loop(m);
    return 0;
  }
  const loop_state& l = m.work.loop;
  KASURI_EXPECT(cheap, l.from < l.to && l.to <= l.count, "member %d has [%lu, %lu) of %lu",
                m.number, l.from, l.to, l.count);
  if (tool::active()) [[unlikely]]
    tool::dispatch(m, tool::dispatch_kind::loop_chunk, l.first + l.from * l.step, l.to - l.from);
  *lower = static_cast<Index>(l.first + l.from * l.step);
  *upper = static_cast<Index>(l.first + (l.to - 1) * l.step);
  if (step != nullptr) *step = static_cast<step_of<Index>>(l.step);
  if (last != nullptr) *last = l.to == l.count ? 1 : 0;
  return 1;
}

/// kmp_dim: a dimension of a doacross loop. Meant to have inclusive bounds; but Clang, which always
/// says 0 and 1 for the lower bound and the step, has the number of iterations for the upper bound.
struct dimension {
  std::int64_t lower;
  std::int64_t upper;
  std::int64_t step;

  std::uint64_t iterations() const noexcept {
    const bool by_clang = lower == 0 && step == 1;
    return iterations_between(lower, by_clang ? upper - 1 : upper, step);
  }
};

constexpr std::int32_t most_dimensions = 32;

}  // namespace

extern "C" {

void kasuri___kmpc_dispatch_init_4(location*, gtid, std::int32_t kind, std::int32_t lower,
                                   std::int32_t upper, std::int32_t step, std::int32_t chunk) {
  tool::called();
  init<std::int32_t>(kind, lower, upper, step, chunk);
}

void kasuri___kmpc_dispatch_init_4u(location*, gtid, std::int32_t kind, std::uint32_t lower,
                                    std::uint32_t upper, std::int32_t step, std::int32_t chunk) {
  tool::called();
  init<std::uint32_t>(kind, lower, upper, step, chunk);
}

void kasuri___kmpc_dispatch_init_8(location*, gtid, std::int32_t kind, std::int64_t lower,
                                   std::int64_t upper, std::int64_t step, std::int64_t chunk) {
  tool::called();
  init<std::int64_t>(kind, lower, upper, step, chunk);
}

void kasuri___kmpc_dispatch_init_8u(location*, gtid, std::int32_t kind, std::uint64_t lower,
                                    std::uint64_t upper, std::int64_t step, std::int64_t chunk) {
  tool::called();
  init<std::uint64_t>(kind, lower, upper, step, chunk);
}

void kasuri___kmpc_dist_dispatch_init_4(location*, gtid, std::int32_t kind, std::int32_t* last,
                                        std::int32_t lower, std::int32_t upper, std::int32_t step,
                                        std::int32_t chunk) {
  tool::called();
  dist_init<std::int32_t>(kind, last, lower, upper, step, chunk);
}

void kasuri___kmpc_dist_dispatch_init_4u(location*, gtid, std::int32_t kind, std::int32_t* last,
                                         std::uint32_t lower, std::uint32_t upper,
                                         std::int32_t step, std::int32_t chunk) {
  tool::called();
  dist_init<std::uint32_t>(kind, last, lower, upper, step, chunk);
}

void kasuri___kmpc_dist_dispatch_init_8(location*, gtid, std::int32_t kind, std::int32_t* last,
                                        std::int64_t lower, std::int64_t upper, std::int64_t step,
                                        std::int64_t chunk) {
  tool::called();
  dist_init<std::int64_t>(kind, last, lower, upper, step, chunk);
}

void kasuri___kmpc_dist_dispatch_init_8u(location*, gtid, std::int32_t kind, std::int32_t* last,
                                         std::uint64_t lower, std::uint64_t upper,
                                         std::int64_t step, std::int64_t chunk) {
  tool::called();
  dist_init<std::uint64_t>(kind, last, lower, upper, step, chunk);
}

std::int32_t kasuri___kmpc_dispatch_next_4(location*, gtid, std::int32_t* last, std::int32_t* lower,
                                           std::int32_t* upper, std::int32_t* step) {
  tool::called();
  return next<std::int32_t>(last, lower, upper, step);
}

std::int32_t kasuri___kmpc_dispatch_next_8(location*, gtid, std::int32_t* last, std::int64_t* lower,
                                           std::int64_t* upper, std::int64_t* step) {
  tool::called();
  return next<std::int64_t>(last, lower, upper, step);
}

/// After each iteration of an ordered loop. The turn passes with the chunk.
void kasuri___kmpc_dispatch_fini(location*, gtid) {}

void kasuri___kmpc_dispatch_deinit(location*, gtid) {
  tool::called();
  end_loop(self());
}

void kasuri___kmpc_ordered(location*, gtid) {
  member& m = self();
  const tool::acquiring seen(tool::mutex_kind::ordered, ordered_mutex(m));
  enter_ordered(m);
}

void kasuri___kmpc_end_ordered(location*, gtid) {
  const member& m = self();
  const tool::releasing seen(tool::mutex_kind::ordered, ordered_mutex(m));
  leave_ordered(m);
}

// ---- doacross -----------------------------------------------------------------------------------

void kasuri___kmpc_doacross_init(location*, gtid, std::int32_t count, const dimension* dimensions) {
  member& m = self();
  if (m.in->size == 1) return;
  doacross_dimension d[most_dimensions];
  KASURI_EXPECT(cheap, count > 0 && count <= most_dimensions, "%d dimensions", count);
  const auto n = static_cast<std::uint64_t>(count < most_dimensions ? count : most_dimensions);
  for (std::uint64_t i = 0; i != n; ++i) {
    const dimension& from = dimensions[i];
    d[i] = {from.lower, from.step, from.iterations()};
  }
  const std::uint64_t ticket = m.work.ticket;
  construct& c = meet(m, [&d, n](construct& made) {
    made.doacross = made.memory.zeros(doacross_bytes(d, n, false));
    set_up_doacross(made, d, n);
  });
  begin_doacross(m, c, n, false);
  m.work.doacross.apart = true;
  m.work.doacross.ticket = ticket;
}

void kasuri___kmpc_doacross_post(location*, gtid, const std::int64_t* index) {
  tool::called();
  post_iteration(self(), index);
}

void kasuri___kmpc_doacross_wait(location*, gtid, const std::int64_t* index) {
  tool::called();
  wait_for_iteration(self(), index);
}

void kasuri___kmpc_doacross_fini(location*, gtid) {
  member& m = self();
  doacross_state& d = m.work.doacross;
  if (!d.apart) return;
  KASURI_EXPECT(cheap, d.ticket < m.work.ticket, "member %d leaves construct %lu, and is at %lu",
                m.number, d.ticket, m.work.ticket);
  d.apart = false;
  d.flags = nullptr;
  leave(m);
}

// ---- sections by number: from 0; the number of sections: none is left ---------------------------

std::int32_t kasuri___kmpc_sections_init(location*, gtid) {
  tool::called();
  member& m = self();
  begin_loop(m, INT32_MAX, sections_schedule, false);
  return m.in->size > 1 ? 1 : 0;
}

std::int32_t kasuri___kmpc_next_section(location*, gtid, std::int32_t count) {
  tool::called();
  member& m = self();
  const unsigned next = next_section(m);
  if (next != 0 && next <= static_cast<unsigned>(count)) return static_cast<std::int32_t>(next - 1);
  end_loop(m);
  return count;
}

void kasuri___kmpc_end_sections(location*, gtid) {
  tool::called();
  end_loop(self());
}

}  // extern "C"
