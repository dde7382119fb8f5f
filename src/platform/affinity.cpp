// SPDX-License-Identifier: Apache-2.0
#include "platform/affinity.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <vector>

#include "platform/topology.hpp"

namespace kasuri::platform {
namespace {

// Of the kernel's numaif.h, which only libnuma installs.
constexpr int policy_preferred = 1;
constexpr int policy_interleave = 3;

constexpr std::size_t word_bits = sizeof(unsigned long) * CHAR_BIT;

/// A policy for a range of pages. Whether it took effect does not matter: the pages are good anyway.
void place(void* pages, std::size_t bytes, int policy, std::span<const int> nodes) noexcept {
  unsigned long mask[16] = {};
  for (const int node : nodes)
    if (node >= 0 && static_cast<std::size_t>(node) < std::size(mask) * word_bits)
      mask[static_cast<std::size_t>(node) / word_bits] |= 1UL << (node % word_bits);
  ::syscall(SYS_mbind, pages, bytes, policy, nodes.empty() ? nullptr : mask,
            nodes.empty() ? 0UL : std::size(mask) * word_bits, 0U);
}

std::vector<int> usable_nodes() {
  std::vector<int> nodes;
  for (const numa_node& node : machine_topology().numa_nodes)
    if (node.allowed && !node.memory_only) nodes.push_back(node.os_index);
  return nodes;
}

void place_blocks(void* pages, std::size_t bytes, const std::vector<int>& nodes) noexcept {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t total = (bytes + page - 1) / page;
  const std::size_t share = (total + nodes.size() - 1) / nodes.size();
  for (std::size_t n = 0; n != nodes.size() && n * share < total; ++n) {
    const std::size_t some = std::min(share, total - n * share);
    place(static_cast<char*>(pages) + n * share * page, some * page, policy_preferred, {&nodes[n], 1});
  }
}

void place(void* pages, std::size_t bytes, page_placement placement) noexcept {
  if (placement == page_placement::environment) return;
  // No node named: the node of the CPU that allocates.
  if (placement == page_placement::nearest) return place(pages, bytes, policy_preferred, {});
  const std::vector<int> nodes = usable_nodes();
  if (nodes.size() < 2) return;
  if (placement == page_placement::interleaved)
    place(pages, bytes, policy_interleave, nodes);
  else
    place_blocks(pages, bytes, nodes);
}

}  // namespace

bool bind_to_cpus(std::span<const int> cpus) noexcept {
  if (cpus.empty()) return false;
  const auto most = static_cast<std::size_t>(*std::ranges::max_element(cpus)) + 1;
  cpu_set_t* set = CPU_ALLOC(most);
  if (set == nullptr) return false;
  const std::size_t bytes = CPU_ALLOC_SIZE(most);
  CPU_ZERO_S(bytes, set);
  for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), bytes, set);
  const bool bound = sched_setaffinity(0, bytes, set) == 0;
  CPU_FREE(set);
  return bound;
}

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = {};
  if (::gethostname(name, sizeof name - 1) != 0) return "unknown";
  return name;
}

void* map_pages(std::size_t bytes, page_placement placement, bool pinned) noexcept {
  void* pages =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  place(pages, bytes, placement);
  if (pinned && ::mlock(pages, bytes) != 0) {
    ::munmap(pages, bytes);
    return nullptr;
  }
  return pages;
}

void unmap_pages(void* pages, std::size_t bytes) noexcept { ::munmap(pages, bytes); }

}  // namespace kasuri::platform
