// SPDX-License-Identifier: Apache-2.0
#pragma once

// Loops as GCC's programs see them: the two types of their variables, and the schedules.

#include <cstdint>

#include "omp/team/icv_access.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/work/loop.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp::gomp {

using ull = unsigned long long;

/// The numbers by which GCC names schedules.
enum : long { runtime_schedule = 0, monotonic_flag = 0x80000000L };

/// A schedule with a chunk as the program gives it; the chunks of loops that count up or down by
/// unsigned numbers may be as large as those.
constexpr schedule schedule_of(schedule_kind kind, bool monotonic, std::uint64_t chunk) noexcept {
  constexpr std::uint64_t most = INT64_MAX;
  return {kind, monotonic, static_cast<std::int64_t>(chunk < most ? chunk : most)};
}

/// A chunk; 0: none, as with numbers that are none.
constexpr std::uint64_t as_count(long chunk) noexcept {
  return chunk > 0 ? static_cast<std::uint64_t>(chunk) : 0;
}
constexpr std::uint64_t as_count(ull chunk) noexcept { return chunk; }

inline schedule runtime_schedule_of(const member& m) noexcept { return values(m).run_schedule; }

/// The argument `sched` of the forms that have one.
inline schedule named_schedule(const member& m, long sched, std::uint64_t chunk) noexcept {
  const bool monotonic = (sched & monotonic_flag) != 0;
  switch (sched & ~monotonic_flag) {
    case 1:
      return schedule_of(schedule_kind::static_, monotonic, chunk);
    case 2:
      return schedule_of(schedule_kind::dynamic, monotonic, chunk);
    case 3:
      return schedule_of(schedule_kind::guided, monotonic, chunk);
    case 4:
      return schedule_of(schedule_kind::static_, monotonic, 0);  // auto
    default: {
      schedule s = runtime_schedule_of(m);
      s.monotonic = s.monotonic || monotonic;
      return s;
    }
  }
}

/// The loop's header: first value, end, step.
template <class Index>
struct range {
  Index first;
  Index end;
  Index step;
  bool up = true;  // of unsigned ones

  std::uint64_t iterations() const noexcept {
    if constexpr (std::is_signed_v<Index>)
      return iterations_of(first, end, step);
    else
      return iterations_of(up, first, end, step);
  }
};

/// The member's loop has these values.
template <class Index>
void set_values(loop_state& l, const range<Index>& r) noexcept {
  l.first = static_cast<std::uint64_t>(r.first);
  l.end = static_cast<std::uint64_t>(r.end);
  l.step = static_cast<std::uint64_t>(r.step);
}

/// The next chunk as values [*first, *end).
template <class Index>
bool next(member& m, Index* first, Index* end) noexcept {
  if (!next_chunk(m)) return false;
  const loop_state& l = m.work.loop;
  KASURI_EXPECT(cheap, l.from < l.to && l.to <= l.count, "member %d has [%lu, %lu) of %lu",
                m.number, l.from, l.to, l.count);
  if (tool::active()) [[unlikely]]
    tool::dispatch(m, tool::dispatch_kind::loop_chunk, l.first + l.from * l.step, l.to - l.from);
  *first = static_cast<Index>(l.first + l.from * l.step);
  *end = static_cast<Index>(l.to == l.count ? l.end : l.first + l.to * l.step);
  return true;
}

template <class Index>
void begin(member& m, const range<Index>& r, schedule s, bool ordered) noexcept {
  begin_loop(m, r.iterations(), s, ordered);
  set_values(m.work.loop, r);
}

template <class Index>
bool start(const range<Index>& r, schedule s, bool ordered, Index* first, Index* end) noexcept {
  member& m = self();
  begin(m, r, s, ordered);
  return next(m, first, end);
}

}  // namespace kasuri::omp::gomp
