// SPDX-License-Identifier: Apache-2.0
#include "omp/work/loop_share.hpp"

#include <new>

#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::omp {
namespace {

using detail::real_atomics;

constexpr std::uint64_t begin_one = std::uint64_t{1} << 32;

constexpr std::uint64_t begin_of(std::uint64_t range) noexcept { return range >> 32; }
constexpr std::uint64_t end_of(std::uint64_t range) noexcept { return range & 0xffff'ffff; }
constexpr std::uint64_t range_of(std::uint64_t begin, std::uint64_t end) noexcept {
  return begin << 32 | end;
}

/// Makes sure that the share of that member is dealt out.
loop_share& dealt_share(const loop_state& l, int number, std::uint64_t members) noexcept {
  KASURI_EXPECT(cheap, number >= 0 && static_cast<std::uint64_t>(number) < members,
                "the share of member %d of %lu", number, members);
  loop_share& s = l.shared->shares[number];
  const std::uint64_t done = l.shared->state.load(std::memory_order_relaxed);
  KASURI_EXPECT(cheap, done != 0 && done % 2 == 0, "a loop in state %lu is shared", done);
  // acquire: pairs with the release below
  std::uint64_t seen = s.dealt.load(std::memory_order_acquire);
  KASURI_EXPECT(cheap, seen <= done, "share %d was dealt out in state %lu, the loop is in %lu",
                number, seen, done);
  if (seen == done) return s;
  const auto i = static_cast<std::uint64_t>(number);
  if (seen < done - 1 &&
      // acquire: pairs with the release below
      s.dealt.compare_exchange_strong(seen, done - 1, std::memory_order_acquire,
                                      std::memory_order_acquire)) {
    KASURI_EXPECT(cheap, l.chunks != 0 && l.chunks <= most_chunks_to_share, "%lu chunks to share",
                  l.chunks);
    const std::uint64_t chunks = l.chunks - 1;  // without the last one
    s.range.store(range_of(chunks * i / members, chunks * (i + 1) / members),
                  std::memory_order_relaxed);
    // release: pairs with the acquire above
    s.dealt.store(done, std::memory_order_release);
    return s;
  }
  for (unsigned n = 0; seen != done; real_atomics::backoff(n++))
    seen = s.dealt.load(std::memory_order_acquire);  // pairs with the release above
  return s;
}

/// The half that is taken from the end of a share: its range, or an empty one.
std::uint64_t steal_half(loop_share& victim) noexcept {
  std::uint64_t range = victim.range.load(std::memory_order_relaxed);
  while (begin_of(range) < end_of(range)) {
    const std::uint64_t half = (end_of(range) - begin_of(range) + 1) / 2;
    const std::uint64_t cut = end_of(range) - half;
    KASURI_EXPECT(cheap, half != 0 && cut >= begin_of(range), "[%lu, %lu) is cut at %lu",
                  begin_of(range), end_of(range), cut);
    // Relaxed: chunks are numbers, and whatever they stand for was there before the loop.
    if (victim.range.compare_exchange_weak(range, range_of(begin_of(range), cut),
                                           std::memory_order_relaxed))
      return range_of(cut, cut + half);
  }
  return 0;
}

/// All others are taken. construct::next says whether this one is.
bool take_last_chunk(const loop_state& l, std::uint64_t& chunk) noexcept {
  std::atomic<std::uint64_t>& taken = l.shared->next;
  chunk = l.chunks - 1;
  return taken.load(std::memory_order_relaxed) == 0 &&
         taken.exchange(1, std::memory_order_relaxed) == 0;
}

}  // namespace

loop_share* loop_shares_of(team& t, std::uint64_t ticket) noexcept {
  const auto members = static_cast<std::size_t>(t.size);
  std::atomic<loop_share*>& all = t.shares.loop_shares;
  // acquire: pairs with the release below
  loop_share* found = all.load(std::memory_order_acquire);
  if (found == nullptr) {
    auto* const made = new (std::nothrow) loop_share[workshares::places * members];
    if (made == nullptr) platform::fatal("openmp: no memory for a loop of %d members", t.size);
    // release, acquire: pairs with itself; two constructs may be set up at once
    if (all.compare_exchange_strong(found, made, std::memory_order_release,
                                    std::memory_order_acquire))
      found = made;
    else
      delete[] made;
  }
  return found + ticket % workshares::places * members;
}

bool take_shared_chunk(member& m, const loop_state& l, std::uint64_t& chunk) noexcept {
  const int members = m.in->size;
  const auto count = static_cast<std::uint64_t>(members);
  loop_share& own = dealt_share(l, m.number, count);
  const std::uint64_t range = own.range.fetch_add(begin_one, std::memory_order_relaxed);
  KASURI_EXPECT(cheap, end_of(range) < l.chunks, "the share of member %d ends at %lu of %lu chunks",
                m.number, end_of(range), l.chunks);
  if (begin_of(range) < end_of(range)) {
    chunk = begin_of(range);
    return true;
  }
  for (int i = 1; i != members; ++i) {
    const int number = m.number + i < members ? m.number + i : m.number + i - members;
    const std::uint64_t stolen = steal_half(dealt_share(l, number, count));
    if (begin_of(stolen) < end_of(stolen)) {
      chunk = begin_of(stolen);
      KASURI_EXPECT(cheap, end_of(stolen) < l.chunks,
                    "member %d has stolen [%lu, %lu) of %lu chunks", m.number, begin_of(stolen),
                    end_of(stolen), l.chunks);
      own.range.store(stolen + begin_one, std::memory_order_relaxed);
      return true;
    }
  }
  return take_last_chunk(l, chunk);
}

}  // namespace kasuri::omp
