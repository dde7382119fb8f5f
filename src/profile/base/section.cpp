// SPDX-License-Identifier: Apache-2.0
#include "profile/base/section.hpp"

#include <atomic>

namespace kasuri::profile {
namespace {

constinit std::atomic<section*> newest{nullptr};

}  // namespace

void enter(section& s) noexcept {
  if (s.entered_) return;
  s.entered_ = true;
  section* before = newest.load(std::memory_order_relaxed);
  do {
    s.next_ = before;
    // release: pairs with the acquire in newest_section()
  } while (!newest.compare_exchange_weak(before, &s, std::memory_order_release,
                                         std::memory_order_relaxed));
}

section* newest_section() noexcept {
  // acquire: pairs with the release in enter()
  return newest.load(std::memory_order_acquire);
}

}  // namespace kasuri::profile
