// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/base/byte_set.hpp"

#include <gtest/gtest.h>

#include <bitset>
#include <random>

namespace kasuri::cluster {
namespace {

constexpr std::uint32_t size = 64;

void expect_same(const byte_set& found, const std::bitset<size>& expected) {
  std::bitset<size> bits;
  std::uint32_t last_end = 0;
  bool first = true;
  for (byte_range p : found.parts()) {
    ASSERT_LT(p.begin, p.end);
    if (!first) {
      ASSERT_GT(p.begin, last_end) << "parts touch or are out of order";
    }
    first = false;
    last_end = p.end;
    for (std::uint32_t i = p.begin; i != p.end; ++i) bits.set(i);
  }
  ASSERT_EQ(bits, expected);
  ASSERT_EQ(found.bytes(), expected.count());
  ASSERT_EQ(found.empty(), expected.none());
}

TEST(ByteSet, KeepsWhatABitPerByteKeeps) {
  std::mt19937 random(5);
  for (int round = 0; round != 200; ++round) {
    byte_set set;
    std::bitset<size> bits;
    for (int i = 0; i != 60; ++i) {
      const auto a = static_cast<std::uint32_t>(random() % (size + 1));
      const auto b = static_cast<std::uint32_t>(random() % (size + 1));
      const byte_range r{std::min(a, b), std::max(a, b)};
      const bool add = random() % 3 != 0;
      if (add)
        set.add(r);
      else
        set.remove(r);
      for (std::uint32_t k = r.begin; k != r.end; ++k) bits.set(k, add);
      expect_same(set, bits);
      if (r.begin == r.end) continue;
      bool all = true;
      std::bitset<size> here;
      std::bitset<size> missing;
      for (std::uint32_t k = r.begin; k != r.end; ++k) all = all && bits[k];
      EXPECT_EQ(set.covers(r), all);
      set.each_in(r, [&](byte_range p) {
        for (std::uint32_t k = p.begin; k != p.end; ++k) here.set(k);
      });
      set.each_missing(r, [&](byte_range p) {
        for (std::uint32_t k = p.begin; k != p.end; ++k) missing.set(k);
      });
      for (std::uint32_t k = 0; k != size; ++k) {
        const bool inside = r.begin <= k && k < r.end;
        EXPECT_EQ(here[k], inside && bits[k]);
        EXPECT_EQ(missing[k], inside && !bits[k]);
      }
    }
    byte_set copy;
    copy.assign(set);
    expect_same(copy, bits);
  }
}

}  // namespace
}  // namespace kasuri::cluster
