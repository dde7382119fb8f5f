// SPDX-License-Identifier: Apache-2.0
// PNG (ISO/IEC 15948) with a palette. The data is deflated in stored blocks (RFC 1951, 3.2.4): no
// library is needed, and a byte a pixel is small enough.
#include "common/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "common/output_file.hpp"

namespace apps {
namespace {

using bytes = std::vector<std::uint8_t>;

void append(bytes& to, std::string_view text) { to.insert(to.end(), text.begin(), text.end()); }

void append_big_endian(bytes& to, std::uint32_t word) {
  for (int shift = 24; shift >= 0; shift -= 8)
    to.push_back(static_cast<std::uint8_t>(word >> shift));
}

constexpr std::array<std::uint32_t, 256> crc_table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t n = 0; n < 256; ++n) {
    std::uint32_t c = n;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    table[n] = c;
  }
  return table;
}();

std::uint32_t crc(const std::uint8_t* data, std::size_t size) {
  std::uint32_t c = 0xFFFFFFFFu;
  for (std::size_t i = 0; i < size; ++i) c = crc_table[(c ^ data[i]) & 0xFF] ^ (c >> 8);
  return ~c;
}

std::uint32_t adler(const bytes& data) {
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const std::uint8_t byte : data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

void append_chunk(bytes& to, std::string_view type, const bytes& data) {
  append_big_endian(to, static_cast<std::uint32_t>(data.size()));
  const std::size_t begin = to.size();
  append(to, type);
  to.insert(to.end(), data.begin(), data.end());
  append_big_endian(to, crc(to.data() + begin, to.size() - begin));
}

bytes zlib_stored(const bytes& data) {
  constexpr std::size_t longest = 65535;
  bytes out = {0x78, 0x01};
  for (std::size_t at = 0; at < data.size(); at += longest) {
    const std::size_t size = std::min(longest, data.size() - at);
    const auto low = static_cast<std::uint8_t>(size);
    const auto high = static_cast<std::uint8_t>(size >> 8);
    const std::uint8_t final_block = at + size == data.size() ? 1 : 0;
    for (const int byte : {int{final_block}, int{low}, int{high}, ~low & 0xFF, ~high & 0xFF})
      out.push_back(static_cast<std::uint8_t>(byte));
    const auto from = data.begin() + static_cast<std::ptrdiff_t>(at);
    out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(size));
  }
  append_big_endian(out, adler(data));
  return out;
}

bytes palette() {
  bytes colours;
  for (int i = 0; i <= picture::hottest; ++i) {
    const int cool = std::clamp(2 * (picture::hottest - i), 0, 255);
    const int warm = std::clamp(2 * i, 0, 255);
    for (const int part : {warm, std::min(warm, cool), cool})
      colours.push_back(static_cast<std::uint8_t>(part));
  }
  colours.insert(colours.end(), 3, 0);
  return colours;
}

}  // namespace

std::uint8_t picture::colour(double value) noexcept {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * hottest));
}

void picture::write_png(const std::string& path) const {
  bytes header;
  append_big_endian(header, static_cast<std::uint32_t>(side_));
  append_big_endian(header, static_cast<std::uint32_t>(side_));
  for (const int byte : {8, 3, 0, 0, 0}) header.push_back(static_cast<std::uint8_t>(byte));
  bytes rows;
  rows.reserve(side_ * (side_ + 1));
  for (std::size_t row = 0; row < side_; ++row) {
    rows.push_back(0);  // no filter
    const auto from = pixels_.begin() + static_cast<std::ptrdiff_t>(row * side_);
    rows.insert(rows.end(), from, from + static_cast<std::ptrdiff_t>(side_));
  }
  bytes file;
  append(file, "\x89PNG\r\n\x1a\n");
  append_chunk(file, "IHDR", header);
  append_chunk(file, "PLTE", palette());
  append_chunk(file, "IDAT", zlib_stored(rows));
  append_chunk(file, "IEND", {});
  output_file out(path);
  out.write(file.data(), file.size());
  out.close();
}

}  // namespace apps
