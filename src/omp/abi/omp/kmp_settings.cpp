// SPDX-License-Identifier: Apache-2.0
// kmp_*: libomp's settings by calls. Settings of sizes and times are meant before the first region.
#include <climits>
#include <cstddef>
#include <cstdint>

#include "omp/env/environment.hpp"
#include "omp/team/icv_access.hpp"
#include "platform/base/fatal.hpp"
#include "platform/settings/settings.hpp"

namespace kasuri::omp {
namespace {

constexpr std::uint64_t ns_per_ms = 1'000'000;
constexpr std::uint64_t least_stack = 16 * 1024;

/// The size of a member's stack where nobody says otherwise.
std::uint64_t stack_in_force() noexcept {
  const std::uint64_t asked = stack_size();
  return asked != 0 ? asked : platform::current_settings().stack_size;
}

void use_library(library_kind kind) noexcept {
  set_library(kind);
  if (kind == library_kind::serial) own_values(self()).nthreads = 1;
}

}  // namespace
}  // namespace kasuri::omp

using namespace kasuri::omp;

extern "C" {

void kasuri_kmp_set_stacksize_s(std::size_t bytes) noexcept {
  set_stack_size(bytes < least_stack ? least_stack : bytes);
}

void kasuri_kmp_set_stacksize(int bytes) noexcept {
  kasuri_kmp_set_stacksize_s(bytes < 0 ? 0 : static_cast<std::size_t>(bytes));
}

std::size_t kasuri_kmp_get_stacksize_s() noexcept { return stack_in_force(); }

int kasuri_kmp_get_stacksize() noexcept {
  const std::uint64_t bytes = stack_in_force();
  return bytes > INT_MAX ? INT_MAX : static_cast<int>(bytes);
}

void kasuri_kmp_set_blocktime(int milliseconds) noexcept {
  if (milliseconds < 0) milliseconds = 0;
  set_spin_ns(milliseconds == INT_MAX ? endless
                                      : static_cast<std::uint64_t>(milliseconds) * ns_per_ms);
}

int kasuri_kmp_get_blocktime() noexcept {
  const std::uint64_t ms = spin_ns() / ns_per_ms;
  return ms > INT_MAX ? INT_MAX : static_cast<int>(ms);
}

void kasuri_kmp_set_library(int kind) noexcept {
  if (kind >= 1 && kind <= 3)
    use_library(static_cast<library_kind>(kind));
  else if (kasuri::platform::current_settings().verbose && environment().warnings)
    kasuri::platform::warn(
        "kmp_set_library(%d): accepted: 1 (serial), 2 (turnaround), "
        "3 (throughput); nothing is changed",
        kind);
}

int kasuri_kmp_get_library() noexcept { return static_cast<int>(environment().library); }

void kasuri_kmp_set_library_serial() noexcept { use_library(library_kind::serial); }

void kasuri_kmp_set_library_turnaround() noexcept { use_library(library_kind::turnaround); }

void kasuri_kmp_set_library_throughput() noexcept { use_library(library_kind::throughput); }

void kasuri_kmp_set_defaults(const char* settings) {
  set_defaults(settings);
  own_values(self()) = initial_values();
}

/// Loops that members may be apart by in nowait constructs: as many as there are, always.
void kasuri_kmp_set_disp_num_buffers(int) noexcept {}

void kasuri_kmp_set_warnings_on() noexcept { set_warnings(true); }

void kasuri_kmp_set_warnings_off() noexcept { set_warnings(false); }

int kasuri_kmp_get_num_known_threads() noexcept {
  return kasuri::platform::current_settings().num_workers;
}

}  // extern "C"
