// SPDX-License-Identifier: Apache-2.0
// The heavy half of the asymmetric fence: membarrier(2), registered once for the process, or, where
// a seccomp filter or an old kernel refuses it, one of two slower ways to the same.

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>

#include "kasuri/detail/atomics.hpp"
#include "platform/base/fatal.hpp"
#include "platform/base/system_call.hpp"
#include "platform/memory/memory.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kasuri::platform {
namespace {

enum class fence_way : int { unknown, membarrier, unmapping, visiting };

constinit std::atomic<fence_way> way_known{fence_way::unknown};

// As many processors as any machine of today has.
constexpr int most_cpus = 8192;
using wide_mask = cpu_set_t[most_cpus / CPU_SETSIZE];

bool membarrier(int command) noexcept { return system_call(SYS_membarrier, command) == 0; }

bool register_membarrier() noexcept {
  const long have = system_call(SYS_membarrier, MEMBARRIER_CMD_QUERY);
  return have >= 0 && (have & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0 &&
         membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

// Whether the kernel takes a translation from other processors by an interrupt, which makes them
// pass a full barrier. Processors that broadcast it in hardware (AArch64; AMD with INVLPGB) keep
// their pending stores.
bool unmapping_interrupts() noexcept {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned address_sizes = 0x80000008u, invlpgb = 1u << 3;
  return __get_cpuid(address_sizes, &a, &b, &c, &d) != 0 && (b & invlpgb) == 0;
#else
  return false;
#endif
}

// Writes to a fresh page and takes it back: before the kernel may use the page for another purpose,
// every processor that runs a thread of this process must have dropped its translation.
bool fence_by_unmapping() noexcept {
  const std::size_t bytes = page_size();
  void* page = reserve(bytes);
  if (page == nullptr) return false;
  *static_cast<volatile char*>(page) = 1;
  return munmap(page, bytes) == 0;
}

// Both leave errno alone: the caller may be between two tasks that run on thread-locals of others.
bool move_to(const wide_mask& cpus) noexcept {
  return system_call(SYS_sched_setaffinity, 0, sizeof cpus, reinterpret_cast<long>(&cpus)) == 0;
}
bool allowed(wide_mask& cpus) noexcept {
  return system_call(SYS_sched_getaffinity, 0, sizeof cpus, reinterpret_cast<long>(&cpus)) > 0;
}

// Runs the calling thread on each processor in turn: what ran there was switched out, and a thread
// that moves to a processor visited before was switched out as well. A switch is a full barrier.
bool fence_by_visiting() noexcept {
  wide_mask before;
  CPU_ZERO_S(sizeof before, before);
  if (!allowed(before)) return false;
  const long cpus = sysconf(_SC_NPROCESSORS_CONF);
  bool visited = false;
  for (int cpu = 0; cpu < cpus && cpu < most_cpus; ++cpu) {
    wide_mask one;
    CPU_ZERO_S(sizeof one, one);
    CPU_SET_S(static_cast<std::size_t>(cpu), sizeof one, one);
    // Refused: the processor is off, or no thread of this process may run there.
    visited |= move_to(one);
  }
  return move_to(before) && visited;
}

fence_way choose_way() noexcept {
  if (register_membarrier()) return fence_way::membarrier;
  if (unmapping_interrupts() && fence_by_unmapping()) return fence_way::unmapping;
  if (fence_by_visiting()) return fence_way::visiting;
  fatal(
      "the kernel offers neither membarrier(PRIVATE_EXPEDITED) nor sched_setaffinity (a seccomp "
      "filter may hide them): thieves cannot take work from a busy owner without one of them");
}

bool fence_by(fence_way way) noexcept {
  switch (way) {
    case fence_way::membarrier:
      return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    case fence_way::unmapping:
      return fence_by_unmapping();
    case fence_way::visiting:
      return fence_by_visiting();
    case fence_way::unknown:
      break;
  }
  return false;
}

}  // namespace
}  // namespace kasuri::platform

namespace kasuri::detail {

void prepare_fence_heavy() noexcept {
  platform::way_known.store(platform::choose_way(), std::memory_order_relaxed);
}

void fence_heavy() noexcept {
  using platform::fence_by;
  using platform::fence_way;
  // The caller's own barrier, which only membarrier promises; pairs with the light fences.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  // relaxed: a way that is out of date fails, and another one is chosen
  const fence_way way = platform::way_known.load(std::memory_order_relaxed);
  if (!fence_by(way)) {
    // The process uses a deque without a pool, or a filter came after the start, or memory is
    // short.
    const fence_way other =
        way == fence_way::unmapping ? fence_way::visiting : platform::choose_way();
    platform::way_known.store(other, std::memory_order_relaxed);  // relaxed: as above
    if (!fence_by(other)) platform::fatal("the kernel took back what heavy fences are made of");
  }
  // pairs with the light fences, as above
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void yield_processor() noexcept { sched_yield(); }

}  // namespace kasuri::detail
