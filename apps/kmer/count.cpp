// SPDX-License-Identifier: Apache-2.0
#include "kmer/count.hpp"

#include <algorithm>
#include <utility>

#include <kasuri/global/begin_checkout.hpp>
#include <kasuri/global/checkout.hpp>
#include <kasuri/global/invoke.hpp>
#include <kasuri/global/parallel_for.hpp>

namespace kmer {
namespace {

constexpr std::size_t piece = 8192;

/// A reader at letter `at` of the text: as if it had read all before, but it begins at a line start
/// not far back.
reader reader_at(const text& t, std::size_t at) {
  for (std::size_t back = 1024;; back *= 2) {
    const std::size_t from = at > back ? at - back : 0;
    const auto before = global::checkout(t.letters.subview(from, at - from), global::read);
    const char* begin = before.begin();
    if (from != 0) begin = std::find(begin, before.end(), '\n');
    reader r(t.k);
    for (; begin != before.end(); ++begin) r.feed(*begin, [](code) {});
    if (from == 0 || r.certain()) return r;
  }
}

/// Calls take(code) for the k-mers that end in a chunk.
template <class Take>
void read_chunk(const text& t, std::size_t chunk, Take take) {
  const std::size_t end = std::min((chunk + 1) * t.chunk, t.letters.size());
  reader r = reader_at(t, chunk * t.chunk);
  for (std::size_t at = chunk * t.chunk; at < end; at += 8 * piece) {
    const std::size_t n = std::min(8 * piece, end - at);
    for (const char letter : global::checkout(t.letters.subview(at, n), global::read))
      r.feed(letter, take);
  }
}

void write_row(global::view<std::uint64_t> row, const std::vector<std::uint64_t>& from) {
  const auto to = global::checkout(row, global::write);
  std::copy(from.begin(), from.end(), to.begin());
}

std::vector<std::uint64_t> read_row(global::view<std::uint64_t> row) {
  const auto from = global::checkout(row, global::read);
  return {from.begin(), from.end()};
}

/// The k-mers of a chunk on their way to their parts.
class dealer {
 public:
  dealer(parts p, std::vector<std::uint64_t> places, global::view<code> to)
      : parts_(p), places_(std::move(places)), to_(to), waiting_(p.count()) {}

  void take(code kmer) {
    waiting_[parts_.of(kmer)].push_back(kmer);
    if (++held_ == 16 * piece) send();
  }

  void send() {
    for (std::size_t p = 0; p < waiting_.size(); ++p) {
      std::vector<code>& from = waiting_[p];
      if (from.empty()) continue;
      const auto to = global::checkout(to_.subview(places_[p], from.size()), global::write);
      std::copy(from.begin(), from.end(), to.begin());
      places_[p] += from.size();
      from.clear();
    }
    held_ = 0;
  }

