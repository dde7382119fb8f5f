// SPDX-License-Identifier: Apache-2.0
#include "trace/timeline.hpp"

#include <algorithm>

namespace kasuri::trace {

using record::event_kind;
using record::wait_reason;

timeline::timeline(const record::file_header& header, observer& to)
    : start_ticks_(header.start_ticks),
      nanoseconds_per_tick_(1e9 / header.ticks_per_second),
      to_(to) {}

// Monotonic in ticks, so rounding keeps slices nested. The cap, 11 days, bounds what a damaged time
// can do and keeps nanoseconds exact in the double-precision numbers that JSON readers use.
std::uint64_t timeline::nanoseconds(std::uint64_t ticks) const noexcept {
  if (ticks <= start_ticks_) return 0;
  constexpr double cap = 1e15;
  const double time = static_cast<double>(ticks - start_ticks_) * nanoseconds_per_tick_;
  return static_cast<std::uint64_t>(std::min(time, cap));
}

timeline::track& timeline::track_of(const event_run& run) {
  const auto [found, added] = tracks_.try_emplace(run.worker);
  track& on = found->second;
  if (added) {
    on.worker = run.worker;
    on.role = run.role;
    to_.on_worker(run.worker, run.role);
  }
  return on;
}

void timeline::feed(const event_run& run) {
  track& on = track_of(run);
  on.lost = std::max(on.lost, run.lost);
  for (const record::event& e : run.events) {
    // Clocks of two cores may differ a little, and a worker index may change its thread.
    on.last = std::max(on.last, nanoseconds(e.ticks));
    if (on.unknown) end_gap(on);
    take(on, e);
  }
  events_ += run.events.size();
  length_ = std::max(length_, on.last);
}

void timeline::take(track& on, const record::event& e) {
  switch (e.kind) {
    case event_kind::task_begin:
      return begin(on, slice_kind::task, e);
    case event_kind::task_end:
      return end(on, slice_kind::task, e);
    case event_kind::resume:
      report_moment(on, e);
      return begin(on, slice_kind::task, e);
    case event_kind::suspend:
      end(on, slice_kind::task, e);
      return report_moment(on, e);
    case event_kind::park:
      stop_running(on);
      return begin(on, slice_kind::parked, e);
    case event_kind::wake:
      return end(on, slice_kind::parked, e);
    case event_kind::blocking_begin:
      return begin(on, slice_kind::blocking, e);
    case event_kind::blocking_end:
      return end(on, slice_kind::blocking, e);
    case event_kind::spare_begin:
      return begin(on, slice_kind::spare, e);
    case event_kind::spare_end:
      return end(on, slice_kind::spare, e);
    case event_kind::steal:
    case event_kind::spawn:
    case event_kind::join:
      return report_moment(on, e);
    case event_kind::lost:
      return start_gap(on, e);
    case event_kind::waited:
      return report_wait(on, e);
  }
}

void timeline::report_moment(const track& on, const record::event& e) {
  to_.on_moment({.worker = on.worker, .time = on.last, .what = e});
}

// A slice with nothing inside.
void timeline::report_plain(const track& on, slice_kind kind, std::uint64_t begin, std::uint64_t id,
                            wait_reason why) {
  to_.on_slice({.worker = on.worker,
                .kind = kind,
                .begin = begin,
                .end = on.last,
                .self = on.last - begin,
                .id = id,
                .left_as = id,
                .peer = record::no_peer,
                .resumed = false,
                .cut = false,
                .why = why});
}

// It ends at its event, and lies within what ran. A damaged time must not make it begin before
// that.
void timeline::report_wait(track& on, const record::event& e) {
  if (on.open.empty()) {
    ++unpaired_;
    return;
  }
  open_slice& around = on.open.back();
  const std::uint64_t begin = std::clamp(nanoseconds(e.id), around.alone_since, on.last);
  around.inside += on.last - begin;
  around.alone_since = on.last;
  report_plain(on, slice_kind::waiting, begin, 0, static_cast<wait_reason>(e.detail));
}

void timeline::begin(track& on, slice_kind kind, const record::event& e) {
  if (on.open.empty() && on.idle_since && on.last - *on.idle_since >= shortest_idle) {
    report_plain(on, slice_kind::idle, *on.idle_since, 0);
  }
  on.open.push_back({.kind = kind,
                     .begin = on.last,
                     .inside = 0,
                     .alone_since = on.last,
                     .id = e.id,
                     .peer = e.peer,
                     .resumed = e.kind == event_kind::resume});
}

// Closes the last slice of the kind. The slices above it have lost their own ends.
void timeline::end(track& on, slice_kind kind, const record::event& e) {
  const auto match = std::find_if(on.open.rbegin(), on.open.rend(),
                                  [&](const open_slice& it) { return it.kind == kind; });
  if (match == on.open.rend()) {
    ++unpaired_;
    return;
  }
  for (auto above = match - on.open.rbegin(); above > 0; --above) {
    close_top(on, nullptr);
    ++unpaired_;
  }
  close_top(on, &e);
}

// A worker that goes to sleep has left everything, whether it said so or not.
void timeline::stop_running(track& on) {
  while (!on.open.empty() && on.open.back().kind != slice_kind::spare) {
    close_top(on, nullptr);
    ++unpaired_;
  }
}

// `by` is the event that ends it, null if that was not recorded.
void timeline::close_top(track& on, const record::event* by) {
  const open_slice top = on.open.back();
  on.open.pop_back();
  const std::uint64_t length = on.last - top.begin;
  if (!on.open.empty()) {
    on.open.back().inside += length;
    on.open.back().alone_since = on.last;
  } else if (on.role == record::worker_role::worker) {
    on.idle_since = on.last;  // a guest between two calls is not idle, it is elsewhere
  }
  const bool suspended = by != nullptr && by->kind == event_kind::suspend;
  to_.on_slice({.worker = on.worker,
                .kind = top.kind,
                .begin = top.begin,
                .end = on.last,
                .self = length - top.inside,
                .id = top.id,
                .left_as = by != nullptr ? by->id : top.id,
                .peer = top.peer,
                .resumed = top.resumed,
                .cut = by == nullptr,
                .why = suspended ? static_cast<wait_reason>(by->detail) : wait_reason::none});
}

void timeline::close_all(track& on) {
  while (!on.open.empty()) close_top(on, nullptr);
}

void timeline::start_gap(track& on, const record::event& e) {
  close_all(on);
  on.idle_since.reset();
  on.unknown = gap{on.last, e.id};
  on.lost_marked += e.id;
}

void timeline::end_gap(track& on) {
  report_plain(on, slice_kind::lost, on.unknown->begin, on.unknown->events);
  on.unknown.reset();
}

void timeline::finish() {
  for (auto& [worker, on] : tracks_) {
    // Events dropped after the last one stored: no event marks their gap.
    if (!on.unknown && on.lost > on.lost_marked) {
      close_all(on);
      on.unknown = gap{on.last, on.lost - on.lost_marked};
    }
    // Slices that had not ended yet went on to the end of the recording.
    if (on.unknown || !on.open.empty()) on.last = length_;
    if (on.unknown) end_gap(on);
    close_all(on);
  }
}

std::uint64_t timeline::lost() const noexcept {
  std::uint64_t sum = 0;
  for (const auto& [worker, on] : tracks_) sum += std::max(on.lost, on.lost_marked);
  return sum;
}

}  // namespace kasuri::trace
