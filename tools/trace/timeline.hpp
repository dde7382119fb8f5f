// SPDX-License-Identifier: Apache-2.0
// From events to what happened: slices of time per worker, properly nested, and moments.
//
// Works event by event in memory that grows only with what is open at one time. Holes do no harm:
// at a gap everything open is closed there and marked as cut; an end whose begin is missing is
// counted and skipped; what is still open at the end is closed there.
#pragma once

#include "trace/reader.hpp"

#include <cstdint>   // for uint64_t
#include <map>       // for map
#include <optional>  // for optional
#include <vector>    // for vector

namespace kasuri::trace {

enum class slice_kind : std::uint8_t {
  task,      // a task or thread runs
  idle,      // awake, but nothing runs: searching, or the runtime's own work
  parked,    // asleep
  blocking,  // inside blocking(f)
  spare,     // a spare thread stands in for another worker
  lost,      // the ring was full: unknown
  waiting,   // the task here waits awake for others
};

constexpr std::uint8_t slice_kinds = 7;

/// Times in nanoseconds since the recording started.
struct slice {
  std::uint16_t worker;
  slice_kind kind;
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t self;       // end - begin without the slices inside
  std::uint64_t id;         // task: which; lost: how many events
  std::uint64_t left_as;    // task: its id when it left, where that is another
  std::uint16_t peer;       // spare: the worker it stands in for
  bool resumed;             // task: had been suspended before
  bool cut;                 // its end was not recorded
  record::wait_reason why;  // task: why it left its worker, none if it ended; waiting: for what
};

/// A steal, spawn, join, suspend or resume.
struct moment {
  std::uint16_t worker;
  std::uint64_t time;
  const record::event& what;
};

/// A listener. Slices come in the order of their ends, per worker.
class observer {
 public:
  virtual ~observer() = default;
  virtual void on_worker(std::uint16_t worker, record::worker_role role) = 0;
  virtual void on_slice(const slice& it) = 0;
  virtual void on_moment(const moment& it) = 0;
};

class timeline {
 public:
  /// Idle spells shorter than this are not reported: they would be half of all slices.
  static constexpr std::uint64_t shortest_idle = 1000;  // ns

  timeline(const record::file_header& header, observer& to);

  /// Runs of one worker in the order they stand in the file.
  void feed(const event_run& run);

  /// After the last run.
  void finish();

  std::uint64_t events() const noexcept { return events_; }
  std::uint64_t lost() const noexcept;
  /// Ends without a begin and begins without an end, except what was open at a gap or at the end.
  std::uint64_t unpaired() const noexcept { return unpaired_; }
  /// Time of the last event of all.
  std::uint64_t length() const noexcept { return length_; }

 private:
  struct open_slice {
    slice_kind kind;
    std::uint64_t begin;
    std::uint64_t inside;       // time of the slices inside
    std::uint64_t alone_since;  // the end of the last of these, or its own begin
    std::uint64_t id;
    std::uint16_t peer;
    bool resumed;
  };
  struct gap {
    std::uint64_t begin;
    std::uint64_t events;
  };
  struct track {
    std::uint16_t worker = 0;
    record::worker_role role{};
    std::uint64_t last = 0;  // time of its latest event
    std::vector<open_slice> open;
    std::optional<std::uint64_t> idle_since;
    std::optional<gap> unknown;
    std::uint64_t lost = 0;         // as the blocks say
    std::uint64_t lost_marked = 0;  // as the `lost` events say
  };

  std::uint64_t nanoseconds(std::uint64_t ticks) const noexcept;
  track& track_of(const event_run& run);
  void take(track& on, const record::event& e);
  void begin(track& on, slice_kind kind, const record::event& e);
  void end(track& on, slice_kind kind, const record::event& e);
  void stop_running(track& on);
  void close_top(track& on, const record::event* by);
  void close_all(track& on);
  void start_gap(track& on, const record::event& e);
  void end_gap(track& on);
  void report_plain(const track& on, slice_kind kind, std::uint64_t begin, std::uint64_t id,
                    record::wait_reason why = record::wait_reason::none);
  void report_wait(track& on, const record::event& e);
  void report_moment(const track& on, const record::event& e);

  const std::uint64_t start_ticks_;
  const double nanoseconds_per_tick_;
  observer& to_;
  std::map<std::uint16_t, track> tracks_;
  std::uint64_t events_ = 0;
  std::uint64_t unpaired_ = 0;
  std::uint64_t length_ = 0;
};

}  // namespace kasuri::trace
