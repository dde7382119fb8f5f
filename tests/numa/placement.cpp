// SPDX-License-Identifier: Apache-2.0
// placement NODES MEMORY_ONLY: on a machine of several nodes, is every page where the distribution
// has it, by the kernel's own word, and does node_of say the same? Ends with 0 if so.
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kasuri/numa.hpp>
#include <string>
#include <utility>
#include <vector>

namespace numa = kasuri::numa;
using numa::distribution;

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t mib = 1 << 20;

int failures = 0;

void check(bool good, const std::string& what) {
  if (good) return;
  std::printf("FAILED: %s\n", what.c_str());
  ++failures;
}

/// The kernel's answer for each page.
std::vector<int> where(const void* start, std::size_t bytes) {
  std::vector<void*> pages;
  for (std::size_t at = 0; at < bytes; at += page)
    pages.push_back(static_cast<char*>(const_cast<void*>(start)) + at);
  std::vector<int> status(pages.size(), -1000);
  if (::syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, status.data(), 0) != 0)
    std::perror("move_pages");
  return status;
}

std::vector<std::pair<std::string, distribution>> kinds() {
  std::vector<std::pair<std::string, distribution>> all;
  for (const numa::node& n : numa::nodes())
    all.emplace_back("on_node " + std::to_string(n.number), distribution::on_node(n.number));
  all.emplace_back("blocked", distribution::blocked());
  all.emplace_back("interleaved", distribution::interleaved());
  all.emplace_back("cyclic(2), more than 1024 pieces", distribution::cyclic(2));
  all.emplace_back("cyclic(64)", distribution::cyclic(64));
  all.emplace_back("block_cyclic(100000)", distribution::block_cyclic(100'000));
  all.emplace_back("quadrants", distribution::tiles(512, 32768, 256, 16384));
  return all;
}

/// Pages that are not where `d` has them, and pages of which node_of says something else.
void compare(const std::string& what, const void* start, std::size_t bytes, const distribution& d,
             bool ask_table = true) {
  const std::vector<int> is = where(start, bytes);
  int misplaced = 0;
  int mistold = 0;
  for (std::size_t p = 0; p != is.size(); ++p) {
    misplaced += is[p] != d.node_at(p * page, bytes);
    mistold += ask_table && numa::node_of(static_cast<const char*>(start) + p * page + 17) != is[p];
  }
  check(misplaced == 0, what + ": " + std::to_string(misplaced) + " pages misplaced");
  check(mistold == 0, what + ": " + std::to_string(mistold) + " pages mistold");
}

void allocate() {
  constexpr std::size_t bytes = 9 * mib;
  for (const auto& [name, d] : kinds()) {
    numa::array<char> memory(bytes, d);
    int unwished = 0;
    for (std::size_t at = 0; at < bytes; at += page)
      unwished += numa::node_of(memory.data() + at) != d.node_at(at, bytes);
    check(unwished == 0, name + ": node_of knows the wish before the first touch");
    std::memset(memory.data(), 1, bytes);
    compare(name, memory.data(), bytes, d);
    numa::forget(memory.data(), bytes);
    compare(name + ", asked anew", memory.data(), bytes, d);
  }
}

/// From one node, with huge pages as the system has them, and from many to everywhere.
void migrate() {
  constexpr std::size_t bytes = 5 * mib;
  for (const auto& [from, d] : {std::pair{std::string("on_node"), distribution::on_node(0)},
                                std::pair{std::string("cyclic"), distribution::cyclic(7)}}) {
    numa::array<char> memory(bytes, d);
    std::memset(memory.data(), 5, bytes);
    for (const auto& [to, target] : kinds()) {
      const std::size_t left = numa::move(memory.data(), bytes, target);
      check(left == 0, from + " to " + to + ": " + std::to_string(left) + " pages left");
      compare(from + " to " + to, memory.data(), bytes, target);
    }
    check(std::all_of(memory.begin(), memory.end(), [](char c) { return c == 5; }),
          from + ": contents after moving");
  }
}

/// Part of a range that was never touched moves its wish.
void migrate_untouched() {
  constexpr std::size_t bytes = 4 * mib;
  numa::array<char> memory(bytes);
  std::memset(memory.data(), 1, bytes / 2);
  numa::move(memory.data(), bytes, distribution::cyclic(64));
  std::memset(memory.data(), 1, bytes);
  compare("touched after the move", memory.data(), bytes, distribution::cyclic(64));
}

void* map_at(void* start, std::size_t bytes) {
  return ::mmap(start, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | (start != nullptr ? MAP_FIXED : 0), -1, 0);
}

/// The program's own pages change their nodes behind the table's back.
void behind_its_back() {
  constexpr std::size_t bytes = 4 * mib;
  const int first = numa::nodes().front().number;
  const int last = numa::nodes().back().number;
  void* memory = numa::alloc(bytes, distribution::on_node(first));
  std::memset(memory, 1, bytes);
  compare("before free", memory, bytes, distribution::on_node(first));
  numa::free(memory, bytes);
  check(map_at(memory, bytes) == memory, "mmap");
  const unsigned long mask = 1UL << last;
  check(::syscall(SYS_mbind, memory, bytes, MPOL_BIND, &mask, 8 * sizeof mask, 0) == 0, "mbind");
  std::memset(memory, 1, bytes);
  compare("mapped again after free", memory, bytes, distribution::on_node(last));
  // The program moves them by itself: the table finds out, at once if told, else when answers
  // expire.
  const unsigned long back = 1UL << first;
  check(::syscall(SYS_mbind, memory, bytes, MPOL_BIND, &back, 8 * sizeof back, MPOL_MF_MOVE) == 0,
        "mbind that moves");
  for (int i = 0; i != 1000 && numa::node_of(memory) != first; ++i) ::usleep(100'000);
  compare("moved by mbind", memory, bytes, distribution::on_node(first));
  ::munmap(memory, bytes);
  numa::forget(memory, bytes);
  check(numa::node_of(memory) == -1, "unmapped and forgotten");
}

bool kernel_has_huge_pages() {
  char text[100] = {};
  std::FILE* file = std::fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
  if (file == nullptr) return false;
  const bool read = std::fgets(text, sizeof text, file) != nullptr;
  std::fclose(file);
  return read && std::strstr(text, "[never]") == nullptr;
}

void huge() {
  if (!kernel_has_huge_pages()) {
    std::printf("no transparent huge pages here\n");
    return;
  }
  constexpr std::size_t huge_page = 2 * mib;
  constexpr std::size_t bytes = 8 * huge_page;
  std::vector<int> round;
  for (const numa::node& n : numa::nodes())
    if (n.cpus != 0) round.push_back(n.number);
  for (const auto& [name, d] : {std::pair{"blocked", distribution::blocked()},
                                std::pair{"interleaved", distribution::interleaved()},
                                std::pair{"cyclic(2)", distribution::cyclic(2)}}) {
    numa::array<char> memory(bytes, d, {.huge_pages = true});
    std::memset(memory.data(), 1, bytes);
    const std::vector<int> is = where(memory.data(), bytes);
    int misplaced = 0;
    for (std::size_t p = 0; p != is.size(); ++p)
      misplaced += is[p] != d.node_at(p * page, bytes, round, huge_page);
    check(misplaced == 0, std::string("huge pages, ") + name + ": " + std::to_string(misplaced) +
                              " pages misplaced");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int expected = argc > 1 ? std::atoi(argv[1]) : 0;
  const int memory_only = argc > 2 ? std::atoi(argv[2]) : 0;
  const auto nodes = numa::nodes();
  for (const numa::node& n : nodes)
    std::printf("node %d: %d CPUs, %llu MiB\n", n.number, n.cpus,
                static_cast<unsigned long long>(n.memory_bytes / mib));
  check(static_cast<int>(nodes.size()) == expected, "nodes: " + std::to_string(nodes.size()));
  check(std::ranges::count(nodes, 0, &numa::node::cpus) == memory_only, "nodes of memory only");
  allocate();
  migrate();
  migrate_untouched();
  behind_its_back();
  huge();
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
