// SPDX-License-Identifier: Apache-2.0
// How regions come and go: where they are placed, what memory they get, and the files that some of
// them show.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cluster/memory/space/directory.hpp"
#include "cluster/transport/meet.hpp"
#include "kasuri/global/error.hpp"
#include "platform/base/expect.hpp"
#include "platform/memory/fixed_memory.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::cluster {
namespace {

// A home part shown in so many pieces; the system has room for 65,530 mappings.
constexpr std::uint64_t most_pieces = 8192;

std::string text(std::uint64_t n) { return std::to_string(n); }

std::uint64_t whole_pages(std::uint64_t bytes) noexcept {
  const std::uint64_t page = platform::page_size();
  return (bytes + page - 1) / page * page;
}

}  // namespace

/// The chunk that was asked for, unless an array of `bytes` would have too many of them, or less
/// than one.
std::uint64_t directory::least_chunk(std::uint64_t bytes, std::uint64_t chunk) const noexcept {
  const std::uint64_t least = bytes / (most_pieces * static_cast<std::uint64_t>(ranks_)) + 1;
  return range_.whole_blocks(std::min(std::max(chunk, least), std::max(bytes, least)));
}

std::uint64_t directory::add(std::unique_ptr<region> r, std::uint64_t bytes) {
  const std::string name = r->heap ? "the heaps of " + text(r->chunk) + " bytes at each of " +
                                         std::to_string(ranks_) + " ranks (KASURI_GLOBAL_HEAP)"
                                   : "a global array of " + text(bytes) + " bytes";
  return add(std::move(r), bytes, name);
}

/// Places a region of `bytes` bytes, whose chunks are known, and gives it memory. Its offset.
std::uint64_t directory::add(std::unique_ptr<region> r, std::uint64_t bytes,
                             const std::string& name) {
  place(*r, bytes, name);
  r->ranks = ranks_;
  const bool is_file = r->kind == region::kind_t::file;
  if (!is_file) give_memory(*r, name);
  const bool opened = platform::open_memory(range_.at(r->begin), r->end - r->begin);
  if (opened && !is_file) alias_home_parts(*r);
  const region* added = regions_.add(std::move(r));
  KASURI_EXPECT(all, check() == nullptr, "%s; %s begins at %llu", check(), name.c_str(),
                static_cast<unsigned long long>(added->begin));
  network_.barrier();  // nobody asks for what is not there yet
  if (!opened) {
    throw global::error(name +
                        ": the system refuses the addresses; accepted: less, or a limit "
                        "(ulimit -v, vm.max_map_count) above that");
  }
  return added->begin;
}

void directory::place(region& r, std::uint64_t bytes, const std::string& name) const {
  const std::uint64_t block = range_.block_bytes();
  const std::uint64_t mapped = std::max(block, range_.whole_blocks(bytes));
  const bool sane = bytes <= mapped && mapped <= range_.bytes();
  const auto start = sane ? regions_.room(mapped, block, block, range_.bytes()) : std::nullopt;
  if (!start) {
    throw global::error(name + ": the address range of " + text(range_.bytes()) +
                        " bytes has room for " +
                        text(range_.bytes() - std::min(range_.bytes(), regions_.mapped_bytes())) +
                        " more; accepted: less, or a larger KASURI_GLOBAL_RANGE");
  }
  KASURI_EXPECT(cheap, *start >= block && *start + mapped <= range_.bytes(),
                "a region from %llu of %llu bytes is placed in a range of %llu",
                static_cast<unsigned long long>(*start), static_cast<unsigned long long>(mapped),
                static_cast<unsigned long long>(range_.bytes()));
  r.begin = *start;
  r.used = *start + bytes;
  r.end = *start + mapped;
}

/// A window whose parts hold the chunks of a rank, and behind them the versions of their blocks.
void directory::give_memory(region& r, const std::string& name) {
  const std::uint64_t part = r.most_chunks() * r.chunk;
  KASURI_EXPECT(cheap, part * static_cast<std::uint64_t>(ranks_) >= r.end - r.begin,
                "parts of %llu bytes at %d ranks, for a region of %llu",
                static_cast<unsigned long long>(part), ranks_,
                static_cast<unsigned long long>(r.end - r.begin));
  r.stamps = part;
  const std::uint64_t stamps = whole_pages(range_.block_of(part) * 8);
  try {
    r.memory = network_.allocate(part + stamps);
  } catch (const std::bad_alloc&) {
    throw global::error(name + ": a rank has no room for " + text(part + stamps) +
                        " bytes; accepted: less" + (r.heap ? "" : ", or more ranks"));
  }
}

/// Shows the chunks that are at home here at their global addresses.
void directory::alias_home_parts(const region& r) {
  for (std::uint64_t at = r.begin; at < r.end;) {
    const home_place home = r.home_of(at);
    std::uint64_t bytes = home.run;
    KASURI_EXPECT(cheap, home.offset + home.run <= r.stamps,
                  "bytes %llu + %llu of a part whose versions begin at %llu",
                  static_cast<unsigned long long>(home.offset),
                  static_cast<unsigned long long>(home.run),
                  static_cast<unsigned long long>(r.stamps));
    if (home.rank == rank_) {
      // Chunks that follow each other here and there are shown in one piece.
      while (at + bytes < r.end) {
        const home_place next = r.home_of(at + bytes);
        if (next.rank != rank_ || next.offset != home.offset + bytes) break;
        bytes += next.run;
      }
      network_.alias(r.memory, home.offset, bytes, range_.at(at));
    }
    at += bytes;
  }
}

