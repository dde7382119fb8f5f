// SPDX-License-Identifier: Apache-2.0
#include "numa/place_table.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>

#include "numa/nodes.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::numa {
namespace {

// The kernel's answer about a page that is mapped and not touched.
constexpr std::uint8_t no_page_yet = 254;

}  // namespace

std::unique_ptr<place_table> place_table::make(const node_map& map, ask_function asker) {
  std::unique_ptr<place_table> table(new place_table(map, asker));
  // Zero bytes are words of empty slots.
  void* words = platform::reserve(slots * sizeof(word));
  void* rows = platform::reserve(slots * sizeof(row));
  table->words_ = static_cast<std::atomic<word>*>(words);
  table->rows_ = static_cast<std::atomic<std::uint64_t>*>(rows);
  if (words == nullptr || rows == nullptr) return nullptr;
  table->page_bits_ = static_cast<unsigned>(std::countr_zero(platform::page_size()));
  const auto ticks = static_cast<std::uint64_t>(platform::about_ticks_per_second() / 1000);
  table->time_shift_ = static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(ticks, 1)) - 1);
  return table;
}

place_table::~place_table() {
  if (words_ != nullptr) platform::release(words_, slots * sizeof(word));
  if (rows_ != nullptr) platform::release(rows_, slots * sizeof(row));
}

// ---- finding a chunk ----------------------------------------------------------------------------

place_table::slot place_table::slot_of(std::uint64_t chunk, unsigned way) noexcept {
  const std::uint64_t tag = chunk >> slot_bits;
  // The second depends on the tag, so that chunks that share the first do not share this one as
  // well.
  const std::uint64_t step = way == 0 ? 0 : 1 + tag * 0x9E37;
  return {static_cast<std::size_t>((chunk + step) & slot_mask), tag << 1 | way};
}

bool place_table::find(std::uint64_t chunk, slot& at, word& seen) noexcept {
  for (const unsigned way : {0u, 1u}) {
    at = slot_of(chunk, way);
    // pairs with the compare-and-swaps of settle and change
    seen = words_[at.number].load(std::memory_order_acquire);
    if (field_of(seen) != empty && key_of(seen) == at.key) return true;
  }
  return false;
}

bool place_table::find_room(std::uint64_t chunk, time t, slot& at, word& seen) noexcept {
  for (const unsigned way : {0u, 1u}) {
    at = slot_of(chunk, way);
    // pairs with the compare-and-swaps of settle and change
    seen = words_[at.number].load(std::memory_order_acquire);
    if (field_of(seen) == empty || (!lives(seen, t) && !is_busy(seen, t))) return true;
  }
  return false;
}

int place_table::look_further(std::uintptr_t at, time t) noexcept {
  if (at >> address_bits != 0 || refused_.load(std::memory_order_relaxed)) return -1;
  const std::uint64_t chunk = at >> chunk_bits;
  const std::size_t page = at % chunk_bytes >> page_bits_;
  slot s;
  word w;
  if (find(chunk, s, w)) return look_at(s, w, chunk, page, t);
  if (!find_room(chunk, t, s, w)) return -1;
  const word claimed = make_word(s.key, unknown, 0, 0, true, count_of(w) + 1, t);
  if (!words_[s.number].compare_exchange_strong(w, claimed, std::memory_order_relaxed,
                                                std::memory_order_relaxed))
    return -1;  // somebody else is about to ask
  return ask(s, claimed, chunk, page, reason::first, t);
}

int place_table::look_at(slot s, word w, std::uint64_t chunk, std::size_t page, time t) noexcept {
  const int index = read_page(s.number, w, page);
  const bool alive = lives(w, t);
  if (alive && (index >= 0 || age(w, t) <= first_retry << retry_of(w))) return index;
  if (is_busy(w, t)) return index;
  // A row that a writer left behind is worth nothing.
  const std::uint64_t field = field_of(w) == writing ? unknown : field_of(w);
  const word claimed = make_word(s.key, field, life_of(w), retry_of(w), true, count_of(w) + 1, t);
  if (!words_[s.number].compare_exchange_strong(w, claimed, std::memory_order_relaxed,
                                                std::memory_order_relaxed))
    return index;
  return ask(s, claimed, chunk, page, alive ? reason::unknown_page : reason::expired, t);
}

