// SPDX-License-Identifier: Apache-2.0
#include "omp/work/loop.hpp"

#include <algorithm>

#include "omp/tool/hooks.hpp"
#include "omp/work/loop_share.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {
namespace {

using kind = loop_state::kind;

// Chunks of a member's block for schedule(auto).
constexpr std::uint64_t auto_chunks = 32;

// For each member. With fewer, shares are more lines to transfer than the counter is.
constexpr std::uint64_t least_chunks_to_share = 16;

kind kind_of(const loop_state& l, schedule s, std::uint64_t members) noexcept {
  switch (s.kind) {
    case schedule_kind::static_:
      return s.chunk > 0 ? kind::round_robin : kind::block;
    case schedule_kind::guided:
      return kind::guided;
    case schedule_kind::dynamic:
    case schedule_kind::auto_:
      break;
  }
  const bool in_order = s.monotonic || l.ordered || l.chunks > most_chunks_to_share;
  return in_order || l.chunks < members * least_chunks_to_share ? kind::counter : kind::stealing;
}

void set_chunk(loop_state& l, std::uint64_t from, std::uint64_t size) noexcept {
  KASURI_EXPECT(cheap, from < l.count && size != 0, "a chunk of %lu from %lu, in %lu iterations",
                size, from, l.count);
  l.from = from;
  l.to = l.count - from > size ? from + size : l.count;
}

bool next_numbered(loop_state& l, std::uint64_t chunk) noexcept {
  if (chunk >= l.chunks) return false;
  set_chunk(l, chunk * l.chunk, l.chunk);
  return true;
}

tool::work_kind work_of(const schedule& s, std::uint64_t iterations, int members) noexcept {
  if (s.of_sections)  // GCC's scope is sections without any
    return iterations != 0 ? tool::work_kind::sections : tool::work_kind::scope;
  // A team of one has it all in one chunk. schedule(auto) is told as libomp tells it, whose tests
  // ask for that: its chunks are dealt out like those of a dynamic loop, but nobody has named a
  // size.
  switch (s.kind) {
    case schedule_kind::static_:
      return tool::work_kind::loop_static;
    case schedule_kind::dynamic:
      return tool::work_kind::loop_dynamic;
    case schedule_kind::guided:
    case schedule_kind::auto_:
      break;
  }
  return members == 1 ? tool::work_kind::loop_static : tool::work_kind::loop_guided;
}

bool next_block(const member& m, loop_state& l) noexcept {
  if (l.trip++ != 0) return false;
  const block b = block_of(l.count, static_cast<std::uint64_t>(m.number),
                           static_cast<std::uint64_t>(m.in->size));
  KASURI_EXPECT(cheap, b.from <= b.to && b.to <= l.count, "member %d of %d has [%lu, %lu) of %lu",
                m.number, m.in->size, b.from, b.to, l.count);
  l.from = b.from;
  l.to = b.to;
  return b.from != b.to;
}

bool next_by_turns(const member& m, loop_state& l) noexcept {
  const std::uint64_t chunk = l.trip;
  l.trip += static_cast<std::uint64_t>(m.in->size);
  return next_numbered(l, chunk);
}

bool next_guided(const member& m, loop_state& l) noexcept {
  std::atomic<std::uint64_t>& next = l.shared->next;
  const auto members = static_cast<std::uint64_t>(m.in->size);
  __builtin_prefetch(&next, 1);  // the line is to be written: one transfer instead of two
  std::uint64_t from = next.load(std::memory_order_relaxed);
  std::uint64_t size = 0;
  do {
    if (from >= l.count) return false;
    const std::uint64_t rest = l.count - from;
    size = std::max((rest - 1) / members + 1, l.chunk);
    if (l.whole_chunks) size = (size + l.chunk - 1) / l.chunk * l.chunk;
    size = std::min(size, rest);
    KASURI_EXPECT(cheap, size != 0 && size <= rest, "a chunk of %lu from %lu, in %lu iterations",
                  size, from, l.count);
  } while (!next.compare_exchange_weak(from, from + size, std::memory_order_relaxed));
  set_chunk(l, from, size);
  return true;
}

bool next_stolen(member& m, loop_state& l) noexcept {
  std::uint64_t chunk = 0;
  return take_shared_chunk(m, l, chunk) && next_numbered(l, chunk);
}

}  // namespace

bool choose_loop(member& m, std::uint64_t iterations, schedule s, bool ordered) noexcept {
  end_loop(m);  // the one before, if it was cancelled and nobody said that it ended
  loop_state& l = m.work.loop;
  const auto members = static_cast<std::uint64_t>(m.in->size);
  l.count = iterations;
  l.ordered = false;
  l.shared = nullptr;
  l.trip = 0;
  l.from = l.to = 0;
  if (tool::active()) [[unlikely]]
    tool::begin_work(m, work_of(s, iterations, m.in->size), iterations);
  if (members == 1 || iterations == 0) {
    l.how = kind::whole;
    return false;
  }
  l.ordered = ordered;
  l.whole_chunks = s.whole_chunks;
  l.chunk = s.chunk > 0 ? static_cast<std::uint64_t>(s.chunk) : 1;
  if (s.kind == schedule_kind::auto_)
    l.chunk = std::max<std::uint64_t>(iterations / (members * auto_chunks), 1);
  l.chunk = std::min(l.chunk, iterations);
  l.chunks = (iterations - 1) / l.chunk + 1;
  KASURI_EXPECT(cheap,
                l.chunk != 0 && l.chunk <= iterations && (l.chunks - 1) * l.chunk < iterations,
                "%lu chunks of %lu, %lu iterations", l.chunks, l.chunk, iterations);
  l.how = kind_of(l, s, members);
  if (l.how == kind::round_robin) l.trip = static_cast<std::uint64_t>(m.number);
  return ordered || (l.how != kind::block && l.how != kind::round_robin);
}

void set_up_loop(member& m, construct& c) noexcept {
  const loop_state& l = m.work.loop;
  KASURI_EXPECT(cheap, c.state.load(std::memory_order_relaxed) == 2 * (m.work.ticket - 1) + 1,
                "member %d sets construct %lu up, which is in state %lu", m.number,
                m.work.ticket - 1, c.state.load(std::memory_order_relaxed));
  c.next.store(0, std::memory_order_relaxed);
  if (l.ordered) c.turn.store(0, std::memory_order_relaxed);
  if (l.how == kind::stealing) c.shares = loop_shares_of(*m.in, m.work.ticket - 1);
}

bool next_chunk(member& m) noexcept {
  loop_state& l = m.work.loop;
  KASURI_EXPECT(cheap, l.shared != nullptr || l.how < kind::counter,
                "a loop of kind %d with nothing shared", static_cast<int>(l.how));
  KASURI_EXPECT(cheap, l.from <= l.to && l.to <= l.count, "member %d comes from [%lu, %lu) of %lu",
                m.number, l.from, l.to, l.count);
  if (l.ordered) pass_turn(m);
  if (l.shared != nullptr && l.shared->cancelled.load(std::memory_order_relaxed) != 0) return false;
  switch (l.how) {
    case kind::none:
      return false;
    case kind::whole:
      if (l.trip++ != 0) return false;
      l.from = 0;
      l.to = l.count;
      return l.count != 0;
    case kind::block:
      return next_block(m, l);
    case kind::round_robin:
      return next_by_turns(m, l);
    case kind::counter:
      return next_numbered(l, l.shared->next.fetch_add(1, std::memory_order_relaxed));
    case kind::guided:
      return next_guided(m, l);
    case kind::stealing:
      return next_stolen(m, l);
  }
  return false;
}

}  // namespace kasuri::omp