std::uint64_t directory::add_blocked(std::uint64_t bytes, std::uint64_t element) {
  meet(network_, {.what = collective_call::kind::blocked, .sizes = {bytes, 0}});
  const std::scoped_lock one(changing_);
  auto r = std::make_unique<region>();
  r->element = element;
  const auto p = static_cast<std::uint64_t>(ranks_);
  r->chunk = std::max(range_.block_bytes(), range_.whole_blocks((bytes + p - 1) / p));
  return add(std::move(r), bytes);
}

std::uint64_t directory::add_cyclic(std::uint64_t bytes, std::uint64_t chunk,
                                    std::uint64_t element) {
  meet(network_, {.what = collective_call::kind::cyclic, .sizes = {bytes, chunk}});
  const std::scoped_lock one(changing_);
  auto r = std::make_unique<region>();
  r->element = element;
  r->kind = region::kind_t::cyclic;
  r->chunk = least_chunk(bytes, chunk);
  return add(std::move(r), bytes);
}

std::uint64_t directory::add_listed(std::uint64_t bytes, std::uint64_t chunk,
                                    const owner_function& owner_of_chunk, std::uint64_t element) {
  meet(network_, {.what = collective_call::kind::listed, .sizes = {bytes, chunk}});
  const std::scoped_lock one(changing_);
  auto r = std::make_unique<region>();
  r->element = element;
  r->kind = region::kind_t::listed;
  r->chunk = least_chunk(bytes, chunk);
  const std::uint64_t chunks = std::max<std::uint64_t>(1, (bytes + r->chunk - 1) / r->chunk);
  std::vector<std::uint32_t> filled(static_cast<std::size_t>(ranks_));
  for (std::uint64_t c = 0; c != chunks; ++c) {
    const int owner = owner_of_chunk(std::min(c * r->chunk, bytes));
    if (owner < 0 || owner >= ranks_) {
      throw global::error("the owner function of a global array gives rank " +
                          std::to_string(owner) + " for byte " + text(c * r->chunk) +
                          "; accepted: 0 to " + std::to_string(ranks_ - 1));
    }
    r->owners.push_back(owner);
    r->places.push_back(filled[static_cast<std::size_t>(owner)]++);
  }
  return add(std::move(r), bytes);
}

std::uint64_t directory::add_parts(std::uint64_t& bytes, const std::string& name) {
  const std::scoped_lock one(changing_);
  auto r = std::make_unique<region>();
  const bool sane = bytes <= range_.bytes();  // so that all of them are a number
  r->chunk = std::max(range_.block_bytes(), range_.whole_blocks(sane ? bytes : 0));
  bytes = r->chunk;
  return add(std::move(r), sane ? bytes * static_cast<std::uint64_t>(ranks_) : UINT64_MAX, name);
}

/// The size of the file, if all ranks see the same.
std::uint64_t directory::agreed_file_bytes(const std::string& path) {
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
  return static_cast<std::uint64_t>(mine);
}

std::uint64_t directory::add_file(const std::string& path, std::uint64_t& bytes) {
  meet(network_, {.what = collective_call::kind::file});
  const std::scoped_lock one(changing_);
  bytes = agreed_file_bytes(path);
  auto r = std::make_unique<region>();
  r->kind = region::kind_t::file;
  r->chunk = std::max(range_.block_bytes(), range_.whole_blocks(bytes));
  const std::uint64_t start = add(std::move(r), bytes);
  if (bytes != 0 && !platform::show_file(path, range_.at(start), bytes))
    throw global::error("file_view of '" + path + "': cannot be mapped: " + std::strerror(errno));
  return start;
}

void directory::remove(std::uint64_t offset, const std::function<void(const region&)>& forget) {
  meet(network_, {.what = collective_call::kind::end_of_array, .sizes = {offset, 0}});
  const std::scoped_lock one(changing_);
  const region* where = regions_.find(offset, offset);
  if (where == nullptr || where->begin != offset || where->heap) {
    throw global::error("no global array begins at global address " + text(offset) +
                        "; accepted: what was allocated, once");
  }
  forget(*where);
  close(*where);
}

void directory::end(const std::function<void(const region&)>& forget) {
  std::vector<const region*> all;
  each_in({0, range_.bytes()}, [&](const region& r) { all.push_back(&r); });
  for (const region* r : all) {
    forget(*r);
    close(*r);
  }
}

void directory::close(const region& r) {
  last_.store(nullptr, std::memory_order_relaxed);
  platform::close_memory(range_.at(r.begin), r.end - r.begin);
  regions_.remove(&r);
  KASURI_EXPECT(all, check() == nullptr, "%s; the region from %llu has ended", check(),
                static_cast<unsigned long long>(r.begin));
  if (r.kind == region::kind_t::file) return;
  window w = r.memory;
  network_.free(w);
}

}  // namespace kasuri::cluster
