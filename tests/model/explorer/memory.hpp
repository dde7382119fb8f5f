// SPDX-License-Identifier: Apache-2.0
// The memory of the model: C++20 atomics as an operational, view-based machine.
//
// Protocol
// - Every atomic location keeps all messages ever written to it, in modification order. A message's
//   timestamp is its place in that order; a store may take any place above what its thread has
//   seen, a read-modify-write takes the place just above the message it read, and that gap closes.
// - A thread's view says, per location, the oldest message the thread may still read. Reading or
//   writing raises it: that alone is coherence.
// - A message carries a view. Release writes put the writer's current view in it, relaxed writes
//   the view of the writer's last release fence; a read-modify-write adds the view of the message
//   it read (a release sequence). An acquire load joins the view of the message it reads; a relaxed
//   load keeps it for a later acquire fence.
// - A sequentially consistent fence joins the one global view both ways. A sequentially consistent
//   access orders itself against those fences and accesses at its own location only, as C++20 asks.
// - fence_heavy() is a fence of the caller, a barrier executed for every other thread, and a fence
//   of the caller. A barrier orders only what its thread did before its last fence_light() against
//   what it does after its next one: the compiler may move everything in between across the
//   interrupt, so a forgotten fence_light() shows.
// - fence_light() is also a release fence for those who execute a fence_heavy() after they have
//   read a store behind it: what came before is visible to them when the barriers have been
//   executed.
// Views also hold the clocks of the threads (who has synchronised with whom up to when), by which
// accesses to plain data are checked for races. Barriers and the global view do not carry these.
//
// The class decides what is allowed and what it does; which allowed choice is taken is decided by
// the search.
#pragma once

#include <algorithm>  // for max
#include <array>
#include <cstdint>
#include <vector>

#include "clock.hpp"
#include "operation.hpp"

namespace kasuri::model {

using timestamp = std::int16_t;

struct view {
  std::array<timestamp, max_locations> seen{};
  std::array<tick, max_threads> synchronized{};

  void join_seen(const view& other) { raise(seen, other.seen); }
  void join(const view& other) {
    raise(seen, other.seen);
    raise(synchronized, other.synchronized);
  }
};

/// The event that wrote a message, for the search's notion of the past.
struct author {
  int process = 0;
  tick index = 0;  // 0: written before the threads started
  clock past;
};

struct message {
  timestamp at = 0;
  bool closes_gap = false;  // a read-modify-write of the message before it
  std::uint64_t value = 0;
  author by;
  view carried;
  view carried_lightly;  // for readers that execute a heavy fence: the writer's last light fence
};

class memory {
 public:
  void reset();
  int add_location(std::uint64_t initial);
  int locations() const { return used_; }
  const std::vector<message>& messages(int location) const { return locations_[location]; }

  /// The last value in modification order, for code that runs before or after all threads.
  std::uint64_t& newest(int location) { return locations_[location].back().value; }

  /// Index of the oldest message the thread may read, or write behind.
  int oldest_visible(int thread, int location, bool sequential) const;
  /// True when a new message may be put just behind message `index`.
  bool gap_open(int location, int index) const;

  std::uint64_t read(int thread, int location, int index, std::memory_order order);
  void write(int thread, int location, int behind, std::uint64_t value, std::memory_order order,
             const author& by);
  /// Writes behind the message just read by the same operation.
  void write_modified(int thread, int location, int behind, std::uint64_t value,
                      std::memory_order order, const author& by);
  /// Message `index` becomes visible to the thread because time has passed: no older one is read.
  void notice(int thread, int location, int index);

  void fence(int thread, std::memory_order order);
  void light_fence(int thread);
  /// When all barriers have arrived.
  void end_heavy_fence(int thread);
  void barrier(int thread);

  /// For checking plain data: the thread's own clock, and how far it has synchronised with others.
  tick now(int thread) const { return threads_[thread].current.synchronized[thread]; }
  tick synchronized_with(int thread, int other) const {
    return threads_[thread].current.synchronized[other];
  }

 private:
  void advance(int thread) { ++threads_[thread].current.synchronized[thread]; }

  struct thread_views {
    view current;
    view acquirable;  // what relaxed loads have seen and an acquire fence would make current
    view acquirable_heavily;  // what loads have seen and the end of a heavy fence makes current
    view released;            // current at the last release fence
    view before_light;        // current at the last light fence: what a barrier publishes
    view after_light;         // what barriers have brought and the next light fence makes current
  };

  timestamp place_behind(int location, int index) const;
  message& insert(int location, int behind, std::uint64_t value, const author& by);

  int used_ = 0;
  std::array<std::vector<message>, max_locations> locations_;
  std::array<thread_views, max_threads> threads_;
  view global_;  // of sequentially consistent operations
};

}  // namespace kasuri::model
