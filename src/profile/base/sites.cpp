// SPDX-License-Identifier: Apache-2.0
#include "profile/base/sites.hpp"

#include <array>
#include <atomic>

namespace kasuri::profile {
namespace {

constexpr unsigned kind_shift = 56;  // addresses of programs are shorter
constexpr std::size_t most_looks = 64;

constinit std::array<std::atomic<std::uint64_t>, most_sites> table{};
constinit std::atomic<std::size_t> lost{0};

std::uint64_t key_of(site_kind kind, const void* address) noexcept {
  return std::uint64_t{static_cast<std::uint8_t>(kind)} << kind_shift |
         (reinterpret_cast<std::uintptr_t>(address) & ((std::uint64_t{1} << kind_shift) - 1));
}

std::size_t first_slot(std::uint64_t key) noexcept {
  constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15u;
  constexpr unsigned bits = 12;
  static_assert(std::size_t{1} << bits == most_sites);
  return static_cast<std::size_t>(key * golden_ratio >> (64 - bits));
}

}  // namespace

const char* name(site_kind kind) noexcept {
  constexpr const char* names[] = {"none",    "region",     "loop",   "sections", "single",
                                   "barrier", "critical",   "lock",   "task",     "task_wait",
                                   "fork",    "group_task", "thread", "blocking", "checkout"};
  static_assert(std::size(names) == static_cast<std::size_t>(site_kind::checkout) + 1);
  return names[static_cast<std::size_t>(kind)];
}

site_id site_of(site_kind kind, const void* address) noexcept {
  const std::uint64_t key = key_of(kind, address);
  for (std::size_t i = first_slot(key), looks = 0; looks != most_looks;
       i = (i + 1) % most_sites, ++looks) {
    if (i == 0) continue;  // its number says that there is no place
    // relaxed: a key is all that a slot holds
    std::uint64_t seen = table[i].load(std::memory_order_relaxed);
    if (seen == 0 && table[i].compare_exchange_strong(seen, key, std::memory_order_relaxed))
      return static_cast<site_id>(i);
    if (seen == key) return static_cast<site_id>(i);
  }
  lost.fetch_add(1, std::memory_order_relaxed);
  return 0;
}

site place_of(site_id id) noexcept {
  const std::uint64_t key = table[id].load(std::memory_order_relaxed);
  return {static_cast<site_kind>(key >> kind_shift),
          reinterpret_cast<const void*>(key & ((std::uint64_t{1} << kind_shift) - 1))};
}

std::size_t sites_lost() noexcept { return lost.load(std::memory_order_relaxed); }

}  // namespace kasuri::profile
