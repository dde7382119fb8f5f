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
// the word has changed by the time the answer is there, somebody knew better or another chunk came,
// and the answer is dropped. writing: one thread changes the row; the chunk is unknown meanwhile.
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

#include "platform/clock.hpp"

namespace kasuri::numa {

class node_map;

class place_table {
 public:
  /// As platform::ask_nodes.
  using ask_function = int (*)(std::span<void* const> pages, std::span<int> status) noexcept;

  /// The index of the node that the page at `address` is to be on; -1: unknown.
  struct wish {
    int (*index_at)(const void* context, std::uintptr_t address) noexcept;
    const void* context;
  };

  /// About a millisecond each, modulo 2^32.
  using time = std::uint32_t;
  static constexpr time first_life = 1024;
  static constexpr time first_retry = 4;
  static constexpr time claim_life = 64;

  static constexpr unsigned chunk_bits = 21;
  static constexpr std::size_t chunk_bytes = std::size_t{1} << chunk_bits;

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
  // From the top: 10 bits of key, 9 of field, 2 of life, 3 of retry, 1 claimed, 7 of a count of
  // changes, 32 of time. The key is the chunk's number without its slot's bits, and which of the
  // two slots it is.
  using word = std::uint64_t;

  static constexpr unsigned address_bits = 48;
  static constexpr unsigned slot_bits = 18;
  static constexpr std::size_t slots = std::size_t{1} << slot_bits;
  static constexpr std::uint64_t slot_mask = slots - 1;
  static_assert(address_bits - chunk_bits - slot_bits + 1 == 10);

  // The field: empty, an index + 1, or one of the others.
  static constexpr std::uint64_t empty = 0;
  static constexpr std::uint64_t last_index = 253;
  static constexpr std::uint64_t mixed = 509;
  static constexpr std::uint64_t writing = 510;
  static constexpr std::uint64_t unknown = 511;

  static constexpr unsigned longest_life = 3;
  static constexpr unsigned longest_retry = 7;

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

  static constexpr std::uint64_t key_of(word w) noexcept { return w >> 54; }
  static constexpr std::uint64_t field_of(word w) noexcept { return w >> 45 & 511; }
  static constexpr unsigned life_of(word w) noexcept { return static_cast<unsigned>(w >> 43 & 3); }
  static constexpr unsigned retry_of(word w) noexcept { return static_cast<unsigned>(w >> 40 & 7); }
  static constexpr bool is_claimed(word w) noexcept { return (w >> 39 & 1) != 0; }
  static constexpr std::uint64_t count_of(word w) noexcept { return w >> 32 & 127; }
  static constexpr time time_of(word w) noexcept { return static_cast<time>(w); }

  /// One more than how old it is: another core's clock may be a step behind.
  static constexpr time age(word w, time t) noexcept { return t - time_of(w) + 1; }
  static constexpr bool lives(word w, time t) noexcept {
    return age(w, t) <= first_life << life_of(w);
  }
  /// Whether another thread asks or writes.
  static constexpr bool is_busy(word w, time t) noexcept {
    return (is_claimed(w) || field_of(w) == writing) && age(w, t) <= claim_life;
  }
  static constexpr word make_word(std::uint64_t key, std::uint64_t field, unsigned life,
                                  unsigned retry, bool claimed, std::uint64_t count,
                                  time t) noexcept {
    return key << 54 | field << 45 | std::uint64_t{life} << 43 | std::uint64_t{retry} << 40 |
           std::uint64_t{claimed} << 39 | (count & 127) << 32 | t;
  }

  /// The node of a page by the word `w` of a slot; -1: unknown.
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
