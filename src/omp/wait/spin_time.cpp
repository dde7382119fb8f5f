// SPDX-License-Identifier: Apache-2.0
#include "omp/wait/spin_time.hpp"

#include "omp/env/environment.hpp"
#include "omp/wait/shared_cores.hpp"

namespace kasuri::omp {
namespace {

/// As long as the wait policy says.
std::uint64_t spin_ticks() noexcept {
  static const double per_ns = platform::about_ticks_per_second() * 1e-9;
  const double ticks = static_cast<double>(spin_ns()) * per_ns;
  constexpr double most = 0x1p63;
  return ticks < most ? static_cast<std::uint64_t>(ticks) : endless;
}

}  // namespace

bool spin_time::is_over() noexcept {
  const std::uint64_t now = platform::ticks();
  cores_are_shared.lost(last_, now);
  last_ = now;
  const std::uint64_t spent = now - since_;
  const std::uint64_t most = spin_ticks();
  if (spent >= most) return true;
  if (most == endless) return false;
  // Other threads of the program have no core then but the one that this thread spins on.
  if (sched::pool::get().full_of_guests()) return true;
  return spent >= shared_cores::short_spin_ticks() && cores_are_shared.likely(now);
}

}  // namespace kasuri::omp
