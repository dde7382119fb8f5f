// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

/// From the text of a FASTA file to its k-mers: runs of k bases A, C, G, T (or a, c, g, t). A
/// header line, which begins with '>', and every other letter end a run; line ends do not.
namespace kmer {

inline constexpr unsigned longest_k = 31;

/// Two bits a base.
using code = std::uint64_t;

/// A mixing function, Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014.
constexpr std::uint64_t mix(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Takes the text letter by letter.
class reader {
 public:
  explicit reader(unsigned k) : k_(k), mask_((code{1} << (2 * k)) - 1) {}

  /// Calls take(code) when the letter ends a k-mer: with the smaller one of it and its reverse
  /// complement, which stand for the same piece of double helix.
  template <class Take>
  void feed(char letter, Take&& take) {
    if (letter == '\n' || letter == '\r') {
      at_line_start_ = letter == '\n' || at_line_start_;
      in_header_ = in_header_ && letter != '\n';
      return;
    }
    if (at_line_start_ && letter == '>') in_header_ = true;
    at_line_start_ = false;
    const unsigned base = in_header_ ? no_base : base_of(letter);
    if (base == no_base) {
      length_ = 0;
      certain_ = true;
      return;
    }
    forward_ = (forward_ << 2 | base) & mask_;
    backward_ = backward_ >> 2 | code{3 - base} << (2 * (k_ - 1));
    length_ = std::min(length_ + 1, k_);
    if (length_ == k_) {
      certain_ = true;
      take(std::min(forward_, backward_));
    }
  }

  /// Whether what comes next gives the same k-mers as if the text had been read from its beginning:
  /// for a reader that began at the beginning of a line.
  bool certain() const { return certain_; }

 private:
  static constexpr unsigned no_base = 4;

  static unsigned base_of(char letter) {
    switch (letter | 0x20) {
      case 'a':
        return 0;
      case 'c':
        return 1;
      case 'g':
        return 2;
      case 't':
        return 3;
      default:
        return no_base;
    }
  }

  unsigned k_;
  code mask_;
  code forward_ = 0;
  code backward_ = 0;
  unsigned length_ = 0;
  bool at_line_start_ = true;
  bool in_header_ = false;
  bool certain_ = false;
};

inline std::string letters(code c, unsigned k) {
  std::string text(k, 'A');
  for (unsigned i = 0; i < k; ++i) text[k - 1 - i] = "ACGT"[c >> (2 * i) & 3];
  return text;
}

/// Letter i of a made-up genome of `size` letters: lines of 80 bases, a header each 1000 lines, and
/// every piece of it four times.
inline char made_up(std::uint64_t seed, std::size_t i, std::size_t size) {
  const std::size_t line = i / 81;
  const std::size_t column = i % 81;
  if (column == 80) return '\n';
  if (line % 1000 == 0) return column == 0 ? '>' : 'A';
  const std::size_t base = (line * 80 + column) % std::max<std::size_t>(size / 4, 1);
  return "ACGT"[mix(seed << 40 ^ base) & 3];
}

}  // namespace kmer
