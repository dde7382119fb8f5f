// SPDX-License-Identifier: Apache-2.0
// Looking up; the heaps. How regions come and go is in regions.cpp.
#include "cluster/memory/space/directory.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kasuri/global/error.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

const char* name_of(access mode) noexcept {
  switch (mode) {
    case access::read:
      return "read";
    case access::write:
      return "write";
    case access::read_write:
      break;
  }
  return "read_write";
}

}  // namespace

directory::directory(transport& network, const memory_options& options, const address_range& range,
                     const control_window& words)
    : network_(network), range_(range), rank_(network.rank()), ranks_(network.size()) {
  auto r = std::make_unique<region>();
  r->heap = true;
  r->chunk = range.whole_blocks(std::max<std::uint64_t>(options.heap_bytes, 1));
  heap_part_ = r->chunk;
  const std::uint64_t start = add(std::move(r), heap_part_ * static_cast<std::uint64_t>(ranks_));
  const region* where = regions_.find(start, start);  // the first one: at heap_start()
  heap_ = std::make_unique<heap>(network_, where->memory, words.where(), control_window::freed_word,
                                 heap_part_);
}

std::uint64_t directory::allocate(std::uint64_t bytes) {
  const std::uint64_t place = heap_->allocate(bytes);
  KASURI_EXPECT(cheap, place < heap_part_ && bytes <= heap_part_ - place,
                "%llu bytes at %llu of a heap of %llu", static_cast<unsigned long long>(bytes),
                static_cast<unsigned long long>(place),
                static_cast<unsigned long long>(heap_part_));
  return heap_start() + static_cast<std::uint64_t>(rank_) * heap_part_ + place;
}

directory::object directory::expect_object(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t in = offset - heap_start();
  if (offset < heap_start() || in >= heap_part_ * static_cast<std::uint64_t>(ranks_)) {
    throw global::error("deallocate of global address " + std::to_string(offset) +
                        ": not in a heap; accepted: what allocate returned, once");
  }
  const auto owner = static_cast<int>(in / heap_part_);
  const std::uint64_t place = in % heap_part_;
  return {owner, place, heap_->expect(owner, place, bytes)};
}

const region& directory::expect(const checkout_request& r) const {
  const region* where = nullptr;
  if (r.offset <= r.offset + r.bytes) where = find(r.range());
  if (where == nullptr) {
    throw global::error(describe(r) +
                        ": not inside one allocation that exists; accepted: a range of one global "
                        "vector, file or heap");
  }
  if (where->kind == region::kind_t::file && r.writes())
    throw global::error(describe(r) + ": a file_view is read-only; accepted: global::read");
  return *where;
}

std::string directory::describe(const checkout_request& r) const {
  std::string text = "checkout of " + std::to_string(r.bytes) + " bytes with access " +
                     name_of(r.mode) + " at global address " + std::to_string(r.offset);
  each_in({r.offset, r.offset + 1}, [&](const region& in) {
    const std::uint64_t at = r.offset - in.begin;
    const std::uint64_t all = in.used - in.begin;
    if (in.heap) {
      text += " (the heap of rank " + std::to_string(in.home_of(r.offset).rank) + ')';
    } else if (in.kind == region::kind_t::file) {
      text += " (byte " + std::to_string(at) + " of the file_view of " + std::to_string(all) +
              " bytes)";
    } else {
      text += " (element " + std::to_string(at / in.element) + " of the array of " +
              std::to_string(all / in.element) + " elements of " + std::to_string(in.element) +
              " bytes)";
    }
  });
  return text + " on rank " + std::to_string(rank_);
}

int directory::home_rank(std::uint64_t offset) const {
  const region& where = expect({offset, 1, access::read});
  return where.kind == region::kind_t::file ? rank_ : where.home_of(offset).rank;
}

const char* directory::check() const {
  const char* wrong = nullptr;
  std::uint64_t below = 0;
  each_in({0, range_.bytes()}, [&](const region& r) {
    if (range_.within(r.begin | r.end | r.chunk) != 0)
      wrong = "a region is not made of whole blocks";
    if (r.begin < below + range_.block_bytes()) wrong = "two regions touch, or are out of order";
    if (r.begin >= r.end || r.used < r.begin || r.used > r.end)
      wrong = "the bytes of a region do not end in it";
    if (r.heap != (r.begin == heap_start())) wrong = "the heaps are not the first region";
    below = r.end;
  });
  if (below > range_.bytes()) wrong = "a region reaches out of the range";
  return wrong;
}

}  // namespace kasuri::cluster
