// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <kasuri/global/vector.hpp>

#include "cluster/meter.hpp"
#include "kmer/reader.hpp"

/// Counting over global memory: the k-mers are dealt out to parts by their hashes, and each part is
/// counted in a table of its own.
namespace kmer {

namespace global = kasuri::global;

/// What was counted.
struct census {
  static constexpr std::size_t most = 16;

  std::uint64_t total = 0;  ///< k-mers
  std::uint64_t distinct = 0;
  std::uint64_t often = 0;                     ///< how often the most frequent one occurs
  code most_frequent = 0;                      ///< the smallest of these
  std::uint64_t mixed = 0;                     ///< of all k-mers and their counts
  std::array<std::uint64_t, most> spectrum{};  ///< distinct ones that occur i + 1 times, or more

  void add(code kmer, std::uint64_t times);
  friend census operator+(const census& a, const census& b);
  friend bool operator==(const census&, const census&) = default;
};

/// How often each k-mer was seen: open addressing, in this process alone.
class table {
 public:
  /// @param expected  k-mers, of which many may be the same
  explicit table(std::size_t expected);

  void add(code kmer);
  census count() const;

 private:
  struct entry {
    code kmer = 0;
    std::uint64_t times = 0;  // 0: free
  };

  void grow();
  entry& find(code kmer);

  std::vector<entry> entries_;
  std::size_t used_ = 0;
};

/// The text, in chunks of letters; each is a task.
struct text {
  global::view<const char> letters;
  unsigned k;
  std::size_t chunk;

  std::size_t chunks() const { return (letters.size() + chunk - 1) / chunk; }
};

/// Parts of the k-mers: 2^bits.
struct parts {
  unsigned bits;

  std::size_t count() const { return std::size_t{1} << bits; }
  std::size_t of(code kmer) const {
    return bits == 0 ? 0 : static_cast<std::size_t>(mix(kmer) >> (64 - bits));
  }
};

// Called inside global::run.

/// A row of counters for each chunk, one for each part; on return where the k-mers of the chunk in
/// that part go. begin[p] becomes the first place of part p, and the last one their number in all,
/// which is returned.
std::uint64_t place_parts(const text& t, parts p, global::view<std::uint64_t> rows,
                          global::view<std::uint64_t> begin, apps::part share);

/// Puts the k-mers of all chunks to their places.
void deal(const text& t, parts p, global::view<std::uint64_t> rows, global::view<code> kmers,
          apps::part share);

/// Counts all parts.
census count_parts(parts p, global::view<std::uint64_t> begin, global::view<code> kmers,
                   apps::part share);

/// The same by one table, without tasks.
census count_serial(const text& t);

}  // namespace kmer
