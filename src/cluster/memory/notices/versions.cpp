// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/notices/versions.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "kasuri/detail/atomics.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

// Words of one put.
constexpr std::size_t batch = 1024;

}  // namespace

void versions::want() {
  // acquire: pairs with the end of this function in another thread
  if (options_.stamps_at_once || wants_.load(std::memory_order_acquire)) return;
  const std::scoped_lock one(wanting_);
  if (wants_.load(std::memory_order_relaxed)) return;
  if (network_.load(0, where_.where(), control_window::all_told_word) == 0) tell_all();
  wants_.store(true, std::memory_order_release);  // pairs with the load above
}

void versions::tell_all() {
  std::uint64_t yes = 1;
  transfers under_way(network_);
  for (int r = 0; r != network_.size(); ++r)
    under_way.put(r, where_.where(), control_window::versions_word,
                  reinterpret_cast<std::byte*>(&yes), sizeof yes);
  counts_.waited_ns.add(under_way.finish());
  network_.store(0, where_.where(), control_window::all_told_word, 1);
  network_.flush(0);  // nothing else of this thread need bring it there
}

bool versions::wanted_by_any() {
  // relaxed: it stays true
  if (options_.stamps_at_once || somebody_wants_.load(std::memory_order_relaxed)) return true;
  detail::real_atomics::fence_full();  // pairs with the flush in want()
  // The word is read as any word of a home part is, though others put it.
  const std::atomic_ref<std::uint64_t> said(
      *reinterpret_cast<std::uint64_t*>(where_.where().local + control_window::versions_word));
  if (said.load(std::memory_order_relaxed) == 0) return false;  // relaxed: after the fence above
  somebody_wants_.store(true, std::memory_order_relaxed);       // relaxed: it stays true
  return true;
}

void versions::get(const region& of, std::uint64_t index, std::uint64_t& into,
                   transfers& under_way) const {
  const home_place home = of.home_of(range_.bytes_of(index));
  KASURI_EXPECT(cheap, options_.stamps_at_once || wants_.load(std::memory_order_relaxed),
                "the version of block %llu is read, and no rank knows that they are",
                static_cast<unsigned long long>(index));
  under_way.get(home.rank, of.memory, of.stamps + range_.block_of(home.offset) * 8,
                reinterpret_cast<std::byte*>(&into), sizeof into);
}

void versions::raise(std::span<const global_range> told) {
  if (!wanted_by_any() || options_.fault == planted_fault::stamp_not_raised) return;
  const std::uint64_t now = (static_cast<std::uint64_t>(network_.rank()) + 1) << 40 | ++last_;
  KASURI_EXPECT(cheap, last_ < 1ULL << 40, "rank %d has raised versions %llu times",
                network_.rank(), static_cast<unsigned long long>(last_));
  std::vector<std::uint64_t> same(batch, now);  // the network reads it until finish()
  transfers under_way(network_);
  for (const global_range& r : told) {  // writes in two arrays side by side are one range
    places_.each_in(r, [&](const region& where) {
      raise_in(where, {std::max(r.begin, where.begin), std::min(r.end, where.end)}, same,
               under_way);
    });
  }
  under_way.finish();
}

void versions::raise_in(const region& where, global_range r, std::span<std::uint64_t> same,
                        transfers& under_way) const {
  for (std::uint64_t at = range_.start_of_block(r.begin); at < r.end;) {
    const home_place home = where.home_of(at);
    const std::uint64_t bytes = std::min(home.run, r.end - at);
    std::uint64_t word = range_.block_of(home.offset);
    const std::uint64_t end = word + range_.block_of(range_.whole_blocks(bytes));
    KASURI_EXPECT(cheap, where.stamps + 8 * end <= where.memory.bytes,
                  "versions %llu to %llu of a part of %zu bytes, which begin at %llu",
                  static_cast<unsigned long long>(word), static_cast<unsigned long long>(end),
                  where.memory.bytes, static_cast<unsigned long long>(where.stamps));
    while (word < end) {
      const std::uint64_t n = std::min<std::uint64_t>(end - word, same.size());
      under_way.put(home.rank, where.memory, where.stamps + word * 8,
                    reinterpret_cast<std::byte*>(same.data()), n * 8);
      word += n;
    }
    at += home.run;
  }
}

}  // namespace kasuri::cluster
