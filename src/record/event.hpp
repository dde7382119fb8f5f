// SPDX-License-Identifier: Apache-2.0
// The events that a worker can record. An event is 24 bytes, the same in memory and in the file.
//
// "id" names the task or thread an event is about. The scheduler chooses it: unique among those
// alive at one time is enough (an address will do). A task may get another id when it becomes a
// thread; a suspend and the resume that belongs to it carry the same.
//
// Rules that keep a recording readable, per worker:
// - A task or thread *enters* a worker by task_begin (first time) or resume, and *leaves* it by
//   task_end (for good) or suspend. Each entry is left on the worker it was made on, last first.
// - A worker that parks runs nothing.
// - park and wake, blocking_begin and _end, spare_begin and _end are written in pairs.
#pragma once

#include <cstdint>      // for uint64_t
#include <string_view>  // for string_view
#include <type_traits>  // for is_trivially_default_constructible_v

namespace kasuri::record {

enum class event_kind : std::uint8_t {
  task_begin = 1,       // id starts
  task_end = 2,         // id is done
  steal = 3,            // id was taken from worker `peer`; detail: machine level, 0 = nearest
  suspend = 4,          // id leaves its worker; detail: wait_reason
  resume = 5,           // id goes on here; detail: wait_reason of its suspend, or 0
  join = 6,             // a join met the stolen id, done or not
  park = 7,             // the worker goes to sleep
  wake = 8,             // ... and is awake again
  spawn = 9,            // the running task created id
  blocking_begin = 10,  // the running task enters blocking(f)
  blocking_end = 11,    // ... and has left it
  spare_begin = 12,     // this spare thread takes over for worker `peer`
  spare_end = 13,       // ... and steps back
  lost = 14,            // from `ticks` on `id` events found the ring full
  waited = 15,          // the task here has waited awake since `id` ticks; detail: wait_reason
};

constexpr std::uint8_t event_kinds = 16;  // one more than the greatest kind

/// The kind's name as written above.
constexpr std::string_view name(event_kind kind) noexcept {
  constexpr std::string_view names[event_kinds] = {
      "none",        "task_begin", "task_end", "steal", "suspend",        "resume",
      "join",        "park",       "wake",     "spawn", "blocking_begin", "blocking_end",
      "spare_begin", "spare_end",  "lost",     "waited"};
  const auto index = static_cast<std::uint8_t>(kind);
  return index < event_kinds ? names[index] : "unknown";
}

/// `peer` of an event that has none.
constexpr std::uint16_t no_peer = 0xffff;

struct event {
  std::uint64_t ticks;
  std::uint64_t id;
  std::uint32_t reserved;  // 0
  std::uint16_t peer;      // another worker's index, or no_peer
  event_kind kind;
  std::uint8_t detail;
};

static_assert(sizeof(event) == 24);
// A new ring must not touch its memory.
static_assert(std::is_trivially_default_constructible_v<event>);

/// The kind of OS thread that stands behind a worker index.
enum class worker_role : std::uint8_t {
  worker = 0,  // of the pool
  guest = 1,   // a foreign thread that called in
  spare = 2,   // lent while a worker is stuck
};

constexpr std::uint8_t worker_roles = 3;

/// The role's name as written above.
constexpr std::string_view name(worker_role role) noexcept {
  constexpr std::string_view names[worker_roles] = {"worker", "guest", "spare"};
  const auto index = static_cast<std::uint8_t>(role);
  return index < worker_roles ? names[index] : "unknown";
}

}  // namespace kasuri::record
