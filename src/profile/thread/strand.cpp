// SPDX-License-Identifier: Apache-2.0
#include "profile/thread/strand.hpp"

#include <algorithm>

#include "profile/thread/thread.hpp"

namespace kasuri::profile {

void path::add(site_id where, std::uint64_t ticks) noexcept {
  length_ += ticks;
  burdened_ += ticks;
  std::size_t least = 0;
  for (std::size_t i = 0; i != kept; ++i) {
    if (sites_[i] == where && ticks_[i] != 0) {
      ticks_[i] += ticks;
      return;
    }
    if (ticks_[i] < ticks_[least]) least = i;
  }
  // A site that is not among them takes the place of the least once it has been longer in one go.
  if (ticks <= ticks_[least]) return;
  ticks_[least] = ticks;
  sites_[least] = where;
}

void path::meet(const path& other) noexcept {
  const std::uint64_t burdened = std::max(burdened_, other.burdened_);
  if (other.length_ > length_) *this = other;
  burdened_ = burdened;
}

void strand::begin(site_id where, const path& before, std::uint64_t now) noexcept {
  path_ = before;
  where_ = where;
  go_on(now);
}

std::uint64_t strand::pause(std::uint64_t now) noexcept {
  if (!runs_) return 0;
  runs_ = false;
  thread& own = here_throughout();
  const std::uint64_t ticks = own.clock().ran(since_, now);
  path_.add(where_, ticks);
  own.add_work(where_, ticks);
  return ticks;
}

void strand::go_on(std::uint64_t now) noexcept {
  since_ = here_throughout().clock().begin(now);
  runs_ = true;
}

void strand::turn_to(site_id where, std::uint64_t now) noexcept {
  const bool ran = runs_;
  pause(now);
  where_ = where;
  if (ran) go_on(now);
}

}  // namespace kasuri::profile
