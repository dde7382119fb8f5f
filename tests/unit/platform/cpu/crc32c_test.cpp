// SPDX-License-Identifier: Apache-2.0
#include "platform/cpu/crc32c.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace kasuri::platform {
namespace {

std::uint32_t of(std::string_view text) { return crc32c(std::as_bytes(std::span(text))); }

// RFC 3720, appendix B.4, which has the four bytes of each in the order that they are sent in.
TEST(Crc32c, HasTheValuesOfTheStandard) {
  EXPECT_EQ(of(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(of(std::string(32, '\xff')), 0x62a8ab43U);
  std::string rising;
  for (int i = 0; i != 32; ++i) rising.push_back(static_cast<char>(i));
  EXPECT_EQ(of(rising), 0x46dd794eU);
  EXPECT_EQ(of("123456789"), 0xe3069283U);
  EXPECT_EQ(of(""), 0U);
}

TEST(Crc32c, IsTheSameByTablesAndInPieces) {
  std::vector<std::byte> bytes(300);
  for (std::size_t i = 0; i != bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * i + 7 * i);
  const std::span<const std::byte> all(bytes);
  for (std::size_t begin = 0; begin != 9; ++begin) {
    for (std::size_t n = 0; begin + n <= 280; ++n) {
      const auto some = all.subspan(begin, n);
      const std::uint32_t sum = crc32c(some);
      EXPECT_EQ(crc32c_by_tables(some), sum);
      EXPECT_EQ(crc32c(some.subspan(n / 3), crc32c(some.first(n / 3))), sum);
      EXPECT_EQ(crc32c_by_tables(some.subspan(n / 2), crc32c_by_tables(some.first(n / 2))), sum);
    }
  }
}

}  // namespace
}  // namespace kasuri::platform
