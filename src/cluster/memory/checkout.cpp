// SPDX-License-Identifier: Apache-2.0
// Checkouts that are not served by a hint: of several blocks, of bytes that are not here, on a lone
// rank, under checks; their ends; and those that are begun before they are waited for.

#include <utility>
#include <vector>

#include "cluster/memory/memory.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

/// Ends checkouts that could not all be had.
void give_up(std::span<held> results, memory_checks& checks) noexcept {
  for (held& h : results) {
    if (h.kept == nullptr) continue;
    checks.take_back(*h.kept);
    std::exchange(h.kept, nullptr)->drop();
  }
}

}  // namespace

held memory::checkout_slow(std::uint64_t offset, std::uint64_t bytes, access mode) {
  const checkout_request r{offset, bytes, mode};
  std::byte* const place = range_.at(offset);
  if (r.bytes == 0) return {place, nullptr};
  if (!needs_pin(r)) {
    directory_.expect_again(r);
    return {place, nullptr};
  }
  held result;
  checkout_all({&r, 1}, {&result, 1});
  return result;
}

void memory::checkout_all(std::span<const checkout_request> requests, std::span<held> results) {
  KASURI_EXPECT(cheap, requests.size() == results.size(), "%zu checkouts, %zu results",
                requests.size(), results.size());
  std::vector<const region*> where(requests.size());
  for (std::size_t i = 0; i != requests.size(); ++i)
    if (requests[i].bytes != 0) where[i] = &directory_.expect(requests[i]);
  if (options_.checked) checks_.note_uses(requests, where);
  for (std::size_t i = 0; i != requests.size(); ++i) {
    results[i] = {range_.at(requests[i].offset), nullptr};
    if (!needs_pin(requests[i])) continue;
    results[i].kept = &checkouts_.claim(requests[i]);
    if (!options_.cached) results[i].kept->mark_uncached();
  }
  try {
    if (options_.checked)
      for (const checkout_request& r : requests) checkouts_.expect_no_conflict(r);
    if (ranks_ > 1) cache_.bring(requests, where);
    if (options_.checked) checks_.lend(requests, where, results);
  } catch (...) {
    give_up(results, checks_);
    throw;
  }
}

void memory::check_in_slow(pin& p) noexcept {
  KASURI_EXPECT(cheap, p.offset.load(std::memory_order_relaxed) != 0,
                "a checkout on rank %d ends twice", network_.rank());
  checks_.take_back(p);
  if (p.uncached())
    cache_.end_uncached(p);
  else
    p.drop();
}

memory::begun memory::begin(const checkout_request& r) {
  const bool in_range = r.offset < range_.bytes() && r.bytes <= range_.bytes() - r.offset;
  if (r.bytes == 0 || (plain_ && in_range && r.mode == access::read && cache_.covered(r)))
    return {};
  const region& where = directory_.expect(r);
  begun b;
  if (options_.checked)  // for expect_nothing_held()
    b.kept = &checkouts_.claim({r.offset, r.bytes, access::read});
  if (r.reads()) b.number = cache_.begin_ahead(r, where);
  return b;
}

held memory::finish(const checkout_request& r, begun b) {
  abandon(b);
  return checkout(r.offset, r.bytes, r.mode);
}

void memory::abandon(begun b) noexcept {
  if (b.number != 0) cache_.land(b.number);
  if (b.kept != nullptr) b.kept->drop();
}

}  // namespace kasuri::cluster
