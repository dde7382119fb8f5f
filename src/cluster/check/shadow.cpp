// SPDX-License-Identifier: Apache-2.0
#include "cluster/check/shadow.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

// A bucket: its lock, and the offset of its first granule.
constexpr std::uint64_t bucket_bytes = 16;
constexpr std::uint64_t first_at = 8;

// Of the memory one part in so many is for the buckets.
constexpr std::size_t buckets_part = 32;

}  // namespace

shadow::shadow(transport& network, std::size_t bytes)
    : bucket_bits_(static_cast<unsigned>(std::bit_width(bytes / buckets_part / bucket_bytes)) - 1),
      records_(network, bytes, bucket_bytes << bucket_bits_),
      tasks_(records_) {}

void shadow::clear() {
  records_.clear();
  tasks_.clear();
}

std::uint64_t shadow::bucket_of(std::uint64_t number) const noexcept {
  const std::uint64_t mixed = number * 0x9e3779b97f4a7c15u;
  return arena::fixed_start + (mixed >> (64 - bucket_bits_)) * bucket_bytes;
}

shadow::place shadow::find(int home, std::uint64_t bucket, std::uint64_t number) {
  place at{};
  records_.read(home, bucket + first_at, &at.offset, sizeof at.offset);
  while (at.offset != 0) {
    records_.read(home, at.offset, &at.what, sizeof at.what);
    if (at.what.number == number) return at;
    KASURI_EXPECT(cheap,
                  at.what.count <= at.what.room && at.what.next != at.offset &&
                      bucket_of(at.what.number) == bucket,
                  "granule %llu at rank %d: %u of %u entries, in another bucket or behind itself",
                  static_cast<unsigned long long>(at.what.number), home, at.what.count,
                  at.what.room);
    at.offset = at.what.next;
  }
  at.what = {number, 0, 0, 0, 0};
  return at;
}

void shadow::store(int home, std::uint64_t bucket, place& at,
                   const std::vector<history_entry>& entries) {
  granule& what = at.what;
  KASURI_EXPECT(cheap, !entries.empty() && entries.size() <= (std::size_t{1} << granule_bits),
                "the history of granule %llu has %zu entries",
                static_cast<unsigned long long>(what.number), entries.size());
  if (entries.size() > what.room) {
    what.room = std::bit_ceil(static_cast<std::uint32_t>(entries.size()));
    what.entries = records_.take(home, what.room * sizeof(history_entry));
  }
  what.count = static_cast<std::uint32_t>(entries.size());
  records_.write(home, what.entries, entries.data(), entries.size() * sizeof(history_entry));
  const bool fresh = at.offset == 0;
  if (fresh) {
    at.offset = records_.take(home, sizeof what);
    records_.read(home, bucket + first_at, &what.next, sizeof what.next);
  }
  records_.write(home, at.offset, &what, sizeof what);
  if (fresh) records_.write(home, bucket + first_at, &at.offset, sizeof at.offset);
}

std::optional<race> shadow::enter_granule(int home, std::uint64_t number, std::uint32_t begin,
                                          std::uint32_t end, const access_mark& now, judge& order) {
  const std::uint64_t bucket = bucket_of(number);
  records_.lock(home, bucket);
  place at = find(home, bucket, number);
  std::vector<history_entry> entries(at.what.count);
  if (!entries.empty()) {
    records_.read(home, at.what.entries, entries.data(), entries.size() * sizeof(history_entry));
  }
  const std::optional<race> found = cluster::enter(entries, begin, end, now, order);
  if (!found) store(home, bucket, at, entries);
  records_.unlock(home, bucket);
  return found;
}

std::optional<found_race> shadow::enter(int home, std::uint64_t begin, std::uint64_t end,
                                        const access_mark& now, judge& order) {
  constexpr std::uint64_t size = std::uint64_t{1} << granule_bits;
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t start = at & ~(size - 1);
    const std::uint64_t stop = std::min(end, start + size);
    if (const auto r =
            enter_granule(home, at >> granule_bits, static_cast<std::uint32_t>(at - start),
                          static_cast<std::uint32_t>(stop - start), now, order))
      return found_race{r->earlier, start + r->begin, start + r->end};
    at = stop;
  }
  return std::nullopt;
}

}  // namespace kasuri::cluster