 private:
  const parts parts_;
  std::vector<std::uint64_t> places_;
  const global::view<code> to_;
  std::vector<std::vector<code>> waiting_;
  std::size_t held_ = 0;
};

census count_part(global::view<code> kmers) {
  table seen(kmers.size());
  const std::size_t all = kmers.size();
  const auto begin = [=](std::size_t at) {
    return global::begin_checkout(kmers.subview(at, std::min(piece, all - at)), global::read);
  };
  auto next = begin(0);
  for (std::size_t at = 0; at < all; at += piece) {
    const auto some = next.wait();
    next = begin(std::min(at + piece, all));  // on its way while these are counted
    for (const code kmer : some) seen.add(kmer);
  }
  return seen.count();
}

census count_range(std::size_t lo, std::size_t hi, global::view<std::uint64_t> begin,
                   global::view<code> kmers, apps::part share) {
  if (hi - lo == 1) {
    const std::uint64_t first = global::get(begin.begin() + lo);
    const census found = count_part(kmers.subview(first, global::get(begin.begin() + hi) - first));
    share.item(lo, begin.size() - 1);
    return found;
  }
  const std::size_t mid = lo + (hi - lo) / 2;
  const auto [a, b] =
      global::parallel_invoke([=] { return count_range(lo, mid, begin, kmers, share); },
                              [=] { return count_range(mid, hi, begin, kmers, share); });
  return a + b;
}

}  // namespace

void census::add(code kmer, std::uint64_t times) {
  *this = *this + census{times, 1, times, kmer, mix(kmer) * times, {}};
  ++spectrum[std::min<std::uint64_t>(times, most) - 1];
}

census operator+(const census& a, const census& b) {
  const bool second =
      b.often > a.often || (b.often == a.often && b.most_frequent < a.most_frequent);
  const census& top = second ? b : a;
  census sum{a.total + b.total, a.distinct + b.distinct, top.often,
             top.most_frequent, a.mixed + b.mixed,       {}};
  for (std::size_t i = 0; i < census::most; ++i) sum.spectrum[i] = a.spectrum[i] + b.spectrum[i];
  return sum;
}

table::table(std::size_t expected) {
  std::size_t size = 64;
  while (size < expected / 2) size *= 2;
  entries_.resize(size);
}

table::entry& table::find(code kmer) {
  const std::size_t mask = entries_.size() - 1;
  std::size_t at = mix(kmer) & mask;
  while (entries_[at].times != 0 && entries_[at].kmer != kmer) at = (at + 1) & mask;
  return entries_[at];
}

void table::grow() {
  std::vector<entry> old(2 * entries_.size());
  old.swap(entries_);
  for (const entry& e : old)
    if (e.times != 0) find(e.kmer) = e;
}

void table::add(code kmer) {
  entry& e = find(kmer);
  e.kmer = kmer;
  if (++e.times == 1 && ++used_ > entries_.size() / 4 * 3) grow();
}

census table::count() const {
  census c;
  for (const entry& e : entries_)
    if (e.times != 0) c.add(e.kmer, e.times);
  return c;
}

std::uint64_t place_parts(const text& t, parts p, global::view<std::uint64_t> rows,
                          global::view<std::uint64_t> begin, apps::part share) {
  const std::size_t width = p.count();
  global::parallel_for(std::size_t{0}, t.chunks(), std::size_t{1},
                       [=](std::size_t lo, std::size_t hi) {
                         for (std::size_t chunk = lo; chunk < hi; ++chunk) {
                           std::vector<std::uint64_t> row(p.count());
                           read_chunk(t, chunk, [&](code kmer) { ++row[p.of(kmer)]; });
                           write_row(rows.subview(chunk * width, width), row);
                           share.item(chunk, t.chunks());
                         }
                       });
  std::vector<std::uint64_t> next(width + 1);
  for (std::size_t chunk = 0; chunk < t.chunks(); ++chunk) {
    const std::vector<std::uint64_t> row = read_row(rows.subview(chunk * width, width));
    for (std::size_t i = 0; i < width; ++i) next[i + 1] += row[i];
  }
  for (std::size_t i = 0; i < width; ++i) next[i + 1] += next[i];
  write_row(begin, next);
  const std::uint64_t total = next[width];
  for (std::size_t chunk = 0; chunk < t.chunks(); ++chunk) {
    const auto row = global::checkout(rows.subview(chunk * width, width), global::read_write);
    for (std::size_t i = 0; i < width; ++i) next[i] += std::exchange(row[i], next[i]);
  }
  return total;
}

void deal(const text& t, parts p, global::view<std::uint64_t> rows, global::view<code> kmers,
          apps::part share) {
  const std::size_t width = p.count();
  global::parallel_for(std::size_t{0}, t.chunks(), std::size_t{1},
                       [=](std::size_t lo, std::size_t hi) {
                         for (std::size_t chunk = lo; chunk < hi; ++chunk) {
                           dealer to(p, read_row(rows.subview(chunk * width, width)), kmers);
                           read_chunk(t, chunk, [&](code kmer) { to.take(kmer); });
                           to.send();
                           share.item(chunk, t.chunks());
                         }
                       });
}

census count_parts(parts p, global::view<std::uint64_t> begin, global::view<code> kmers,
                   apps::part share) {
  return count_range(0, p.count(), begin, kmers, share);
}

census count_serial(const text& t) {
  table seen(t.letters.size());
  reader r(t.k);
  for (std::size_t at = 0; at < t.letters.size(); at += 8 * piece) {
    const std::size_t n = std::min(8 * piece, t.letters.size() - at);
    for (const char letter : global::checkout(t.letters.subview(at, n), global::read))
      r.feed(letter, [&](code kmer) { seen.add(kmer); });
  }
  return seen.count();
}

}  // namespace kmer
