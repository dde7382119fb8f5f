// SPDX-License-Identifier: Apache-2.0
#include "platform/memory/mapping_limit.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "platform/memory/memory.hpp"

namespace kasuri::platform {
namespace {

// Of <linux/mm.h>, which is not for programs.
constexpr std::size_t default_most_mappings = 65530;
// Between the count and the refusal other threads may have mapped and unmapped something.
constexpr std::size_t about = 16;
// A stack has a guard page beside it, and malloc asks the system for 132 KiB at a time for what
// names the stack.
constexpr std::size_t about_bytes = std::size_t{256} << 10;
// Small: the caller may stand on a small stack. None is allocated, for there may be nothing left.
constexpr std::size_t buffer_bytes = 1024;

/// The number that the file begins with, or `otherwise`.
std::size_t number_in(const char* path, std::size_t otherwise) noexcept {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return otherwise;
  char text[32] = {};
  const ssize_t n = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (n <= 0 || text[0] < '0' || text[0] > '9') return otherwise;
  return std::strtoull(text, nullptr, 10);
}

}  // namespace

std::size_t most_mappings() noexcept {
  return number_in("/proc/sys/vm/max_map_count", default_most_mappings);
}

std::size_t mappings() noexcept {
  const int file = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::size_t lines = 0;
  char text[buffer_bytes];
  for (ssize_t n; (n = ::read(file, text, sizeof text)) > 0;)
    for (ssize_t i = 0; i != n; ++i) lines += text[i] == '\n' ? 1 : 0;
  ::close(file);
  return lines;
}

void say_limit_met(char* line, std::size_t room, std::size_t bytes) noexcept {
  const std::size_t most = most_mappings();
  const std::size_t now = mappings();
  const std::size_t allowed = address_space_limit();
  const std::size_t used = number_in("/proc/self/statm", 0) * page_size();
  if (now + about >= most)
    std::snprintf(
        line, room,
        "the process has %zu mappings and vm.max_map_count allows %zu; accepted: a higher "
        "vm.max_map_count",
        now, most);
  else if (allowed != SIZE_MAX && used + bytes + about_bytes > allowed)
    std::snprintf(
        line, room,
        "ulimit -v allows %zu KiB of address space; accepted: a smaller KASURI_STACK_SIZE, or a "
        "higher limit of address space (ulimit -v)",
        allowed / 1024);
  else
    std::snprintf(
        line, room,
        "the system refuses more memory; accepted: a smaller KASURI_STACK_SIZE, or less strict "
        "accounting (vm.overcommit_memory)");
}

}  // namespace kasuri::platform
