// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/space/region.hpp"

#include <algorithm>
#include <utility>

namespace kasuri::cluster {

home_place region::home_of(std::uint64_t offset) const noexcept {
  const std::uint64_t in = offset - begin;
  const std::uint64_t which = in / chunk;
  const std::uint64_t within = in % chunk;
  const std::uint64_t run = std::min(chunk - within, end - offset);
  switch (kind) {
    case kind_t::cyclic: {
      const auto p = static_cast<std::uint64_t>(ranks);
      return {static_cast<int>(which % p), which / p * chunk + within, run};
    }
    case kind_t::listed:
      return {owners[which], places[which] * chunk + within, run};
    case kind_t::blocked:
    case kind_t::file:
      break;
  }
  return {static_cast<int>(which), within, run};
}

std::uint64_t region::most_chunks() const noexcept {
  if (kind == kind_t::cyclic) return (chunks() + static_cast<std::uint64_t>(ranks) - 1) / ranks;
  if (kind == kind_t::listed) {
    std::uint64_t most = 0;
    for (std::uint32_t place : places) most = std::max(most, std::uint64_t{place} + 1);
    return most;
  }
  return 1;
}

region_map::region_map() { replace({}); }

const region* region_map::find(std::uint64_t begin, std::uint64_t end) const noexcept {
  const list_t& all = *list();
  const auto next = std::ranges::upper_bound(all, begin, {}, &region::begin);
  if (next == all.begin()) return nullptr;
  const region* r = next[-1];
  return end <= r->used && begin <= end ? r : nullptr;
}

std::optional<std::uint64_t> region_map::room(std::uint64_t bytes, std::uint64_t gap,
                                              std::uint64_t low,
                                              std::uint64_t high) const noexcept {
  for (const region* r : *list()) {
    if (low <= r->begin && r->begin - low >= bytes + gap) return low;
    low = r->end + gap;
  }
  if (high < low || high - low < bytes + gap) return std::nullopt;
  return low;
}

const region* region_map::add(std::unique_ptr<region> r) {
  const region* added = r.get();
  all_.push_back(std::move(r));
  list_t next = *list();
  next.insert(std::ranges::upper_bound(next, added->begin, {}, &region::begin), added);
  replace(std::move(next));
  return added;
}

void region_map::remove(const region* r) {
  list_t next = *list();
  std::erase(next, r);
  replace(std::move(next));
}

std::uint64_t region_map::mapped_bytes() const noexcept {
  std::uint64_t sum = 0;
  for (const region* r : *list()) sum += r->end - r->begin;
  return sum;
}

void region_map::replace(list_t next) {
  all_lists_.push_back(std::make_unique<const list_t>(std::move(next)));
  list_.store(all_lists_.back().get(), std::memory_order_release);  // pairs with list()
}

}  // namespace kasuri::cluster
