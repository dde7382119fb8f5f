// SPDX-License-Identifier: Apache-2.0
#pragma once

// Regions as GCC's programs begin them.

#include "omp/abi/gomp/gomp_index.hpp"
#include "omp/region/region.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/work/sections.hpp"

namespace kasuri::omp::gomp {

using function = void (*)(void*);

/// While a tool looks on: the code's caller is a frame that it knows.
[[gnu::noinline]] inline void call_seen(function f, void* data, member& m) {
  *tool::exit_frame(m) = __builtin_frame_address(0);
  f(data);
  // Behind the call: else that would be a jump, and the frame the caller's.
  asm volatile("" ::: "memory");
}

inline void call(function f, void* data, member& m) {
  if (tool::active()) [[unlikely]]
    return call_seen(f, data, m);
  f(data);
}

inline void call_function(const region_code& code, member& m) {
  call(reinterpret_cast<function>(code.function), code.data, m);
}

inline region_code code_of(function f, void* data) noexcept {
  return {call_function, reinterpret_cast<void (*)()>(f), data, 1};
}

/// threads: 0, no clause. The lowest three bits of flags are those of proc_bind.
inline region_clauses clauses_of(unsigned threads, unsigned flags) noexcept {
  region_clauses c;
  c.threads = static_cast<int>(threads);
  c.parallel = threads != 1;
  if ((flags & 7) != 0) c.bind = static_cast<proc_bind>(flags & 7);
  return c;
}

/// A region that begins with a worksharing construct, which each member meets before its code:
/// meet(m) of `Construct`.
template <class Construct>
struct combined {
  Construct construct;
  void* data;

  static void call(const region_code& code, member& m) {
    const auto& self = *static_cast<const combined*>(code.data);
    self.construct.meet(m);
    gomp::call(reinterpret_cast<function>(code.function), self.data, m);
  }
};

template <class Construct>
void run_combined(function f, void* data, unsigned threads, unsigned flags, const Construct& what) {
  combined<Construct> both{what, data};
  run_region({combined<Construct>::call, reinterpret_cast<void (*)()>(f), &both, 1},
             clauses_of(threads, flags));
}

/// The old form: the caller runs its part itself, until GOMP_parallel_end.
template <class Construct>
void begin_combined(function f, void* data, unsigned threads, const Construct& what) {
  auto* const both = new combined<Construct>{what, data};
  member& m = begin_region({combined<Construct>::call, reinterpret_cast<void (*)()>(f), both, 1},
                           clauses_of(threads, 0));
  what.meet(m);
}

/// Frees the construct of begin_combined. False: the region was not begun by that.
template <class Construct>
bool end_combined(const region_code& code) noexcept {
  if (code.call != combined<Construct>::call) return false;
  delete static_cast<combined<Construct>*>(code.data);
  return true;
}

struct loop_construct {
  range<long> values;
  schedule how;
  void meet(member& m) const noexcept { begin(m, values, how, false); }
};

struct sections_construct {
  unsigned count;
  void meet(member& m) const noexcept { begin_loop(m, count, sections_schedule, false); }
};

}  // namespace kasuri::omp::gomp
