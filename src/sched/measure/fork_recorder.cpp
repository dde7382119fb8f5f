// SPDX-License-Identifier: Apache-2.0
#include "sched/measure/fork_recorder.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "platform/base/clock.hpp"
#include "profile/base/active.hpp"

namespace kasuri::sched {
namespace {

constinit std::atomic<fork_recorder*> newest{nullptr};

constexpr double shortest_us = 30;
constexpr double longest_shortest_us = 10'000;
constexpr double tiny_us = 1;
constexpr double longest_sample_us = 1000;
// Of forks that are expanded, the next so many are looked at together. One costs some 0.3 us.
constexpr unsigned window = 256;
constexpr double too_often_us = 8;  // between two
constexpr double seldom_us = 32;

}  // namespace

std::uint64_t ticks_of_event() noexcept {
  static const std::uint64_t least = [] {
    std::uint64_t l = ~std::uint64_t{0};
    for (int i = 0; i != 1000; ++i) {
      const std::uint64_t before = platform::ticks();
      l = std::min(l, platform::ticks() - before);
    }
    return l;
  }();
  return least;
}

fork_recorder* new_fork_recorder() noexcept {
  if (!profile::active()) return nullptr;
  auto* const r = new (std::nothrow) fork_recorder;
  if (r == nullptr) return nullptr;
  r->shortest_ = platform::ticks_of_us(shortest_us);
  r->tiny_ = platform::ticks_of_us(tiny_us);
  r->longest_sample_ = platform::ticks_of_us(longest_sample_us);
  ticks_of_event();
  r->next = newest.load(std::memory_order_relaxed);
  // release: pairs with the acquire in newest_fork_recorder
  while (!newest.compare_exchange_weak(r->next, r, std::memory_order_release,
                                       std::memory_order_relaxed)) {
  }
  return r;
}

fork_recorder* newest_fork_recorder() noexcept {
  // acquire: pairs with the release in new_fork_recorder
  return newest.load(std::memory_order_acquire);
}

void forget_fork_recorders() noexcept { newest.store(nullptr, std::memory_order_relaxed); }

profile::site_id fork_recorder::site_of(profile::site_kind kind, const void* address) noexcept {
  known_site& k = known_[reinterpret_cast<std::uintptr_t>(address) / 16 % known_sites];
  if (k.address != address || k.kind != kind) k = {address, kind, profile::site_of(kind, address)};
  return k.site;
}

site_sums& fork_recorder::make(profile::site_id site) noexcept {
  auto* const s = new (std::nothrow) site_sums;
  if (s == nullptr) return without_memory_;
  // release: pairs with the acquire in look
  sums_[site].store(s, std::memory_order_release);
  return *s;
}

void fork_recorder::expands(std::uint64_t now) noexcept {
  if (++in_window_ != window) return;
  in_window_ = 0;
  const std::uint64_t took = now - std::exchange(window_began_, now);
  if (took < window * platform::ticks_of_us(too_often_us))
    shortest_ = std::min(2 * shortest_, platform::ticks_of_us(longest_shortest_us));
  else if (took > window * platform::ticks_of_us(seldom_us))
    shortest_ = std::max(shortest_ / 2, platform::ticks_of_us(shortest_us));
}

}  // namespace kasuri::sched
