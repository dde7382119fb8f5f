// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

/// SHA-1 (FIPS 180-4, section 6.1) of messages short enough for one block, which is all that the
/// tree generator hashes.
namespace bench::uts {

using digest = std::array<std::uint8_t, 20>;

namespace detail {

/// The message schedule, section 6.1.2 step 1, extended in place: only the last 16 words count.
class schedule {
 public:
  explicit schedule(const std::array<std::uint32_t, 16>& block) : words_(block) {}

  template <unsigned T>
  std::uint32_t word() {
    std::uint32_t& w = words_[T % 16];
    if constexpr (T >= 16) {
      w = std::rotl(words_[(T - 3) % 16] ^ words_[(T - 8) % 16] ^ words_[(T - 14) % 16] ^ w, 1);
    }
    return w;
  }

 private:
  std::array<std::uint32_t, 16> words_;
};

/// f_t and K_t, sections 4.1.1 and 4.2.1.
template <unsigned T>
constexpr std::uint32_t mix(std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if constexpr (T < 20) {
    return ((b & c) | (~b & d)) + 0x5a827999;
  } else if constexpr (T < 40) {
    return (b ^ c ^ d) + 0x6ed9eba1;
  } else if constexpr (T < 60) {
    return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  } else {
    return (b ^ c ^ d) + 0xca62c1d6;
  }
}

/// Round T: the five words trade places in the argument list, so no round moves one.
template <unsigned T>
inline void round(schedule& message, std::uint32_t a, std::uint32_t& b, std::uint32_t c,
                  std::uint32_t d, std::uint32_t& e) {
  e += std::rotl(a, 5) + mix<T>(b, c, d) + message.word<T>();
  b = std::rotl(b, 30);
}

template <unsigned T>
inline void five_rounds(schedule& message, std::array<std::uint32_t, 5>& s) {
  round<T>(message, s[0], s[1], s[2], s[3], s[4]);
  round<T + 1>(message, s[4], s[0], s[1], s[2], s[3]);
  round<T + 2>(message, s[3], s[4], s[0], s[1], s[2]);
  round<T + 3>(message, s[2], s[3], s[4], s[0], s[1]);
  round<T + 4>(message, s[1], s[2], s[3], s[4], s[0]);
}

template <unsigned... Group>
inline void all_rounds(schedule& message, std::array<std::uint32_t, 5>& s,
                       std::integer_sequence<unsigned, Group...>) {
  (five_rounds<5 * Group>(message, s), ...);
}

}  // namespace detail

/// The digest of `message`, at most 55 bytes long.
template <std::size_t Size>
digest sha1(const std::array<std::uint8_t, Size>& message) {
  static_assert(Size <= 55, "the message, its end mark and its length share one block");
  std::array<std::uint32_t, 16> block{};
  const auto put = [&block](std::size_t at, std::uint8_t byte) {
    block[at / 4] |= static_cast<std::uint32_t>(byte) << (24 - 8 * (at % 4));
  };
  for (std::size_t i = 0; i < Size; ++i) put(i, message[i]);
  put(Size, 0x80);
  block[15] = static_cast<std::uint32_t>(8 * Size);

  const std::array<std::uint32_t, 5> initial = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
                                                0xc3d2e1f0};
  std::array<std::uint32_t, 5> state = initial;
  detail::schedule words(block);
  detail::all_rounds(words, state, std::make_integer_sequence<unsigned, 16>());

  digest result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<std::uint8_t>((state[i / 4] + initial[i / 4]) >> (24 - 8 * (i % 4)));
  }
  return result;
}

}  // namespace bench::uts
