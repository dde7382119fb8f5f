// SPDX-License-Identifier: Apache-2.0
#include "platform/base/processor_time.hpp"

#include <ctime>

namespace kasuri::platform {
namespace {

std::uint64_t nanoseconds(const std::timespec& t) noexcept {
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace

std::uint64_t processor_nanoseconds() noexcept {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return nanoseconds(now);
}

std::uint64_t processor_nanoseconds_of(int thread_id, std::uint64_t otherwise) noexcept {
  // The kernel's number of such a clock. pthread_getcpuclockid would ask the C library's thread,
  // which is another one where a task wears thread-locals of its own.
  constexpr unsigned of_one_thread = 4;
  constexpr unsigned scheduled = 2;
  const auto clock =
      static_cast<clockid_t>(~static_cast<unsigned>(thread_id) << 3 | of_one_thread | scheduled);
  std::timespec now{};
  return clock_gettime(clock, &now) == 0 ? nanoseconds(now) : otherwise;
}

}  // namespace kasuri::platform
