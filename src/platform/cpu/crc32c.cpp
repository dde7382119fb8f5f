// SPDX-License-Identifier: Apache-2.0
#include "platform/cpu/crc32c.hpp"

#include <array>
#include <cstring>

namespace kasuri::platform {
namespace {

constexpr std::uint32_t polynomial = 0x82f63b78;  // bits in the order that they are sent in

using table = std::array<std::uint32_t, 256>;

/// tables[k][b]: what byte b does to the checksum when k more bytes have come behind it.
constexpr std::array<table, 8> make_tables() {
  std::array<table, 8> made{};
  for (std::uint32_t b = 0; b != 256; ++b) {
    std::uint32_t crc = b;
    for (int bit = 0; bit != 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? polynomial : 0);
    made[0][b] = crc;
  }
  for (std::size_t k = 1; k != made.size(); ++k)
    for (std::uint32_t b = 0; b != 256; ++b)
      made[k][b] = made[k - 1][b] >> 8 ^ made[0][made[k - 1][b] & 255];
  return made;
}

constexpr std::array<table, 8> tables = make_tables();

constexpr std::uint32_t low_byte(std::uint32_t x) { return x & 255; }

/// Bytes i to i + 3 as a number, the first of them lowest.
std::uint32_t four_bytes(std::span<const std::byte> bytes, std::size_t i) noexcept {
  std::uint32_t x = 0;
  for (std::size_t k = 0; k != 4; ++k) x |= static_cast<std::uint32_t>(bytes[i + k]) << 8 * k;
  return x;
}

#if defined(__x86_64__)

bool has_instruction() noexcept { return __builtin_cpu_supports("sse4.2") != 0; }

[[gnu::target("sse4.2")]] std::uint32_t by_instruction(std::span<const std::byte> bytes,
                                                       std::uint32_t before) noexcept {
  std::uint64_t crc = ~before;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    crc = __builtin_ia32_crc32di(crc, word);
  }
  auto rest = static_cast<std::uint32_t>(crc);
  for (; i != bytes.size(); ++i)
    rest = __builtin_ia32_crc32qi(rest, static_cast<unsigned char>(bytes[i]));
  return ~rest;
}

#else

bool has_instruction() noexcept { return false; }

std::uint32_t by_instruction(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
  return crc32c_by_tables(bytes, before);
}

#endif

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
  static const bool fast = has_instruction();
  return fast ? by_instruction(bytes, before) : crc32c_by_tables(bytes, before);
}

std::uint32_t crc32c_by_tables(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
  std::uint32_t crc = ~before;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    const std::uint32_t low = crc ^ four_bytes(bytes, i);
    const std::uint32_t high = four_bytes(bytes, i + 4);
    crc = tables[7][low_byte(low)] ^ tables[6][low_byte(low >> 8)] ^
          tables[5][low_byte(low >> 16)] ^ tables[4][low >> 24] ^ tables[3][low_byte(high)] ^
          tables[2][low_byte(high >> 8)] ^ tables[1][low_byte(high >> 16)] ^ tables[0][high >> 24];
  }
  for (; i != bytes.size(); ++i)
    crc = crc >> 8 ^ tables[0][low_byte(crc ^ static_cast<std::uint32_t>(bytes[i]))];
  return ~crc;
}

}  // namespace kasuri::platform
