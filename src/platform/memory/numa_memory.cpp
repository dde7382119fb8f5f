// SPDX-License-Identifier: Apache-2.0
#include "platform/memory/numa_memory.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <iterator>

#include "platform/memory/memory.hpp"

namespace kasuri::platform {
namespace {

// Of the kernel's linux/mempolicy.h; numaif.h, which has them too, comes with libnuma only.
constexpr int mpol_default = 0;
constexpr int mpol_preferred = 1;
constexpr int mpol_bind = 2;
constexpr int mpol_interleave = 3;
constexpr int mpol_modes = 0xff;  // beside them are flags
constexpr unsigned long mpol_f_addr = 2;
constexpr int mpol_mf_move = 2;

constexpr std::size_t word_bits = 8 * sizeof(unsigned long);

// The kernel takes the number of bits plus one.
constexpr unsigned long mask_bits = most_numa_nodes + 1;

class errno_kept {
 public:
  errno_kept() noexcept : value_(errno) {}
  ~errno_kept() { errno = value_; }
  errno_kept(const errno_kept&) = delete;
  errno_kept& operator=(const errno_kept&) = delete;

 private:
  const int value_;
};

int mode_of(memory_policy policy) noexcept {
  switch (policy) {
    case memory_policy::preferred:
      return mpol_preferred;
    case memory_policy::interleaved:
      return mpol_interleave;
    case memory_policy::by_default:
      break;
  }
  return mpol_default;
}

void add(unsigned long* mask, int node) noexcept {
  if (node < 0 || node >= most_numa_nodes) return;
  mask[static_cast<std::size_t>(node) / word_bits] |= 1UL
                                                      << (static_cast<unsigned>(node) % word_bits);
}

/// The number of the one bit that is set; -1: there are none or more.
int only_node_of(const unsigned long (&mask)[most_numa_nodes / word_bits]) noexcept {
  int node = -1;
  for (std::size_t i = 0; i != std::size(mask); ++i) {
    if (mask[i] == 0) continue;
    if (node >= 0 || !std::has_single_bit(mask[i])) return -1;
    node = static_cast<int>(i * word_bits) + std::countr_zero(mask[i]);
  }
  return node;
}

}  // namespace

bool set_policy(void* start, std::size_t bytes, memory_policy policy,
                std::span<const int> nodes) noexcept {
  const errno_kept kept;
  unsigned long mask[most_numa_nodes / word_bits] = {};
  for (const int node : nodes) add(mask, node);
  return ::syscall(SYS_mbind, start, bytes, mode_of(policy), nodes.empty() ? nullptr : mask,
                   nodes.empty() ? 0UL : mask_bits, 0U) == 0;
}

prefer_nodes::prefer_nodes() noexcept {
  const errno_kept kept;
  known_ = ::syscall(SYS_get_mempolicy, &mode_, mask_, static_cast<unsigned long>(most_numa_nodes),
                     nullptr, 0UL) == 0;
}

prefer_nodes::~prefer_nodes() {
  const errno_kept kept;
  if (known_)
    ::syscall(SYS_set_mempolicy, mode_, mode_ == mpol_default ? nullptr : mask_, mask_bits);
}

bool prefer_nodes::prefer(int node) noexcept {
  const errno_kept kept;
  unsigned long mask[words] = {};
  add(mask, node);
  return known_ && ::syscall(SYS_set_mempolicy, mpol_preferred, mask, mask_bits) == 0;
}

int ask_nodes(std::span<void* const> pages, std::span<int> status) noexcept {
  const errno_kept kept;
  const long result =
      ::syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, status.data(), 0);
  return result < 0 ? errno : 0;
}

int wished_node(const void* address) noexcept {
  const errno_kept kept;
  int mode = mpol_default;
  unsigned long mask[most_numa_nodes / word_bits] = {};
  if (::syscall(SYS_get_mempolicy, &mode, mask, static_cast<unsigned long>(most_numa_nodes),
                address, mpol_f_addr) != 0)
    return -1;
  mode &= mpol_modes;
  return mode == mpol_preferred || mode == mpol_bind ? only_node_of(mask) : -1;
}

int move_to_nodes(std::span<void* const> pages, std::span<const int> nodes) noexcept {
  constexpr std::size_t most = 128;  // threads may have stacks of 16 KiB
  const errno_kept kept;
  int status[most];
  for (std::size_t done = 0; done < pages.size(); done += most) {
    const std::size_t some = pages.size() - done < most ? pages.size() - done : most;
    const long result = ::syscall(SYS_move_pages, 0, some, pages.data() + done, nodes.data() + done,
                                  status, mpol_mf_move);
    if (result < 0 && errno != ENOENT) return errno;  // ENOENT: none of these pages needs to move
  }
  return 0;
}

void* map_memory(std::size_t bytes) noexcept {
  const errno_kept kept;
  void* start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return start == MAP_FAILED ? nullptr : start;
}

void use_pages(void* start, std::size_t bytes, page_kind kind) noexcept {
  const errno_kept kept;
  if (kind == page_kind::as_configured) return;
  ::madvise(start, bytes, kind == page_kind::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

void cut_huge_page(void* page) noexcept {
  const errno_kept kept;
  // Advice for a part of a huge page; that the part is not needed soon is the mildest that cuts it.
  ::madvise(page, page_size(), MADV_COLD);
}

std::size_t huge_page_size() noexcept {
  const errno_kept kept;
  std::size_t bytes = 0;
  if (std::FILE* file = std::fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "re")) {
    if (std::fscanf(file, "%zu", &bytes) != 1) bytes = 0;
    std::fclose(file);
  }
  return bytes > page_size() && bytes % page_size() == 0 ? bytes : page_size();
}

bool pin(void* start, std::size_t bytes) noexcept {
  const errno_kept kept;
  return ::mlock(start, bytes) == 0;
}

int this_cpu() noexcept {
  const errno_kept kept;
  return ::sched_getcpu();
}

}  // namespace kasuri::platform
