// SPDX-License-Identifier: Apache-2.0
#include "cluster/check/arena.hpp"

#include <cstring>

#include "kasuri/detail/atomics.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::uint64_t taken_word = 0;

std::uint64_t rounded(std::uint64_t bytes) noexcept { return (bytes + 15) & ~std::uint64_t{15}; }

}  // namespace

arena::arena(transport& network, std::size_t bytes, std::size_t fixed)
    : network_(network), first_(rounded(fixed_start + fixed)), memory_(network.allocate(bytes)) {}

arena::~arena() { network_.free(memory_); }

void arena::clear() {
  std::memset(local(fixed_start), 0, first_ - fixed_start);
  const int me = network_.rank();
  std::uint64_t taken = network_.load(me, memory_, taken_word);
  while (true) {
    const std::uint64_t seen = network_.compare_swap(me, memory_, taken_word, taken, 0);
    if (seen == taken) return;
    taken = seen;
  }
}

std::uint64_t arena::take(int rank, std::uint64_t bytes) {
  const std::uint64_t before = network_.fetch_add(rank, memory_, taken_word, rounded(bytes));
  if (first_ + before + bytes > memory_.bytes) {
    platform::fatal(
        "KASURI_CHECK=checkout: the record of tasks and accesses at rank %d is full; "
        "KASURI_CHECK_MEMORY=%llu is too small; accepted: more, or a run of fewer tasks",
        rank, static_cast<unsigned long long>(memory_.bytes));
  }
  return first_ + before;
}

void arena::expect_inside(int rank, std::uint64_t offset, std::uint64_t bytes) const {
  KASURI_EXPECT(cheap, rank >= 0 && rank < network_.size(), "the record at rank %d of %d", rank,
                network_.size());
  KASURI_EXPECT(
      cheap, offset >= fixed_start && offset <= memory_.bytes && bytes <= memory_.bytes - offset,
      "bytes %llu + %llu of a record of %zu at rank %d", static_cast<unsigned long long>(offset),
      static_cast<unsigned long long>(bytes), memory_.bytes, rank);
}

void arena::read(int rank, std::uint64_t offset, void* to, std::uint64_t bytes) {
  expect_inside(rank, offset, bytes);
  if (rank == network_.rank()) {
    std::memcpy(to, local(offset), bytes);
    return;
  }
  network_.get(rank, memory_, offset, to, bytes);
  network_.flush(rank);
}

void arena::write(int rank, std::uint64_t offset, const void* from, std::uint64_t bytes) {
  expect_inside(rank, offset, bytes);
  if (rank == network_.rank()) {
    std::memcpy(local(offset), from, bytes);
    return;
  }
  network_.put(rank, memory_, offset, from, bytes);
  network_.flush(rank);
}

void arena::lock(int rank, std::uint64_t offset) {
  // Each try is a trip through the network. On a simulated one the rank that holds the lock goes on
  // by these alone: to give the processor to other programs each time only makes the run longer.
  constexpr unsigned tries_between_yields = 64;
  for (unsigned n = 1; network_.compare_swap(rank, memory_, offset, 0, 1) != 0; ++n) {
    if (n % tries_between_yields == 0)
      detail::yield_processor();
    else
      detail::real_atomics::pause();
    network_.progress();
  }
}

void arena::unlock(int rank, std::uint64_t offset) {
  // Not a posted store: the window may end as soon as the last one is through.
  const std::uint64_t before = network_.compare_swap(rank, memory_, offset, 1, 0);
  KASURI_EXPECT(cheap, before == 1, "the lock at %llu of rank %d is given back in state %llu",
                static_cast<unsigned long long>(offset), rank,
                static_cast<unsigned long long>(before));
}

}  // namespace kasuri::cluster
