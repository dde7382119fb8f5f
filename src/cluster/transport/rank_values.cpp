// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/rank_values.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "cluster/transport/meet.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::size_t words_bytes = 512;  // in front of the slots: one for each round
constexpr std::size_t slot_alignment = 64;
constexpr std::uint64_t longest_nap_between_looks_ns = 1'000'000;

}  // namespace

rank_values::rank_values(transport& network)
    : net_(network),
      rank_(network.rank()),
      size_(network.size()),
      last_round_(std::bit_width(static_cast<unsigned>(network.size() - 1))) {}

/// True: the value was small, and those of all ranks are in told_.
bool rank_values::announce(collective_call::kind what, int root, std::span<const std::byte> value) {
  const bool small = value.size() <= most_announced;
  if (small) told_.resize(value.size() * static_cast<std::size_t>(size_));
  meet(net_, {.what = what, .sizes = {value.size(), static_cast<std::uint64_t>(root)}});
  if (!small) return false;
  if (size_ == 1)
    std::ranges::copy(value, told_.begin());
  else
    net_.all_gather(value, told_);
  return true;
}

/// The value becomes the combination of those of ranks 0 to `last`.
void rank_values::combine_told(std::span<std::byte> value, int last,
                               const combination& with) const {
  std::memcpy(value.data(), told_by(0, value.size()), value.size());
  for (int r = 1; r <= last; ++r) with(value.data(), told_by(r, value.size()));
}

void rank_values::broadcast(std::span<std::byte> value, int root) {
  if (announce(collective_call::kind::broadcast, root, value))
    std::memcpy(value.data(), told_by(root, value.size()), value.size());
  else if (size_ > 1)
    net_.broadcast(root, value);
}

bool rank_values::reduce(std::span<std::byte> value, int root, const combination& with) {
  if (announce(collective_call::kind::reduce, root, value)) {
    if (rank_ == root) combine_told(value, size_ - 1, with);
    return rank_ == root;
  }
  if (size_ == 1) return true;
  make_room(value.size());
  std::vector<std::byte> sum(value.begin(), value.end());
  reduce_to_0(sum, with);
  if (rank_ == 0 && root != 0) give(root, last_round_, sum);
  if (rank_ != root) return false;
  std::memcpy(value.data(), root == 0 ? sum.data() : wait_for(last_round_), value.size());
  return true;
}

void rank_values::all_reduce(std::span<std::byte> value, const combination& with) {
  if (announce(collective_call::kind::all_reduce, 0, value))
    return combine_told(value, size_ - 1, with);
  if (size_ == 1) return;
  make_room(value.size());
  reduce_to_0(value, with);
  net_.broadcast(0, value);
}

void rank_values::scan(std::span<std::byte> value, const combination& with) {
  if (announce(collective_call::kind::scan, 0, value)) return combine_told(value, rank_, with);
  if (size_ == 1) return;
  make_room(value.size());
  scan_by_rounds(value, with);
}

bool rank_values::exclusive_scan(std::span<std::byte> value, const combination& with) {
  if (announce(collective_call::kind::exclusive_scan, 0, value)) {
    if (rank_ != 0) combine_told(value, rank_ - 1, with);
    return rank_ != 0;
  }
  if (size_ == 1) return false;
  make_room(value.size());
  std::vector<std::byte> sum(value.begin(), value.end());
  scan_by_rounds(sum, with);
  if (rank_ + 1 != size_) give(rank_ + 1, last_round_, sum);
  if (rank_ == 0) return false;
  std::memcpy(value.data(), wait_for(last_round_), value.size());
  return true;
}

/// Collective. Throws std::bad_alloc, at all ranks, where there is none.
void rank_values::make_room(std::size_t bytes) {
  KASURI_EXPECT(cheap, 8 * static_cast<std::size_t>(last_round_ + 1) <= words_bytes,
                "%d rounds for %d ranks", last_round_ + 1, size_);
  if (room_ < bytes) {
    if (room_ != 0) net_.free(slots_);
    room_ = 0;
    const std::size_t room = (bytes + slot_alignment - 1) / slot_alignment * slot_alignment;
    slots_ = net_.allocate(words_bytes + room * static_cast<std::size_t>(last_round_ + 1));
    room_ = room;
    operations_ = 0;
  }
  ++operations_;
}

std::size_t rank_values::slot(int round) const noexcept {
  return words_bytes + static_cast<std::size_t>(round) * room_;
}

void rank_values::give(int to, int round, std::span<const std::byte> value) {
  KASURI_EXPECT(cheap, to >= 0 && to < size_ && to != rank_ && value.size() <= room_,
                "rank %d of %d gives %zu bytes to rank %d, where there is room for %zu", rank_,
                size_, value.size(), to, room_);
  net_.put(to, slots_, slot(round), value.data(), value.size());
  net_.flush(to);
  net_.store(to, slots_, 8 * static_cast<std::size_t>(round), operations_);
  net_.ring(to);
}

const std::byte* rank_values::wait_for(int round) {
  while (true) {
    const std::uint64_t full = net_.load(rank_, slots_, 8 * static_cast<std::size_t>(round));
    KASURI_EXPECT(
        cheap, full <= operations_, "round %d of operation %llu has the value of operation %llu",
        round, static_cast<unsigned long long>(operations_), static_cast<unsigned long long>(full));
    if (full == operations_) return slots_.local + slot(round);
    net_.progress();
    net_.nap(longest_nap_between_looks_ns);
  }
}

/// At rank 0 the value becomes the combination of all.
void rank_values::reduce_to_0(std::span<std::byte> value, const combination& with) {
  for (int k = 0; k != last_round_; ++k) {
    const int distance = 1 << k;
    if ((rank_ & distance) != 0) return give(rank_ - distance, k, value);
    if (rank_ + distance < size_) with(value.data(), wait_for(k));
  }
}

void rank_values::scan_by_rounds(std::span<std::byte> value, const combination& with) {
  std::vector<std::byte> below(value.size());
  for (int k = 0; k != last_round_; ++k) {
    const int distance = 1 << k;
    if (rank_ + distance < size_) give(rank_ + distance, k, value);
    if (rank_ < distance) continue;
    std::memcpy(below.data(), wait_for(k), below.size());
    with(below.data(), value.data());
    std::memcpy(value.data(), below.data(), below.size());
  }
}

}  // namespace kasuri::cluster