// ---- asking -------------------------------------------------------------------------------------

int place_table::ask(slot s, word claimed, std::uint64_t chunk, std::size_t page, reason why,
                     time t) noexcept {
  // Read after the claim: a thread that changes it from now on makes the claim void.
  const row before = read_row(s.number, claimed);
  row pages;
  if (!ask_kernel(chunk, pages)) return -1;
  const std::size_t count = chunk_bytes >> page_bits_;
  for (std::size_t p = 0; p != count; ++p)
    if (pages.page[p] == no_page_yet) pages.page[p] = before.page[p];
  fill_up(pages, count);
  const bool same = why != reason::first && pages == before;
  // An answer that was asked for early, because of an unknown page, proves nothing of the others.
  const unsigned life = same ? life_of(claimed) + (why == reason::expired) : 0;
  const unsigned retry = same ? retry_of(claimed) + 1 : 0;
  settle(s, claimed, pages, std::min(life, longest_life), std::min(retry, longest_retry), t);
  return pages.page[page] == unknown_page ? -1 : pages.page[page];
}

bool place_table::ask_kernel(std::uint64_t chunk, row& pages) noexcept {
  constexpr std::size_t most = 128;  // threads may have stacks of 16 KiB
  const std::size_t count = chunk_bytes >> page_bits_;
  void* at[most];
  int status[most];
  for (std::size_t done = 0; done != count;) {
    const std::size_t some = std::min(most, count - done);
    for (std::size_t i = 0; i != some; ++i)
      at[i] = reinterpret_cast<void*>((chunk << chunk_bits) + ((done + i) << page_bits_));
    questions_.fetch_add(1, std::memory_order_relaxed);
    const int error = ask_({at, some}, {status, some});
    if (error == EPERM || error == ENOSYS || error == EACCES) {
      refused_.store(true, std::memory_order_relaxed);  // a container's filter: no use asking again
      return false;
    }
    for (std::size_t i = 0; i != some; ++i, ++done) {
      const int index = error == 0 && status[i] >= 0 ? map_.index_of(status[i]) : -1;
      pages.page[done] = index >= 0 && index <= static_cast<int>(last_index)
                             ? static_cast<std::uint8_t>(index)
                         : error == 0 && status[i] == -ENOENT ? no_page_yet
                                                              : unknown_page;
    }
  }
  return true;
}

// ---- rows ---------------------------------------------------------------------------------------

place_table::row place_table::read_row(std::size_t number, word w) noexcept {
  row pages;
  const std::uint64_t field = field_of(w);
  const bool one = field - 1 <= last_index;
  std::memset(pages.page, one ? static_cast<int>(field - 1) : unknown_page, sizeof pages.page);
  if (field != mixed) return pages;
  for (std::size_t i = 0; i != row_words; ++i) {
    const std::uint64_t eight = rows_[number * row_words + i].load(std::memory_order_relaxed);
    for (unsigned b = 0; b != 8; ++b)
      pages.page[i * 8 + b] = static_cast<std::uint8_t>(eight >> b * 8);
  }
  return pages;
}

std::uint64_t place_table::summary(const row& pages) noexcept {
  const std::uint8_t first = pages.page[0];
  if (!std::ranges::all_of(pages.page, [=](std::uint8_t p) { return p == first; })) return mixed;
  return first == unknown_page ? unknown : std::uint64_t{first} + 1;
}

/// Where pages are larger than 4 KiB a row has bytes to spare: they say nothing of their own.
void place_table::fill_up(row& pages, std::size_t count) noexcept {
  std::fill(pages.page + count, std::end(pages.page), pages.page[count - 1]);
}

void place_table::settle(slot s, word expected, const row& pages, unsigned life, unsigned retry,
                         time t) noexcept {
  const std::uint64_t field = summary(pages);
  std::atomic<word>& shared = words_[s.number];
  if (field == mixed && field_of(expected) != writing) {
    const word w = make_word(s.key, writing, life, retry, false, count_of(expected) + 1, t);
    if (!shared.compare_exchange_strong(expected, w, std::memory_order_relaxed,
                                        std::memory_order_relaxed))
      return;
    expected = w;
  }
  for (std::size_t i = 0; field == mixed && i != row_words; ++i) {
    std::uint64_t eight = 0;
    for (unsigned b = 0; b != 8; ++b) eight |= std::uint64_t{pages.page[i * 8 + b]} << b * 8;
    // pairs with the load of read_page: a thread that sees it sees `writing` as well
    rows_[s.number * row_words + i].store(eight, std::memory_order_release);
  }
  const word settled = make_word(s.key, field, life, retry, false, count_of(expected) + 1, t);
  // pairs with the loads of words in look_up, find and find_room: the row is complete for them
  shared.compare_exchange_strong(expected, settled, std::memory_order_release,
                                 std::memory_order_relaxed);
}

