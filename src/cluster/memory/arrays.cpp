// SPDX-License-Identifier: Apache-2.0
// The address range, and what it is given out for. All that is here is collective, so that every
// rank does the same in the same order, and comes to the same offsets without asking.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "cluster/memory/memory.hpp"
#include "cluster/transport/meet.hpp"
#include "kasuri/global/error.hpp"
#include "platform/fixed_memory.hpp"
#include "platform/memory.hpp"

namespace kasuri::cluster {
namespace {

// Where the range may begin: far from what programs, libraries, stacks and sanitizers use.
constexpr std::uint64_t first_try = 0x2000'0000'0000;
constexpr std::uint64_t try_step = 0x0200'0000'0000;
constexpr int tries = 24;

// A home part shown in so many pieces; the system has room for 65,530 mappings.
constexpr std::uint64_t most_pieces = 8192;

std::uint64_t rounded(std::uint64_t n, std::uint64_t step) noexcept {
  return (n + step - 1) / step * step;
}

std::atomic<std::uint64_t> memories{0};

std::string text(std::uint64_t n) { return std::to_string(n); }

}  // namespace

memory::memory(transport& network, const memory_options& options)
    : network_(network),
      options_(options),
      most_spare_(network.lets_pages_move()
                      ? std::min<std::uint64_t>(options.cache_bytes / 8, std::uint64_t{4} << 20)
                      : 0),
      rank_(network.rank()),
      ranks_(network.size()),
      lists_(network),
      evicting_(network),
      releasing_(network),
      acquiring_(network),
      logging_(network),
      wanting_(network),
      arriving_(network) {
  check_options();
  id_ = memories.fetch_add(1, std::memory_order_relaxed) + 1;
  shift_ = static_cast<unsigned>(std::countr_zero(options_.block_bytes));
  mask_ = options_.block_bytes - 1;
  range_bytes_ = rounded(options_.range_bytes, options_.block_bytes);
  reserve_range();
  make_tables();
  detail::prepare_fence_heavy();
  plain_ = ranks_ > 1 && !options_.checked;
  for (int r = 0; r != ranks_; ++r) overlaps_ |= options_.cached && network_.overlaps(r);
}

void memory::check_options() {
  const std::uint64_t block = options_.block_bytes;
  if (!std::has_single_bit(block) || block < platform::page_size() || block > (1U << 30)) {
    throw global::error("KASURI_GLOBAL_BLOCK=" + text(block) +
                        ": accepted: a power of two from " + text(platform::page_size()) +
                        " to 1073741824");
  }
  if (options_.cache_bytes - most_spare_ < block) {
    throw global::error("KASURI_CACHE_SIZE=" + text(options_.cache_bytes) + ": accepted: at least " +
                        text(block + (block + 6) / 7) +
                        ", for a block of KASURI_GLOBAL_BLOCK and an eighth that is kept free");
  }
  if (ranks_ > 65535) {
    throw global::error("global memory on " + std::to_string(ranks_) +
                        " ranks: accepted: up to 65535");
  }
  const std::array mine{std::uint64_t{options_.range_bytes}, std::uint64_t{options_.heap_bytes},
                        std::uint64_t{options_.block_bytes}, std::uint64_t{options_.log_entries},
                        std::uint64_t{options_.cached},      std::uint64_t{options_.checked},
                        std::uint64_t{options_.check_bytes}};
  std::vector<std::remove_const_t<decltype(mine)>> all(static_cast<std::size_t>(ranks_));
  network_.all_gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
  constexpr const char* names[] = {"KASURI_GLOBAL_RANGE", "KASURI_GLOBAL_HEAP",
                                   "KASURI_GLOBAL_BLOCK", "the log of write notices",
                                   "KASURI_CACHE (1 for on, 0 for off)",
                                   "KASURI_CHECK (1 for checkout, 0 for off)", "KASURI_CHECK_MEMORY"};
  for (std::size_t r = 0; r != all.size(); ++r) {
    for (std::size_t i = 0; i != std::size(names); ++i) {
      if (all[r][i] == all[0][i]) continue;
      throw global::error(std::string(names[i]) + " is " + text(all[0][i]) + " on rank 0 and " +
                          text(all[r][i]) + " on rank " + text(r) +
                          "; accepted: one value for all ranks");
    }
  }
}

void memory::reserve_range() {
  if (!options_.same_address || ranks_ == 1) {
    base_ = static_cast<std::byte*>(platform::take_addresses(nullptr, range_bytes_));
    if (base_ != nullptr) return;
    throw global::error("global memory: the system refuses " + text(range_bytes_) +
                        " bytes of address space; accepted: a limit (ulimit -v) above that, or a smaller "
                        "KASURI_GLOBAL_RANGE");
  }
  std::vector<std::uint8_t> all(static_cast<std::size_t>(ranks_));
  for (int i = 0; i != tries; ++i) {
    const std::uint64_t at = first_try + static_cast<std::uint64_t>(i) * try_step;
    void* taken = platform::take_addresses(reinterpret_cast<void*>(at), range_bytes_);
    const std::uint8_t mine = taken != nullptr ? 1 : 0;
    network_.all_gather(std::as_bytes(std::span(&mine, 1)),
                        std::as_writable_bytes(std::span(all)));
    if (std::ranges::find(all, 0) == all.end()) {
      base_ = static_cast<std::byte*>(taken);
      return;
    }
    if (taken != nullptr) platform::release(taken, range_bytes_);
  }
  throw global::error("global memory: no " + text(range_bytes_) +
                      " bytes of address space are free at the same place on all ranks; accepted: "
                      "a limit (ulimit -v) above that, or a smaller KASURI_GLOBAL_RANGE");
}

void memory::make_tables() {
  blocks_ = static_cast<block*>(platform::reserve((range_bytes_ >> shift_) * sizeof(block)));
  if (blocks_ == nullptr) {
    throw global::error("global memory: the system refuses the table of " +
                        text(range_bytes_ >> shift_) +
                        " blocks; accepted: a limit (ulimit -v) above " +
                        text((range_bytes_ >> shift_) * sizeof(block)));
  }
  try {
    control_ = network_.allocate(
        rounded(ring_start + notice_log::bytes_for(options_.log_entries), platform::page_size()));
  } catch (const std::bad_alloc&) {
    throw global::error("global memory: no room for the log of write notices on some rank");
  }
  log_ = std::make_unique<notice_log>(network_, control_, log_word, ring_start,
                                      options_.log_entries);
  known_.resize(static_cast<std::size_t>(ranks_));
  read_to_ = std::make_unique<std::atomic<std::uint64_t>[]>(static_cast<std::size_t>(ranks_));

  if (options_.checked) {
    copies_ = std::make_unique<guarded_copies>([this](const guarded_copies::use& u) {
      return describe({u.offset, u.bytes, u.mode});
    });
    try {
      shadow_ = std::make_unique<shadow>(network_, options_.check_bytes);
    } catch (const std::bad_alloc&) {
      throw global::error("KASURI_CHECK=checkout: some rank has no room for KASURI_CHECK_MEMORY=" +
                          text(options_.check_bytes) + " bytes; accepted: less, from 1M on");
    }
  }

  auto r = std::make_unique<region>();
  r->heap = true;
  r->chunk = rounded(std::max<std::uint64_t>(options_.heap_bytes, 1), options_.block_bytes);
  heap_part_ = r->chunk;
  const std::uint64_t start =
      add_region(std::move(r), heap_part_ * static_cast<std::uint64_t>(ranks_));
  const region* where = regions_.find(start, start);  // the first one: at heap_start()
  heap_ = std::make_unique<heap>(network_, where->memory, control_, freed_word, heap_part_);
}

memory::~memory() {
  land_all();
  network_.barrier();
  std::vector<const region*> all;
  regions_.each_in(0, range_bytes_, [&](const region& r) { all.push_back(&r); });
  for (const region* r : all) {
    forget_region(*r);
    window w = r->memory;
    if (r->kind != region::kind_t::file) network_.free(w);
  }
  shadow_.reset();
  network_.free(control_);
  platform::release(base_, range_bytes_);
  platform::release(blocks_, (range_bytes_ >> shift_) * sizeof(block));
}

/// Places a region of `bytes` bytes, whose chunks are known, and gives it memory. Its offset.
std::uint64_t memory::add_region(std::unique_ptr<region> r, std::uint64_t bytes) {
  const std::string name =
      r->heap ? "the heaps of " + text(r->chunk) + " bytes at each of " + std::to_string(ranks_) +
                    " ranks (KASURI_GLOBAL_HEAP)"
              : "a global array of " + text(bytes) + " bytes";
  const std::uint64_t block = options_.block_bytes;
  const std::uint64_t mapped = std::max(block, rounded(bytes, block));
  // A block between two regions is in neither: what runs over the end is found, and no range of
  // written bytes reaches from one into the other.
  const bool sane = bytes <= mapped && mapped <= range_bytes_;
  const auto start = sane ? regions_.room(mapped, block, block, range_bytes_) : std::nullopt;
  if (!start) {
    throw global::error(name + ": the address range of " +
                        text(range_bytes_) + " bytes has room for " +
                        text(range_bytes_ - std::min(range_bytes_, regions_.mapped_bytes())) +
                        " more; accepted: less, or a larger KASURI_GLOBAL_RANGE");
  }
  r->begin = *start;
  r->used = *start + bytes;
  r->end = *start + mapped;
  r->ranks = ranks_;
  if (r->kind != region::kind_t::file) {
    const std::uint64_t part = r->most_chunks() * r->chunk;
    r->stamps = part;
    const std::uint64_t stamps = rounded((part >> shift_) * 8, platform::page_size());
    try {
      r->memory = network_.allocate(part + stamps);
    } catch (const std::bad_alloc&) {
      throw global::error(name + ": a rank has no room for " + text(part + stamps) +
                          " bytes; accepted: less" + (r->heap ? "" : ", or more ranks"));
    }
  }
  const bool opened = platform::open_memory(base_ + r->begin, mapped);
  if (opened && r->kind != region::kind_t::file) alias_home_parts(*r);
  const region* added = regions_.add(std::move(r));
  network_.barrier();  // nobody asks for what is not there yet
  if (!opened) {
    throw global::error(name + ": the system refuses the addresses; accepted: less, or a limit "
                               "(ulimit -v, vm.max_map_count) above that");
  }
  return added->begin;
}

void memory::alias_home_parts(const region& r) {
  for (std::uint64_t at = r.begin; at < r.end;) {
    const home_place home = r.home_of(at);
    std::uint64_t bytes = home.run;
    if (home.rank == rank_) {
      // Chunks that follow each other here and there are shown in one piece.
      while (at + bytes < r.end) {
        const home_place next = r.home_of(at + bytes);
        if (next.rank != rank_ || next.offset != home.offset + bytes) break;
        bytes += next.run;
      }
      network_.alias(r.memory, home.offset, bytes, base_ + at);
    }
    at += bytes;
  }
}

std::uint64_t memory::allocate_blocked(std::uint64_t bytes, std::uint64_t element) {
  meet(network_, {.what = collective_call::kind::blocked, .sizes = {bytes, 0}});
  const std::scoped_lock one(arrays_);
  auto r = std::make_unique<region>();
  r->element = element;
  const auto p = static_cast<std::uint64_t>(ranks_);
  r->chunk = std::max(options_.block_bytes, rounded((bytes + p - 1) / p, options_.block_bytes));
  return add_region(std::move(r), bytes);
}

std::uint64_t memory::allocate_cyclic(std::uint64_t bytes, std::uint64_t chunk,
                                      std::uint64_t element) {
  meet(network_, {.what = collective_call::kind::cyclic, .sizes = {bytes, chunk}});
  const std::scoped_lock one(arrays_);
  auto r = std::make_unique<region>();
  r->element = element;
  r->kind = region::kind_t::cyclic;
  const std::uint64_t least = bytes / (most_pieces * static_cast<std::uint64_t>(ranks_)) + 1;
  r->chunk = rounded(std::max(chunk, least), options_.block_bytes);
  return add_region(std::move(r), bytes);
}

std::uint64_t memory::allocate_listed(std::uint64_t bytes, std::uint64_t chunk,
                                      const std::function<int(std::uint64_t)>& owner_of_chunk,
                                      std::uint64_t element) {
  meet(network_, {.what = collective_call::kind::listed, .sizes = {bytes, chunk}});
  const std::scoped_lock one(arrays_);
  auto r = std::make_unique<region>();
  r->element = element;
  r->kind = region::kind_t::listed;
  const std::uint64_t least = bytes / (most_pieces * static_cast<std::uint64_t>(ranks_)) + 1;
  r->chunk = rounded(std::max(chunk, least), options_.block_bytes);
  const std::uint64_t chunks = std::max<std::uint64_t>(1, (bytes + r->chunk - 1) / r->chunk);
  std::vector<std::uint32_t> filled(static_cast<std::size_t>(ranks_));
  for (std::uint64_t c = 0; c != chunks; ++c) {
    const int owner = owner_of_chunk(std::min(c * r->chunk, bytes));
    if (owner < 0 || owner >= ranks_) {
      throw global::error("the owner function of a global array gives rank " +
                          std::to_string(owner) + " for byte " + text(c * r->chunk) + "; accepted: 0 to " +
                          std::to_string(ranks_ - 1));
    }
    r->owners.push_back(owner);
    r->places.push_back(filled[static_cast<std::size_t>(owner)]++);
  }
  return add_region(std::move(r), bytes);
}

std::uint64_t memory::map_file(const std::string& path, std::uint64_t& bytes) {
  meet(network_, {.what = collective_call::kind::file});
  const std::scoped_lock one(arrays_);
  std::int64_t mine = platform::file_bytes(path);
  if (mine < 0) mine = -errno;
  std::vector<std::int64_t> all(static_cast<std::size_t>(ranks_));
  network_.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  for (std::size_t r = 0; r != all.size(); ++r) {
    if (all[r] == all[0] && all[r] >= 0) continue;
    std::string what = " sees another size than rank 0";
    if (all[r] == -EINVAL) {
      what = " finds a folder, a device, a pipe, or what is made as it is read (/proc)";
    } else if (all[r] < 0) {
      what = std::string(" cannot read it: ") + std::strerror(static_cast<int>(-all[r]));
    }
    throw global::error("file_view of '" + path + "': rank " + text(r) + what +
                        "; accepted: a regular file that is the same for all ranks");
  }
  bytes = static_cast<std::uint64_t>(mine);
  auto r = std::make_unique<region>();
  r->kind = region::kind_t::file;
  r->chunk = std::max(options_.block_bytes, rounded(bytes, options_.block_bytes));
  const std::uint64_t start = add_region(std::move(r), bytes);
  if (bytes != 0 && !platform::show_file(path, base_ + start, bytes))
    throw global::error("file_view of '" + path + "': cannot be mapped: " + std::strerror(errno));
  return start;
}

void memory::free_array(std::uint64_t offset) {
  meet(network_, {.what = collective_call::kind::end_of_array, .sizes = {offset, 0}});
  const std::scoped_lock one(arrays_);
  const region* where = regions_.find(offset, offset);
  if (where == nullptr || where->begin != offset || where->heap) {
    throw global::error("no global array begins at global address " + text(offset) +
                        "; accepted: what was allocated, once");
  }
  land_all();
  network_.barrier();  // nobody uses it any more
  forget_region(*where);
  if (where->kind != region::kind_t::file) {
    window w = where->memory;
    network_.free(w);
  }
}

/// Drops all that is known of a region, and its memory here.
void memory::forget_region(const region& r) {
  const std::scoped_lock none_told(releasing_);
  const std::scoped_lock none_evicted(evicting_);
  std::uint64_t gone = 0;
  for (std::uint64_t index = r.begin >> shift_; index != r.end >> shift_; ++index) {
    block& b = blocks_[index];
    if (b.state.load(std::memory_order_relaxed) == 0) {
      // Most have never been met: to write to them would bring their pages into being.
      if (!b.readable.empty()) b.readable.clear();
      continue;
    }
    if (b.has(block::resident)) ++gone;
    b.readable.clear();
    b.writable.clear();
    b.valid.clear();
    b.dirty.clear();
    b.state.store(0, std::memory_order_relaxed);
  }
  resident_bytes_.fetch_sub(gone << shift_, std::memory_order_relaxed);
  {
    const auto inside = [&](std::uint64_t index) {
      return r.begin >> shift_ <= index && index < r.end >> shift_;
    };
    const std::scoped_lock hold(lists_);
    std::erase_if(clock_, inside);
    std::erase_if(watched_, inside);
    untold_.fetch_sub(std::erase_if(dirty_blocks_, inside), std::memory_order_relaxed);
    untold_.fetch_sub(std::erase_if(brought_home_,
                                    [&](const global_range& told) {
                                      return r.begin <= told.begin && told.begin < r.end;
                                    }),
                      std::memory_order_relaxed);
    std::erase_if(unkept_, [&](const auto& held) { return inside(held.first); });
  }
  last_region_.store(nullptr, std::memory_order_relaxed);
  platform::close_memory(base_ + r.begin, r.end - r.begin);
  regions_.remove(&r);
}

int memory::home_rank(std::uint64_t offset) const {
  const region& where = checked_region(offset, 1, access::read);
  return where.kind == region::kind_t::file ? rank_ : where.home_of(offset).rank;
}

std::uint64_t memory::allocate(std::uint64_t bytes) {
  const std::uint64_t start = heap_start();
  const std::uint64_t made =
      start + static_cast<std::uint64_t>(rank_) * heap_part_ + heap_->allocate(bytes);
  if (options_.checked) note_use(*regions_.find(made, made), made, bytes, use::allocate);
  return made;
}

void memory::deallocate(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t start = heap_start();
  const std::uint64_t in = offset - start;
  if (offset < start || in >= heap_part_ * static_cast<std::uint64_t>(ranks_)) {
    throw global::error("deallocate of global address " + text(offset) +
                        ": not in a heap; accepted: what allocate returned, once");
  }
  const auto owner = static_cast<int>(in / heap_part_);
  // Not `bytes`: what was written behind them, if the size is a little wrong, is no more wanted either.
  const std::uint64_t all = heap_->expect(owner, in % heap_part_, bytes);
  // Not `all`: allocate() begins the history of the bytes asked for anew, and no more.
  if (options_.checked) note_use(*regions_.find(offset, offset), offset, bytes, use::deallocate);
  if (ranks_ > 1) forget_dirty({offset, offset + all});
  heap_->deallocate(owner, in % heap_part_);
}

memory_counts memory::counts() const {
  memory_counts c;
  c.hits = pins_.hits();
  c.misses = counts_.misses.get();
  c.fetched_bytes = counts_.fetched_bytes.get();
  c.refetched_bytes = counts_.refetched_bytes.get();
  c.written_back_bytes = counts_.written_back_bytes.get();
  c.version_checks = counts_.version_checks.get();
  c.unchanged = counts_.unchanged.get();
  c.evicted_blocks = counts_.evicted_blocks.get();
  c.notices_sent = counts_.notices_sent.get();
  c.notices_applied = counts_.notices_applied.get();
  c.overflows = counts_.overflows.get();
  c.waited_ns = counts_.waited_ns.get();
  return c;
}

}  // namespace kasuri::cluster
