// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <new>
#include <string>
#include <utility>
#include <vector>

/// Memory on NUMA nodes by bare system calls: a program that uses it depends on no library, and
/// runs under any runtime. Where a call is not there or forbidden, memory lies where it is touched
/// first.
namespace apps {

/// More nodes than any kernel is built for.
inline constexpr int most_nodes = 1024;

/// "0-2,5" as numbers in ascending order; empty when it is something else.
inline std::vector<int> read_list(const std::string& text) {
  std::vector<int> found;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&at, end](int& value) {
    const auto [stop, error] = std::from_chars(at, end, value);
    at = stop;
    return error == std::errc() && value >= 0 && value < most_nodes;
  };
  while (true) {
    int first = 0;
    if (!number(first)) return {};
    int last = first;
    if (at != end && *at == '-' && (++at, !number(last) || last < first)) return {};
    for (int i = first; i <= last; ++i) found.push_back(i);
    if (at == end) break;
    if (*at++ != ',') return {};
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// Nodes in a file of the kernel's list of nodes, as "has_cpu"; node 0 where there is none.
inline std::vector<int> nodes_of(const std::string& file) {
  std::ifstream in("/sys/devices/system/node/" + file);
  std::string line;
  std::getline(in, line);
  const std::vector<int> found = read_list(line);
  return found.empty() ? std::vector<int>{0} : found;
}

inline bool contains(const std::vector<int>& all, int one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

/// Nodes where tasks can run beside their data.
inline std::vector<int> nodes_with_cpus_and_memory() {
  const std::vector<int> with_memory = nodes_of("has_memory");
  std::vector<int> both;
  for (const int node : nodes_of("has_cpu")) {
    if (contains(with_memory, node)) both.push_back(node);
  }
  return both.empty() ? with_memory : both;
}

/// Bytes.
inline std::size_t page_size() {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

/// Pages of zeros that lie nowhere before they are touched; or memory from elsewhere.
class memory {
 public:
  memory() = default;
  /// @throw std::bad_alloc
  explicit memory(std::size_t bytes) : size_(bytes) {
    void* const got =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) throw std::bad_alloc();
    data_ = got;
  }
  /// Bytes from elsewhere, which may hold anything.
  memory(void* data, std::size_t bytes, void (*release)(void*))
      : data_(data), size_(bytes), release_(release) {
    if (data == nullptr) throw std::bad_alloc();
  }
  memory(memory&& other) noexcept { swap(other); }
  memory& operator=(memory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~memory() {
    if (release_ != nullptr) {
      release_(data_);
    } else if (data_ != nullptr) {
      ::munmap(data_, size_);
    }
  }

  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  void swap(memory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(release_, other.release_);
  }

  void* data_ = nullptr;
  std::size_t size_ = 0;
  void (*release_)(void*) = nullptr;  // null: they were mapped
};

/// Pages that begin within these bytes are taken from `node` once they are touched, and from
/// elsewhere only when it has none left.
inline void place(const void* first, std::size_t bytes, int node) {
  const std::uintptr_t page = page_size();
  const auto address = reinterpret_cast<std::uintptr_t>(first);
  const std::uintptr_t begin = (address + page - 1) / page * page;
  const std::uintptr_t end = (address + bytes + page - 1) / page * page;
  if (begin >= end) return;
  constexpr int bits = sizeof(unsigned long) * CHAR_BIT;
  unsigned long mask[most_nodes / bits] = {};
  mask[node / bits] = 1UL << (node % bits);
  // A refusal leaves the pages to first touch, and shows in the report.
  ::syscall(SYS_mbind, begin, end - begin, MPOL_PREFERRED, mask, most_nodes + 1, 0);
}

/// The node of each page, or a negative error number where it lies nowhere; asks without touching.
/// Empty when the system does not tell.
inline std::vector<int> nodes_of_pages(std::vector<void*>& pages) {
  std::vector<int> found(pages.size(), -ENOENT);
  constexpr std::size_t at_once = 1 << 16;
  for (std::size_t i = 0; i < pages.size(); i += at_once) {
    const std::size_t count = std::min(at_once, pages.size() - i);
    if (::syscall(SYS_move_pages, 0, count, &pages[i], nullptr, &found[i], 0) != 0) return {};
  }
  return found;
}

/// The node of the CPU that this code runs on.
inline int node_here() {
  unsigned cpu = 0;
  unsigned node = 0;
  return ::getcpu(&cpu, &node) == 0 ? static_cast<int>(node) : -1;
}

/// The node of piece `i` of `count` when each node gets one run of neighbouring pieces.
inline int blocked_node(const std::vector<int>& nodes, int i, int count) {
  const auto at = static_cast<std::size_t>(i) * nodes.size() / static_cast<std::size_t>(count);
  return nodes[at];
}

/// The node of piece `i` when runs of `run` pieces go round the nodes.
inline int cyclic_node(const std::vector<int>& nodes, int i, int run) {
  return nodes[static_cast<std::size_t>(i / run) % nodes.size()];
}

}  // namespace apps
