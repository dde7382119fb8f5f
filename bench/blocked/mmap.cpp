// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "blocked/problem.hpp"

namespace {

using bench::blocked::problem;

/// The floor: what the kernel takes for as many stacks of the default size, each with a guard page
/// and its top page touched, and nothing else. Two passes, as a task that blocks and goes on
/// touches it twice.
class mmap_system {
 public:
  static constexpr const char* name = "mmap";
  static std::string version() { return ""; }
  explicit mmap_system(int) {}
  template <class F>
  void run(F&& f) {
    f();
  }
};

constexpr std::size_t stack_bytes = std::size_t{1} << 20;
constexpr std::size_t stacks_per_mapping = 64;
constexpr int guard_install = 102;  // MADV_GUARD_INSTALL, younger than the C library's headers

/// A stack's lowest byte, or null.
char* next_stack(std::vector<char*>& mappings, long i, std::size_t stride) {
  const auto place = static_cast<std::size_t>(i) % stacks_per_mapping;
  if (place == 0) {
    const std::size_t bytes = stride * stacks_per_mapping;
    void* const all = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) return nullptr;
    madvise(all, bytes, MADV_NOHUGEPAGE);
    mappings.push_back(static_cast<char*>(all));
  }
  return mappings.back() + stride * (stacks_per_mapping - 1 - place);
}

long touch(problem& p) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t stride = stack_bytes + page;
  std::vector<char*> mappings;
  std::vector<char*> tops;
  for (long i = 0; i < p.tasks; ++i) {
    char* const low = next_stack(mappings, i, stride);
    if (low == nullptr) break;
    tops.push_back(low + stride - 64);
    *tops.back() = 1;
    madvise(low, page,
            guard_install);  // an older kernel has none, and this floor is a little lower
  }
  long touched = 0;
  for (char* top : tops) touched += *top;
  return touched;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run<mmap_system, problem>(argc, argv, {{"one", &touch}, {"ten", &touch}});
}
