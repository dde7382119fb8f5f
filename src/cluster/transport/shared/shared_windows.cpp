// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/shared/shared_windows.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "platform/memory/memory.hpp"
#include "platform/memory/shared_memory.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::uint64_t window_alignment = 2u << 20;

std::uint64_t aligned(std::uint64_t offset) noexcept {
  return (offset + window_alignment - 1) / window_alignment * window_alignment;
}

}  // namespace

shared_windows::shared_windows(const job_file& file, int rank, shared_collectives& with,
                               shared_ends& ends)
    : file_(file),
      rank_(rank),
      size_(file.ranks()),
      with_(with),
      ends_(ends),
      page_(platform::page_size()),
      next_(aligned(file.windows())) {}

void shared_windows::unmap() {
  for (placement& each : windows_)
    if (each.start != nullptr)
      platform::unmap_shared(std::exchange(each.start, nullptr), each.bytes);
}

void shared_windows::agree_on_size(std::size_t bytes) {
  std::vector<std::size_t> all(static_cast<std::size_t>(size_));
  with_.all_gather(std::as_bytes(std::span(&bytes, 1)), std::as_writable_bytes(std::span(all)));
  for (int r = 0; r < size_; ++r) {
    if (all[static_cast<std::size_t>(r)] != all[0]) {
      ends_.fail("a window of " + std::to_string(all[0]) + " bytes at rank 0 and of " +
                 std::to_string(all[static_cast<std::size_t>(r)]) + " at rank " +
                 std::to_string(r) + ": accepted is one size");
    }
  }
}

/// Null where there is no room, or no number for so much.
std::byte* shared_windows::map(std::size_t all_bytes) const {
  if (all_bytes == 0 ||
      (rank_ == 0 && !platform::extend_shared_file(file_.descriptor(), next_ + all_bytes))) {
    return nullptr;
  }
  return platform::map_shared(file_.descriptor(), next_, all_bytes);
}

window shared_windows::allocate(std::size_t bytes) {
  agree_on_size(bytes);
  const std::size_t stride = whole_pages(std::max<std::size_t>(bytes, 1));
  std::size_t all_bytes = 0;
  if (stride < bytes ||
      __builtin_mul_overflow(stride, static_cast<std::size_t>(size_), &all_bytes)) {
    all_bytes = 0;
  }
  std::byte* start = map(all_bytes);
  const std::byte mine{start != nullptr};
  std::vector<std::byte> all(static_cast<std::size_t>(size_));
  with_.all_gather(std::span(&mine, 1), all);
  if (std::ranges::find(all, std::byte{0}) != all.end()) {
    if (start != nullptr) platform::unmap_shared(start, all_bytes);
    throw std::bad_alloc();
  }
  const std::scoped_lock lock(lock_);
  KASURI_EXPECT(cheap, windows_.empty() || windows_.back().offset + windows_.back().bytes <= next_,
                "window %zu begins at %llu of the file, inside of the one before", windows_.size(),
                static_cast<unsigned long long>(next_));
  windows_.push_back({next_, start, all_bytes});
  next_ = aligned(next_ + all_bytes);
  return {static_cast<int>(windows_.size()) - 1, start + static_cast<std::size_t>(rank_) * stride,
          bytes};
}

/// The caller has lock_.
shared_windows::placement& shared_windows::place_of(const window& w) {
  const auto index = static_cast<std::size_t>(w.id);
  KASURI_EXPECT(cheap, w.id >= 0 && index < windows_.size() && windows_[index].start != nullptr,
                "window %d of %zu has been given back, or never was", w.id, windows_.size());
  return windows_[index];
}

void shared_windows::free(window& w) {
  with_.barrier();  // nobody is in the middle of an operation
  const std::scoped_lock lock(lock_);
  placement& place = place_of(w);
  platform::unmap_shared(place.start, place.bytes);
  place.start = nullptr;
  if (rank_ == 0) platform::discard_shared(file_.descriptor(), place.offset, place.bytes);
  w = {};
}

void shared_windows::alias(const window& w, std::size_t offset, std::size_t bytes, void* at) {
  std::uint64_t in_file = offset;
  {
    const std::scoped_lock lock(lock_);
    const placement& place = place_of(w);
    in_file += place.offset + static_cast<std::uint64_t>(w.local - place.start);
    KASURI_EXPECT(
        cheap,
        in_file % page_ == 0 && bytes % page_ == 0 && in_file + bytes <= place.offset + place.bytes,
        "bytes %zu + %zu of window %d are shown again", offset, bytes, w.id);
  }
  if (platform::map_shared(file_.descriptor(), in_file, bytes, at) == nullptr) {
    ends_.fail("rank " + std::to_string(rank_) + ": no second mapping of " + std::to_string(bytes) +
               " bytes of shared memory: " + std::strerror(errno) +
               " (vm.max_map_count limits the mappings of a process)");
  }
}

}  // namespace kasuri::cluster
