// SPDX-License-Identifier: Apache-2.0
#pragma once

// The arguments by which GCC's code makes tasks (facts of its ABI).

#include <cstdint>
#include <cstring>

#include "omp/run/tasks.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/work/cancel.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp::gomp {

namespace flag {
inline constexpr unsigned untied = 1u << 0;
inline constexpr unsigned final = 1u << 1;
inline constexpr unsigned mergeable = 1u << 2;
inline constexpr unsigned depend = 1u << 3;
inline constexpr unsigned priority = 1u << 4;
inline constexpr unsigned up = 1u << 8;  // of a loop of unsigned long long
inline constexpr unsigned grainsize = 1u << 9;
inline constexpr unsigned if_ = 1u << 10;
inline constexpr unsigned nogroup = 1u << 11;
inline constexpr unsigned reduction = 1u << 12;
inline constexpr unsigned detach = 1u << 13;
inline constexpr unsigned strict = 1u << 14;
}  // namespace flag

using copy_function = void (*)(void* to, void* from);

/// A task's code and the data in the creator's frame.
struct source {
  gcc_task function;
  void* data;
  copy_function copy;  // null: bytes
  std::size_t bytes;
  std::size_t align;
};

[[gnu::always_inline]] inline void copy_data(explicit_task& t, const source& s) noexcept {
  if (s.copy != nullptr) [[unlikely]] {
    s.copy(t.data, s.data);
    t.special |= special_end::code_destroys;
  } else if (s.bytes != 0) {  // else the program may give no address
    std::memcpy(t.data, s.data, s.bytes);
  }
}

/// Whether a task that m is to create now would be dropped: then nothing is copied for it. Once its
/// objects have been copied it must run, because its code destroys them. Without a copy function
/// there are none.
inline bool need_not_copy(const member& m, const source& s) noexcept {
  return s.copy != nullptr && cancelled(m, cancel_kind::taskgroup);
}

/// A record with a copy of the data.
[[gnu::always_inline]] inline explicit_task& copy_task(member& m, const source& s,
                                                       unsigned flags) noexcept {
  explicit_task& t = make_task(*m.current, m.in, s.bytes, s.align);
  KASURI_EXPECT(cheap, reinterpret_cast<std::uintptr_t>(t.data) % s.align == 0,
                "data at %p, and not at a multiple of %zu", t.data, s.align);
  t.function = reinterpret_cast<void (*)()>(s.function);
  t.final = (flags & flag::final) != 0 || m.current->final;
  copy_data(t, s);
  return t;
}

/// The same while a tool looks on: a record of its own.
inline void call_seen(member& m, const source& s, unsigned flags, bool serial) noexcept {
  explicit_task& t = make_task(*m.current, m.in, 0, 1);
  t.function = reinterpret_cast<void (*)()>(s.function);
  t.data = s.data;
  t.final = (flags & flag::final) != 0 || m.current->final;
  t.undeferred = true;
  t.serial = serial;
  tool::task_created(m, t, true);
  run_task(m, t);
}

/// Runs a task at once. Without a copy function its code makes the copies itself. `serial`: the
/// program says so.
[[gnu::always_inline]] inline void call(member& m, const source& s, unsigned flags,
                                        bool serial) noexcept {
  if (s.copy != nullptr) [[unlikely]] {
    explicit_task& t = copy_task(m, s, flags);
    t.undeferred = true;
    t.serial = serial;
    tool::task_created(m, t, true);
    run_task(m, t);
    return;
  }
  if (tool::active()) [[unlikely]]
    return call_seen(m, s, flags, serial);
  calls one(m, (flags & flag::final) != 0);
  one.run([&s] { s.function(s.data); });
  one.close();
}

}  // namespace kasuri::omp::gomp
