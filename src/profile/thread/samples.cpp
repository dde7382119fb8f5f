// SPDX-License-Identifier: Apache-2.0
#include "profile/thread/samples.hpp"

namespace kasuri::profile {
namespace {

constexpr std::size_t most_looks = 32;

/// The site, and whether the thread is a worker.
std::uint64_t where_of(const sample& s) noexcept {
  return std::uint64_t{s.site} << 1 | (s.in_pool ? 1 : 0);
}

std::size_t first_slot(const sample& s) noexcept {
  constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15u;
  return static_cast<std::size_t>((s.pc ^ where_of(s) << 47) * golden_ratio >> 32) %
         sample_table::most;
}

}  // namespace

void sample_table::add(const sample& s) noexcept {
  for (std::size_t i = first_slot(s), looks = 0; looks != most_looks; ++looks, i = (i + 1) % most) {
    slot& at = slots_[i];
    if (at.pc.get() == 0) {
      at.where.add(where_of(s));
      at.pc.add(s.pc);
    } else if (at.pc.get() != s.pc || at.where.get() != where_of(s)) {
      continue;
    }
    at.processor.add(s.processor);
    at.alone.add(s.alone);
    at.blamed.add(s.blamed);
    at.waited.add(s.waited);
    return;
  }
  lost_.add(s.processor);
}

}  // namespace kasuri::profile
