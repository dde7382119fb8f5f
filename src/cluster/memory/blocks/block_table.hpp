// SPDX-License-Identifier: Apache-2.0
#pragma once

// A place for every block of the address range (block.hpp): zero pages of the system until a block
// is met first.
//
// An array that ends is forgotten at every rank, which has met few of its blocks. So a bit says for
// each group of blocks, which lie in one page of the table, whether a thread has locked one of them
// to leave something in it. Where the bit is clear, the states, sets and hints of all are zero.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "cluster/memory/blocks/block.hpp"
#include "cluster/memory/blocks/block_span.hpp"
#include "kasuri/global/error.hpp"
#include "platform/base/expect.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::cluster {

class block_table {
 public:
  /// Throws global::error where the system refuses the memory.
  explicit block_table(std::uint64_t count)
      : count_(count), start_(static_cast<std::byte*>(platform::reserve(bytes()))) {
    if (start_ != nullptr) return;
    throw global::error("global memory: the system refuses the table of " + std::to_string(count) +
                        " blocks; accepted: a limit (ulimit -v) above " + std::to_string(bytes()));
  }
  ~block_table() { platform::release(start_, bytes()); }
  block_table(const block_table&) = delete;
  block_table& operator=(const block_table&) = delete;

  [[nodiscard]] block& operator[](std::uint64_t index) const noexcept {
    KASURI_EXPECT(cheap, index < count_, "block %llu of %llu",
                  static_cast<unsigned long long>(index), static_cast<unsigned long long>(count_));
    return blocks()[index];
  }

  /// The caller is about to lock the block, and may leave something in it.
  void meet(std::uint64_t index) const noexcept {
    KASURI_EXPECT(cheap, index < count_, "block %llu of %llu is met",
                  static_cast<unsigned long long>(index), static_cast<unsigned long long>(count_));
    std::atomic<std::uint64_t>& word = groups()[index / blocks_of_word];
    const std::uint64_t bit = std::uint64_t{1} << index / blocks_of_group % 64;
    // relaxed, both: forget() comes behind all use of its blocks, in the program's order
    if ((word.load(std::memory_order_relaxed) & bit) == 0)
      word.fetch_or(bit, std::memory_order_relaxed);
  }
  /// Nobody uses these blocks any more: calls what(index) for each that is not zero, and for some
  /// that are, and they are as if they had never been met. Looks at one word for each 4,096 blocks.
  template <class F>
  void forget(block_span gone, F what) const {
    const std::uint64_t end = gone.first + gone.count;
    if (gone.count == 0) return;
    for (std::uint64_t w = gone.first / blocks_of_word; w <= (end - 1) / blocks_of_word; ++w) {
      // relaxed, all: see meet
      for (std::uint64_t left = groups()[w].load(std::memory_order_relaxed); left != 0;
           left &= left - 1) {
        const std::uint64_t begin =
            w * blocks_of_word + blocks_of_group * static_cast<unsigned>(std::countr_zero(left));
        for (std::uint64_t i = std::max(begin, gone.first);
             i < std::min(begin + blocks_of_group, end); ++i)
          what(i);
        if (begin >= gone.first && begin + blocks_of_group <= end)
          groups()[w].fetch_and(~(left & -left), std::memory_order_relaxed);
      }
    }
  }

 private:
  static constexpr std::uint64_t blocks_of_group = 64;
  static constexpr std::uint64_t blocks_of_word = blocks_of_group * 64;
  static_assert(blocks_of_group * sizeof(block) == 4096);

  /// Of the blocks, and of the words behind them.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return count_ * sizeof(block) + (count_ / blocks_of_word + 1) * sizeof(std::uint64_t);
  }
  [[nodiscard]] block* blocks() const noexcept { return reinterpret_cast<block*>(start_); }
  [[nodiscard]] std::atomic<std::uint64_t>* groups() const noexcept {
    return reinterpret_cast<std::atomic<std::uint64_t>*>(start_ + count_ * sizeof(block));
  }

  const std::uint64_t count_;
  std::byte* const start_;
};

}  // namespace kasuri::cluster
