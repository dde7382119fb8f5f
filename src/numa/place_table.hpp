// SPDX-License-Identifier: Apache-2.0
#pragma once

// The NUMA node that holds a page: a table of the kernel's answers, asked for in bulk.
//
// A chunk is 2 MiB of address space. One word says what is known of it: the node when all its pages
// are on one, else `mixed`, and then the row of the word's slot has a byte per page. A chunk has
// two slots where its word may stand. Words change only as a whole, by compare-and-swap; each
// carries the chunk's key, a count of changes and the time of the answer.
//
//   empty --claim--> claimed --answer--> settled --claim--> claimed ...
//                       |                    `--record, forget--> writing --> settled
//                       `--record, forget--> writing --> settled
//
// claimed: one thread asks the kernel; what the word said before still counts, so nobody waits. If
//   the word has changed by the time the answer is there, somebody knew better or another chunk
//   came, and the answer is dropped.
// writing: one thread changes the row; the chunk is unknown meanwhile.
//
// Both are void after `claim_life`: their thread may have ended, or never have existed in this
// child of a fork. A writer that was only late can then leave bytes of two answers in a row. All of
// them are nodes: a wrong preference until the next answer. A reader of a row loads the word before
// and behind, and knows nothing unless both are equal.
//
// Answers live 1 s, twice as long each time that nothing was different, 8 s at most. Pages of which
// the kernel knows no node are asked for again after 4 ms, then twice as long each time, up to 512
// ms, and only when somebody wants to know of such a page. A page that is mapped but not touched
// keeps the node that the table had for it: where alloc wished it, or where it was. Nothing mapped:
// unknown.
//
// A slot with a living answer is never given to another chunk. A chunk whose slots are both taken
// is unknown, and costs no system call either.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "numa/place_word.hpp"
#include "platform/base/clock.hpp"

namespace kasuri::numa {

class node_map;

class place_table : private place_word {
 public:
  using place_word::chunk_bits;
  using place_word::chunk_bytes;
  using place_word::claim_life;
  using place_word::first_life;
  using place_word::first_retry;
  using place_word::time;

  /// As platform::ask_nodes.
  using ask_function = int (*)(std::span<void* const> pages, std::span<int> status) noexcept;

  /// The index of the node that the page at `address` is to be on; -1: unknown.
  struct wish {
    int (*index_at)(const void* context, std::uintptr_t address) noexcept;
    const void* context;
  };

  /// Null when there is no address space for it. `map` outlives it.
  static std::unique_ptr<place_table> make(const node_map& map, ask_function asker);
  ~place_table();
  place_table(const place_table&) = delete;
  place_table& operator=(const place_table&) = delete;

  time now() const noexcept { return static_cast<time>(platform::ticks() >> time_shift_); }

  /// The index of the node that holds the page, if that is at hand: in the first slot, known,
  /// alive. Else -1.
  int at_hand(const void* address, time t) const noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const std::uint64_t chunk = at >> chunk_bits;
    // pairs with the compare-and-swaps of settle and change
    const word w = words_[chunk & slot_mask].load(std::memory_order_acquire);
    if (key_of(w) != chunk >> slot_bits << 1 || !lives(w, t)) [[unlikely]]
      return -1;
    return read_page(chunk & slot_mask, w, at % chunk_bytes >> page_bits_);
  }

  /// The index of the node that holds the page; -1: unknown.
  int look_up(const void* address, time t) noexcept {
    const int index = at_hand(address, t);
    return index >= 0 ? index : look_further(reinterpret_cast<std::uintptr_t>(address), t);
  }

  /// Writes down where pages are, or will be when they are touched.
  void record(const void* start, std::size_t bytes, wish where) noexcept;

  /// Nothing is known of these pages any more.
  void forget(const void* start, std::size_t bytes) noexcept;

  /// How often the kernel was asked; for tests.
  std::uint64_t questions() const noexcept { return questions_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t row_words = 64;  // a byte for each page where pages have 4 KiB
  static constexpr std::uint8_t unknown_page = 255;

  struct row {
    std::uint8_t page[row_words * 8];
    bool operator==(const row&) const = default;
  };

  /// Why the kernel is asked.
  enum class reason { first, expired, unknown_page };

  struct slot {
    std::size_t number;
    std::uint64_t key;
  };

  /// What the word `w` of a slot says of a page; -1: unknown.
  int read_page(std::size_t number, word w, std::size_t page) const noexcept {
    const std::uint64_t field = field_of(w);
    if (field - 1 <= last_index) return static_cast<int>(field - 1);
    if (field != mixed) return -1;
    const std::atomic<std::uint64_t>& eighth = rows_[number * row_words + page / 8];
    // pairs with the stores of settle: a reader of a byte of a later writer sees that the word has
    // changed
    const std::uint64_t bytes = eighth.load(std::memory_order_acquire);
    if (words_[number].load(std::memory_order_relaxed) != w) return -1;
    const auto index = static_cast<std::uint8_t>(bytes >> page % 8 * 8);
    return index == unknown_page ? -1 : index;
  }

  place_table(const node_map& map, ask_function asker) noexcept : map_(map), ask_(asker) {}

  static slot slot_of(std::uint64_t chunk, unsigned way) noexcept;
  bool find(std::uint64_t chunk, slot& at, word& seen) noexcept;
  bool find_room(std::uint64_t chunk, time t, slot& at, word& seen) noexcept;
  int look_further(std::uintptr_t at, time t) noexcept;
  int look_at(slot at, word w, std::uint64_t chunk, std::size_t page, time t) noexcept;
  int ask(slot at, word claimed, std::uint64_t chunk, std::size_t page, reason why,
          time t) noexcept;
  bool ask_kernel(std::uint64_t chunk, row& pages) noexcept;
  row read_row(std::size_t number, word w) noexcept;
  void settle(slot at, word expected, const row& pages, unsigned life, unsigned retry,
              time t) noexcept;
  static std::uint64_t summary(const row& pages) noexcept;
  static void fill_up(row& pages, std::size_t count) noexcept;
  template <class Change>
  bool change(slot at, word seen, time t, time when, unsigned life, Change apply) noexcept;
  void empty_slot(std::size_t number) noexcept;
  template <class Each>
  void for_each_chunk(const void* start, std::size_t bytes, Each each) noexcept;

  std::atomic<word>* words_ = nullptr;
  std::atomic<std::uint64_t>* rows_ = nullptr;
  unsigned time_shift_ = 0;
  unsigned page_bits_ = 12;
  const node_map& map_;
  const ask_function ask_;
  std::atomic<bool> refused_{false};
  std::atomic<std::uint64_t> questions_{0};
};

}  // namespace kasuri::numa
