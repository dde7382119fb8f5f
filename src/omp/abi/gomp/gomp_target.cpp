// SPDX-License-Identifier: Apache-2.0
// GCC's target constructs. There is no device, so the regions run on the host and the data are
// where they are: mapping does nothing, but firstprivate variables are copied.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>

#include "omp/region/league.hpp"
#include "platform/base/expect.hpp"

using namespace kasuri::omp;

extern "C" {
void kasuri_GOMP_task(void (*f)(void*), void* data, void (*copy)(void*, void*), long size,
                      long align, bool deferred, unsigned flags, void** depend, int priority,
                      void* detach);
void kasuri_GOMP_taskwait_depend(void** depend);
}

namespace {

using region = void (*)(void**);

constexpr unsigned flag_nowait = 1;
constexpr unsigned task_flag_depend = 8;
constexpr unsigned kind_mask = 0xff;
constexpr unsigned kind_firstprivate = 12;
constexpr unsigned kind_align_shift = 8;

/// The clauses of a construct that GCC passes as a list of words up to a null: a device, what it
/// is, and a value in the same word or in the next one.
namespace argument {
constexpr std::uintptr_t device_mask = 0x7f;
constexpr std::uintptr_t any_device = 0;
constexpr std::uintptr_t value_follows = 0x80;
constexpr std::uintptr_t what_mask = 0xff00;
constexpr std::uintptr_t thread_limit = 0x200;
constexpr int value_shift = 16;
}  // namespace argument

/// The value of a thread_limit clause that holds for every device; 0: there is none.
int thread_limit_of(void* const* arguments) noexcept {
  if (arguments == nullptr) return 0;
  while (*arguments != nullptr) {
    const auto word = reinterpret_cast<std::intptr_t>(*arguments++);
    const auto what = static_cast<std::uintptr_t>(word);
    const std::intptr_t value = (what & argument::value_follows) != 0
                                    ? reinterpret_cast<std::intptr_t>(*arguments++)
                                    : word >> argument::value_shift;
    if ((what & argument::device_mask) == argument::any_device &&
        (what & argument::what_mask) == argument::thread_limit && value > 0)
      return static_cast<int>(std::min<std::intptr_t>(value, std::numeric_limits<int>::max()));
  }
  return 0;
}

/// A target region as the program describes it.
struct target {
  region code;
  std::size_t count;
  void** addresses;
  const std::size_t* sizes;
  const unsigned short* kinds;
  int thread_limit;  // of the clause; 0: none

  /// Not an optional argument of Fortran that is absent: there is nothing to copy, the region gets
  /// null too.
  bool is_private(std::size_t i) const noexcept {
    return (kinds[i] & kind_mask) == kind_firstprivate && addresses[i] != nullptr;
  }
  std::size_t align(std::size_t i) const noexcept {
    return std::size_t{1} << (kinds[i] >> kind_align_shift);
  }
};

constexpr std::size_t round_up(std::size_t n, std::size_t align) noexcept {
  KASURI_EXPECT(cheap, align != 0, "%zu bytes at multiples of none", n);
  return (n + align - 1) / align * align;
}

/// The region's argument: addresses and, behind them, its private variables. It moves with its
/// task.
struct packed {
  region code;
  std::size_t count;
  int thread_limit;

