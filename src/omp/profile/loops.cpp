// SPDX-License-Identifier: Apache-2.0
// Loops and sections that the runtime deals out. Of a static loop of GCC it sees nothing: its
// code is part of the phase that the loop's barrier ends.

#include "omp/profile/loops.hpp"

#include <utility>

#include "omp/profile/consumer.hpp"
#include "omp/profile/own_code.hpp"
#include "profile/base/row_table.hpp"
#include "profile/base/sum.hpp"
#include "platform/base/clock.hpp"
#include "profile/thread/thread.hpp"

namespace kasuri::omp::sums {
namespace {

using tool::work_kind;

struct loop_row {
  explicit loop_row(std::uint64_t k) noexcept : key(k) {}
  const std::uint64_t key;  // kind of work, site
  loop_row* next = nullptr;
  profile::sum count, iterations, chunks;
};

constinit profile::row_table<loop_row, 64> loops;

const char* name(work_kind kind) noexcept {
  switch (kind) {
    case work_kind::sections:
      return "sections";
    case work_kind::distribute:
      return "distribute";
    case work_kind::loop_static:
      return "static";
    case work_kind::loop_dynamic:
      return "dynamic";
    case work_kind::loop_guided:
      return "guided";
    default:
      return "other";
  }
}

std::uint64_t body_ticks(profile::site_id site) noexcept {
  std::uint64_t ticks = 0;
  profile::each_thread([&](profile::thread& t) { ticks += t.work_at(site); });
  return ticks;
}

loop_row* row_of(work_kind kind, profile::site_id site) noexcept {
  return loops.find_or_make(static_cast<std::uint64_t>(kind) << profile::site_bits | site);
}

/// What runs on the member is of another place from now on.
void turn_to(member& m, profile::site_id site) noexcept {
  const std::uint64_t now = platform::ticks();
  const bool ran = runs(*m.current);
  pause(m, *m.current, now);
  m.current->tool->time.strand.turn_to(site, now);
  if (ran) go_on(*m.current, now);
}

}  // namespace

void begin_work(member& m, work_kind kind, std::uint64_t count) noexcept {
  member_sums* const s = sums_of(m);
  if (s == nullptr || m.current->tool == nullptr || kind == work_kind::scope) return;
  end_work(m);
  const bool sections = kind == work_kind::sections;
  s->loop = profile::site_of(sections ? profile::site_kind::sections : profile::site_kind::loop,
                             in_program(m, m.tool.call.address));
  s->around = m.current->tool->time.strand.where();
  s->in_loop = true;
  s->loop_kind = kind;
  s->chunks = 0;
  turn_to(m, s->loop);
  loop_row* const r = m.number == 0 ? row_of(kind, s->loop) : nullptr;
  if (r == nullptr) return;
  r->count.add(1);
  r->iterations.add(count);
}

void end_work(member& m) noexcept {
  member_sums* const s = sums_of(m);
  if (s == nullptr || !std::exchange(s->in_loop, false)) return;
  turn_to(m, s->around);
  s->loop_end = m.tool.call.address;
  if (s->chunks == 0) return;
  if (loop_row* const r = row_of(s->loop_kind, s->loop)) r->chunks.add(s->chunks);
}

void take_chunk(member& m) noexcept {
  if (member_sums* const s = sums_of(m)) ++s->chunks;
}

void write_loops(profile::json& to) {
  constexpr std::uint64_t site_mask = (std::uint64_t{1} << profile::site_bits) - 1;
  to.begin_array();
  loops.each([&to](const loop_row& r) {
    const std::uint64_t site = r.key & site_mask;
    to.begin_object().pair("site", site);
    to.pair("schedule", name(static_cast<work_kind>(r.key >> profile::site_bits)));
    to.pair("count", r.count.get()).pair("iterations", r.iterations.get());
    to.pair("chunks", r.chunks.get());
    to.pair("body_s", profile::seconds(body_ticks(static_cast<profile::site_id>(site))))
        .end_object();
  });
  to.end_array();
}

void begin_loops_anew() noexcept { loops.forget(); }

}  // namespace kasuri::omp::sums
