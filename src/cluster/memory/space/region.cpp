// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/space/region.hpp"

#include <algorithm>
#include <utility>

#include "platform/base/expect.hpp"

namespace kasuri::cluster {

home_place region::home_of(std::uint64_t offset) const noexcept {
  KASURI_EXPECT(cheap, begin <= offset && offset < end && chunk != 0,
                "offset %llu in a region from %llu to %llu, in chunks of %llu",
                static_cast<unsigned long long>(offset), static_cast<unsigned long long>(begin),
                static_cast<unsigned long long>(end), static_cast<unsigned long long>(chunk));
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
      KASURI_EXPECT(cheap, which < owners.size() && owners[which] < ranks,
                    "chunk %llu of %zu is at home at no rank",
                    static_cast<unsigned long long>(which), owners.size());
      return {owners[which], places[which] * chunk + within, run};
    case kind_t::blocked:
    case kind_t::file:
      break;
  }
  KASURI_EXPECT(cheap, which < static_cast<std::uint64_t>(ranks),
                "chunk %llu of a region that is blocked over %d ranks",
                static_cast<unsigned long long>(which), ranks);
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
  KASURI_EXPECT(
      all,
      std::ranges::none_of(*list(),
                           [added](const region* other) {
                             return other->begin < added->end && added->begin < other->end;
                           }),
      "a region from %llu to %llu lies across another one",
      static_cast<unsigned long long>(added->begin), static_cast<unsigned long long>(added->end));
  all_.push_back(std::move(r));
  list_t next = *list();
  next.insert(std::ranges::upper_bound(next, added->begin, {}, &region::begin), added);
  replace(std::move(next));
  return added;
}

void region_map::remove(const region* r) {
  list_t next = *list();
  const auto gone = std::erase(next, r);
  KASURI_EXPECT(cheap, gone == 1, "a region from %llu to %llu ends, and is there %zu times",
                static_cast<unsigned long long>(r->begin), static_cast<unsigned long long>(r->end),
                gone);
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