// ---- being told ---------------------------------------------------------------------------------

/// Lets `apply` change the row behind `seen`; false when another thread writes it or has just
/// changed the word.
template <class Change>
bool place_table::change(slot s, word seen, time t, time when, unsigned life,
                         Change apply) noexcept {
  const bool known = field_of(seen) != empty && key_of(seen) == s.key;
  if (known && field_of(seen) == writing) return false;
  const word w = make_word(s.key, writing, 0, 0, false, count_of(seen) + 1, t);
  if (!words_[s.number].compare_exchange_strong(seen, w, std::memory_order_relaxed,
                                                std::memory_order_relaxed))
    return false;
  row pages = read_row(s.number, known ? seen : 0);
  apply(pages);
  settle(s, w, pages, life, 0, when);
  return true;
}

/// each(chunk, first page, one past the last page of the range in it), pages that the range
/// touches.
template <class Each>
void place_table::for_each_chunk(const void* start, std::size_t bytes, Each each) noexcept {
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  if (bytes == 0 || first >> address_bits != 0 || bytes >> address_bits != 0) return;
  const std::uintptr_t end = std::min(first + bytes, std::uintptr_t{1} << address_bits);
  for (std::uintptr_t at = first; at < end;) {
    const std::uint64_t chunk = at >> chunk_bits;
    const std::uintptr_t stop = std::min(end, (chunk + 1) << chunk_bits);
    const std::uintptr_t low = chunk << chunk_bits;
    each(chunk, static_cast<std::size_t>((at - low) >> page_bits_),
         static_cast<std::size_t>(((stop - low - 1) >> page_bits_) + 1));
    at = stop;
  }
}

void place_table::record(const void* start, std::size_t bytes, wish where) noexcept {
  const time t = now();
  for_each_chunk(start, bytes, [&](std::uint64_t chunk, std::size_t first, std::size_t end) {
    slot s;
    word w;
    if (!find(chunk, s, w) && !find_room(chunk, t, s, w)) return;
    const bool done = change(s, w, t, t, 0, [&](row& pages) {
      for (std::size_t p = first; p != end; ++p) {
        const int index = where.index_at(where.context, (chunk << chunk_bits) + (p << page_bits_));
        const bool known = index >= 0 && index <= static_cast<int>(last_index);
        pages.page[p] = known ? static_cast<std::uint8_t>(index) : unknown_page;
      }
      fill_up(pages, chunk_bytes >> page_bits_);
    });
    if (!done) empty_slot(s.number);
  });
}

void place_table::forget(const void* start, std::size_t bytes) noexcept {
  const time t = now();
  for_each_chunk(start, bytes, [&](std::uint64_t chunk, std::size_t first, std::size_t end) {
    for (const unsigned way : {0u, 1u}) {
      const slot s = slot_of(chunk, way);
      // pairs with the compare-and-swaps of settle and change
      const word w = words_[s.number].load(std::memory_order_acquire);
      if (field_of(w) == empty || key_of(w) != s.key) continue;
      // So old that the next look at one of these pages asks, also of who read the clock before us.
      const time old_enough = 4 * first_retry;
      const time when = age(w, t) > old_enough ? time_of(w) : t - old_enough;
      const bool all = end - first == chunk_bytes >> page_bits_;
      const bool done = !all && change(s, w, t, when, life_of(w), [&](row& pages) {
        std::fill(pages.page + first, pages.page + end, unknown_page);
        fill_up(pages, chunk_bytes >> page_bits_);
      });
      if (!done) empty_slot(s.number);
    }
  });
}

void place_table::empty_slot(std::size_t number) noexcept {
  words_[number].store(0, std::memory_order_relaxed);
}

}  // namespace kasuri::numa