  void** addresses() noexcept { return reinterpret_cast<void**>(this + 1); }
};

/// Calls place(i, offset) for each private variable; the offsets count from the packed one's start.
template <class Place>
std::size_t lay_out(const target& t, const Place& place) noexcept {
  std::size_t used = sizeof(packed) + t.count * sizeof(void*);
  for (std::size_t i = 0; i != t.count; ++i) {
    if (!t.is_private(i)) continue;
    used = round_up(used, t.align(i));
    place(i, used);
    used += t.sizes[i];
  }
  return used;
}

std::size_t align_of(const target& t) noexcept {
  std::size_t most = alignof(std::max_align_t);
  for (std::size_t i = 0; i != t.count; ++i)
    if (t.is_private(i) && t.align(i) > most) most = t.align(i);
  return most;
}

void pack(void* to, void* from) {
  const target& t = *static_cast<const target*>(from);
  KASURI_EXPECT(cheap, reinterpret_cast<std::uintptr_t>(to) % align_of(t) == 0,
                "private variables at %p, and not at a multiple of %zu", to, align_of(t));
  auto& p = *new (to) packed{t.code, t.count, t.thread_limit};
  std::memcpy(p.addresses(), t.addresses, t.count * sizeof(void*));
  lay_out(t, [&t, &p, to](std::size_t i, std::size_t offset) {
    void* const place = static_cast<std::byte*>(to) + offset;
    std::memcpy(place, t.addresses[i], t.sizes[i]);
    p.addresses()[i] = place;
  });
}

void run_packed(void* data) {
  auto& p = *static_cast<packed*>(data);
  run_target(p.thread_limit, [&p] { p.code(p.addresses()); });
}

void nothing(void*) {}

/// The dependences of a construct that does nothing else here.
void keep_order(unsigned flags, void** depend) {
  if (depend == nullptr) return;
  if ((flags & flag_nowait) != 0)
    kasuri_GOMP_task(nothing, nullptr, nullptr, 0, 1, true, task_flag_depend, depend, 0, nullptr);
  else
    kasuri_GOMP_taskwait_depend(depend);
}

}  // namespace

extern "C" {

void kasuri_GOMP_target(int, region code, const void*, std::size_t, void** addresses, std::size_t*,
                        unsigned char*) {
  run_target(0, [code, addresses] { code(addresses); });
}

void kasuri_GOMP_target_ext(int, region code, std::size_t count, void** addresses,
                            std::size_t* sizes, unsigned short* kinds, unsigned flags,
                            void** depend, void** arguments) {
  target t{code, count, addresses, sizes, kinds, thread_limit_of(arguments)};
  const std::size_t align = align_of(t);
  const std::size_t bytes = round_up(lay_out(t, [](std::size_t, std::size_t) {}), align);
  if ((flags & flag_nowait) != 0) {
    kasuri_GOMP_task(run_packed, &t, pack, static_cast<long>(bytes), static_cast<long>(align), true,
                     depend != nullptr ? task_flag_depend : 0u, depend, 0, nullptr);
    return;
  }
  if (depend != nullptr) kasuri_GOMP_taskwait_depend(depend);
  auto* const room = static_cast<std::byte*>(__builtin_alloca(bytes + align));
  auto* const place =
      reinterpret_cast<std::byte*>(round_up(reinterpret_cast<std::uintptr_t>(room), align));
  pack(place, &t);
  run_packed(place);
}

void kasuri_GOMP_target_data(int, const void*, std::size_t, void**, std::size_t*, unsigned char*) {}
void kasuri_GOMP_target_data_ext(int, std::size_t, void**, std::size_t*, unsigned short*) {}
void kasuri_GOMP_target_end_data() {}
void kasuri_GOMP_target_update(int, const void*, std::size_t, void**, std::size_t*,
                               unsigned char*) {}

void kasuri_GOMP_target_update_ext(int, std::size_t, void**, std::size_t*, unsigned short*,
                                   unsigned flags, void** depend) {
  keep_order(flags, depend);
}

void kasuri_GOMP_target_enter_exit_data(int, std::size_t, void**, std::size_t*, unsigned short*,
                                        unsigned flags, void** depend) {
  keep_order(flags, depend);
}

/// taskwait with depend and nowait.
void kasuri_GOMP_taskwait_depend_nowait(void** depend) { keep_order(flag_nowait, depend); }

/// The function that is meant when a target region calls through a pointer of the host: itself.
void* kasuri_GOMP_target_map_indirect_ptr(void* function) { return function; }

/// Images for devices, in programs that were linked with some: nobody will ask for them.
void kasuri_GOMP_offload_register(const void*, int, const void*) {}
void kasuri_GOMP_offload_unregister(const void*, int, const void*) {}
void kasuri_GOMP_offload_register_ver(unsigned, const void*, int, const void*) {}
void kasuri_GOMP_offload_unregister_ver(unsigned, const void*, int, const void*) {}

}  // extern "C"
