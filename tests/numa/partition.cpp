// SPDX-License-Identifier: Apache-2.0
// OpenMP's partition trait on a machine of several nodes, by the kernel's own word.
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "numa/nodes.hpp"
#include "omp/memory/allocator.hpp"

namespace omp = kasuri::omp;
namespace numa = kasuri::numa;

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t bytes = std::size_t{8} << 20;

/// Nodes of the pages of a block from an allocator with this partition, the block's header in front
/// included.
std::vector<int> nodes_of(omp::trait_value partition) {
  const omp::trait t{omp::trait_key::partition, static_cast<std::uintptr_t>(partition)};
  const auto allocator = omp::init_allocator(0, {&t, 1});
  auto* block = static_cast<char*>(omp::allocate(0, bytes - 256, allocator));
  std::memset(block, 1, bytes - 256);
  char* first = block - reinterpret_cast<std::uintptr_t>(block) % page;
  std::vector<void*> pages;
  for (std::size_t at = 0; at < bytes; at += page) pages.push_back(first + at);
  std::vector<int> status(pages.size(), -1000);
  if (::syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, status.data(), 0) != 0)
    std::perror("move_pages");
  omp::deallocate(block);
  omp::destroy_allocator(allocator);
  return status;
}

int differences(const std::vector<int>& is, const numa::distribution& d) {
  int count = 0;
  for (std::size_t p = 0; p != is.size(); ++p) count += is[p] != d.node_at(p * page, bytes);
  return count;
}

bool bind_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

}  // namespace

int main() {
  using numa::distribution;
  // Read before this thread is bound to one CPU.
  const std::vector<numa::node> all(numa::nodes().begin(), numa::nodes().end());
  int failures = differences(nodes_of(omp::trait_value::blocked), distribution::blocked());
  std::printf("blocked: %d pages elsewhere\n", failures);
  const int turns =
      differences(nodes_of(omp::trait_value::interleaved), distribution::interleaved());
  std::printf("interleaved: %d pages elsewhere\n", turns);
  failures += turns;
  const long cpus = ::sysconf(_SC_NPROCESSORS_ONLN);
  for (int cpu = 0; cpu < cpus; ++cpu) {
    if (!bind_to(cpu)) ++failures;
    const int own = numa::this_node();
    const int far = differences(nodes_of(omp::trait_value::nearest), distribution::on_node(own));
    std::printf("nearest to CPU %d, node %d: %d pages elsewhere\n", cpu, own, far);
    failures += far;
  }
  return failures == 0 && all.size() > 1 ? 0 : 1;
}
