// SPDX-License-Identifier: Apache-2.0
#include "numa/memory.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>

#include "numa/nodes.hpp"
#include "numa/place.hpp"
#include "platform/memory/memory.hpp"
#include "platform/memory/numa_memory.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace numa {
namespace {

using platform::memory_policy;

// Each piece with a policy of its own is a mapping to the kernel, of which a process has 65530 by
// default.
constexpr std::size_t most_pieces = 1024;

/// A distribution on the pages of one range.
struct layout {
  std::byte* start;
  std::size_t bytes;  // whole small pages
  std::size_t page;
  const distribution& d;
  const node_map& map;

  int node_at(std::size_t offset) const noexcept {
    return d.node_at(offset, bytes, map.round(), page);
  }
  bool is_first_touch() const noexcept { return d == distribution::first_touch(); }
  /// Whether the kernel's own policy does it. It goes round by the page's number, which some
  /// versions cut to 32 bits: only for a power of two of nodes is that the same.
  bool is_interleaved_by_kernel() const noexcept {
    return d == distribution::interleaved() && std::has_single_bit(map.round().size());
  }
};

/// piece(offset, bytes, node) for the longest runs of pages on one node, until it returns false.
template <class Piece>
void for_each_piece(const layout& l, Piece piece) noexcept {
  for (std::size_t begin = 0; begin < l.bytes;) {
    const int node = l.node_at(begin);
    std::size_t end = begin + l.page;
    while (end < l.bytes && l.node_at(end) == node) end += l.page;
    end = std::min(end, l.bytes);
    if (!piece(begin, end - begin, node)) return;
    begin = end;
  }
}

bool has_few_pieces(const layout& l) noexcept {
  std::size_t pieces = 0;
  for_each_piece(l, [&](std::size_t, std::size_t, int) { return ++pieces <= most_pieces; });
  return pieces <= most_pieces;
}

/// Each piece prefers its node from now on; false when the kernel refuses.
bool wish_by_pieces(const layout& l) noexcept {
  bool good = true;
  for_each_piece(l, [&](std::size_t offset, std::size_t bytes, int node) {
    good = platform::set_policy(l.start + offset, bytes, memory_policy::preferred, {&node, 1});
    return good;
  });
  return good;
}

/// Puts memory behind all pages now, node by node, by the policy of the calling thread.
bool touch_by_nodes(const layout& l) noexcept {
  platform::prefer_nodes thread;
  for (const int node : l.map.round()) {
    if (!thread.prefer(node)) return false;
    for_each_piece(l, [&](std::size_t offset, std::size_t bytes, int of) {
      if (of != node) return true;
      platform::populate(l.start + offset, bytes);
      for (std::size_t at = 0; at < bytes; at += platform::page_size())
        *reinterpret_cast<volatile std::byte*>(l.start + offset + at) = std::byte{};
      return true;
    });
  }
  return true;
}

/// Gives fresh memory its places; false when the kernel refuses.
bool place(const layout& l, bool huge) noexcept {
  if (l.is_interleaved_by_kernel()) {
    // `start` begins a round.
    if (!huge) platform::use_pages(l.start, l.bytes, platform::page_kind::small);
    return platform::set_policy(l.start, l.bytes, memory_policy::interleaved, l.map.round());
  }
  if (has_few_pieces(l)) return wish_by_pieces(l);
  if (!huge) platform::use_pages(l.start, l.bytes, platform::page_kind::small);
  return touch_by_nodes(l);
}

int index_at(const void* context, std::uintptr_t address) noexcept {
  const auto& l = *static_cast<const layout*>(context);
  const auto first = reinterpret_cast<std::uintptr_t>(l.start);
  return l.map.index_of(l.node_at(address < first ? 0 : address - first));
}

void record(const layout& l) noexcept {
  if (place_table* table = table_of_process()) table->record(l.start, l.bytes, {index_at, &l});
}

/// The first address at or behind `at` that is a multiple of `unit`, which need not be a power of
/// two.
std::byte* round_up(std::byte* at, std::size_t unit) noexcept {
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(at) % unit;
  return beyond == 0 ? at : at + (unit - beyond);
}

/// Whole pages; 0 when that is more than a size_t holds.
std::size_t whole_pages(std::size_t bytes) noexcept {
  const std::size_t page = platform::page_size();
  return (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
}

/// Fresh memory on a multiple of `unit`.
std::byte* map_on(std::size_t unit, std::size_t bytes) noexcept {
  const std::size_t slack = unit - platform::page_size();
  if (bytes == 0 || bytes > std::numeric_limits<std::size_t>::max() - slack) return nullptr;
  auto* begin = static_cast<std::byte*>(platform::map_memory(bytes + slack));
  if (begin == nullptr) return nullptr;
  std::byte* start = round_up(begin, unit);
  const auto before = static_cast<std::size_t>(start - begin);
  if (before != 0) platform::release(begin, before);
  if (before != slack) platform::release(start + bytes, slack - before);
  return start;
}

// ---- moving -------------------------------------------------------------------------------------

/// Some pages of a range, small enough for the stack of a small thread.
struct batch {
  static constexpr std::size_t most = 128;
  void* at[most];
  int target[most];
  int status[most];
  std::size_t count = 0;
};

/// Keeps of the batch the pages that are on another node than their target. An errno, or 0.
int keep_misplaced(batch& b) noexcept {
  const int error = platform::ask_nodes({b.at, b.count}, {b.status, b.count});
  if (error != 0) return error;
  std::size_t kept = 0;
  for (std::size_t i = 0; i != b.count; ++i) {
    if (b.status[i] < 0 || b.status[i] == b.target[i]) continue;
    b.at[kept] = b.at[i];
    b.target[kept++] = b.target[i];
  }
  b.count = kept;
  return 0;
}

/// Pages of the batch that stay elsewhere.
std::size_t move_batch(batch& b) noexcept {
  if (keep_misplaced(b) != 0) return b.count;
  // A page that another CPU is just about to use refuses to move, and does so a little later.
  for (int attempt = 0; attempt != 3 && b.count != 0; ++attempt) {
    if (platform::move_to_nodes({b.at, b.count}, {b.target, b.count}) != 0) break;
    if (keep_misplaced(b) != 0) break;
  }
  return b.count;
}

/// each(batch) for all pages of the range with their targets; returns the sum.
template <class Each>
std::size_t sum_over_batches(const layout& l, Each each) noexcept {
  std::size_t sum = 0;
  batch b;
  for (std::size_t offset = 0; offset < l.bytes;) {
    for (b.count = 0; b.count != batch::most && offset < l.bytes; offset += l.page) {
      b.at[b.count] = l.start + offset;
      b.target[b.count++] = l.node_at(offset);
    }
    sum += each(b);
  }
  return sum;
}

/// Cuts huge pages in which pieces meet, and those that the range shares with its neighbours: the
/// kernel moves a huge page as a whole.
void cut_at_borders(const layout& l) noexcept {
  const std::size_t huge = platform::huge_page_size();
  std::uintptr_t last = 0;  // the huge page that was cut last
  const auto cut = [&](std::size_t border, std::size_t page) {
    const auto at = reinterpret_cast<std::uintptr_t>(l.start + border);
    if (at % huge == 0 || at / huge == last) return;
    last = at / huge;
    platform::cut_huge_page(l.start + page);
  };
  for_each_piece(l, [&](std::size_t offset, std::size_t bytes, int) {
    cut(offset, offset);
    cut(offset + bytes, offset + bytes - l.page);
    return true;
  });
}

/// Pages that are elsewhere afterwards.
std::size_t move_pages(const layout& l) noexcept {
  cut_at_borders(l);
  sum_over_batches(l, move_batch);
  // Counted behind all moves: a huge page that could not be cut follows the last of its parts.
  return sum_over_batches(l, [](batch& b) {
    keep_misplaced(b);
    return b.count;
  });
}

void require_valid(const distribution& d, const char* message) {
  if (!d.is_valid(this_machine().numbers())) throw std::invalid_argument(message);
}

}  // namespace

void* map(std::size_t bytes, const distribution& d, alloc_options options, bool pinned) noexcept {
  const node_map& machine = this_machine();
  const std::size_t page = options.huge_pages ? platform::huge_page_size() : platform::page_size();
  const std::size_t length = whole_pages(bytes);
  const bool rounds = machine.has_choice() && d == distribution::interleaved();
  std::byte* start = map_on(rounds ? page * machine.round().size() : page, length);
  if (start == nullptr) return nullptr;
  if (options.huge_pages) platform::use_pages(start, length, platform::page_kind::huge);
  const layout l{start, length, page, d, machine};
  if (machine.has_choice() && !l.is_first_touch() && place(l, options.huge_pages)) record(l);
  if (!pinned || platform::pin(start, length)) return start;
  free(start, bytes);
  return nullptr;
}

std::size_t migrate(void* start, std::size_t bytes, const distribution& d) noexcept {
  const node_map& machine = this_machine();
  if (!machine.has_choice() || bytes == 0) return 0;
  const std::size_t page = platform::page_size();
  const std::size_t before = reinterpret_cast<std::uintptr_t>(start) % page;
  if (bytes > std::numeric_limits<std::size_t>::max() - before - page) return 0;
  const layout l{static_cast<std::byte*>(start) - before, whole_pages(bytes + before), page, d,
                 machine};
  if (l.is_first_touch()) {
    platform::set_policy(l.start, l.bytes, memory_policy::by_default, {});
    forget(l.start, l.bytes);
    return 0;
  }
  const bool wished = has_few_pieces(l) && wish_by_pieces(l);
  const std::size_t left = move_pages(l);
  // The kernel knows more of pages that are elsewhere, and of untouched ones without a wish.
  if (wished && left == 0)
    record(l);
  else
    forget(l.start, l.bytes);
  return left;
}

void* alloc(std::size_t bytes, const distribution& d, alloc_options options) {
  require_valid(d, "numa::alloc: the distribution names no node of nodes(), or has a size of 0");
  void* memory = map(bytes, d, options, false);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void free(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  const std::size_t length = whole_pages(bytes);
  forget(memory, length);
  platform::release(memory, length);
}

std::size_t move(void* start, std::size_t bytes, const distribution& d) {
  require_valid(d, "numa::move: the distribution names no node of nodes(), or has a size of 0");
  if (start == nullptr && bytes != 0)
    throw std::invalid_argument("numa::move: start is null; accepted: an address, or 0 bytes");
  return migrate(start, bytes, d);
}

}  // namespace numa
}  // namespace kasuri
