// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/space/heap.hpp"

#include <bit>
#include <string>

#include "kasuri/global/error.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::uint64_t header_bytes = 16;
constexpr std::uint64_t in_use = 0x6b61'7375'7269'0000;
constexpr std::uint64_t freed = 0x6b61'7375'7246'0000;
constexpr std::uint64_t class_mask = 0xff;
static_assert((in_use & class_mask) == 0 && (freed & class_mask) == 0,
              "a tag has room for the class");

// How many times a class may be found empty before freed objects are asked for, while there is
// memory that was never used: the question is a trip of the network to oneself.
constexpr unsigned patience = 64;

// Classes 4k .. 4k+3 are (4..7)/4 * 2^(k+4) bytes, header included.
constexpr std::uint64_t bytes_of(unsigned c) noexcept {
  return std::uint64_t{4 + c % 4} << (c / 4 + 2);
}

unsigned class_of(std::uint64_t bytes) noexcept {
  bytes += header_bytes;
  if (bytes <= bytes_of(0)) return 0;
  // 2^power <= bytes - 1
  const auto power = static_cast<unsigned>(std::bit_width(bytes - 1)) - 1;
  unsigned c = (power - 4) * 4;
  while (bytes_of(c) < bytes) ++c;
  return c;
}

/// Multiples of 16, so that what comes behind is aligned.
constexpr std::uint64_t cut_of(unsigned c) noexcept {
  return (bytes_of(c) + 15) & ~std::uint64_t{15};
}

[[noreturn]] void refuse(std::uint64_t object, const char* why) {
  throw global::error("deallocate of offset " + std::to_string(object) + " of a heap: " + why +
                      "; accepted: what allocate returned, once");
}

}  // namespace

heap::header& heap::header_at(std::uint64_t object) noexcept {
  KASURI_EXPECT(cheap, object >= header_bytes && object % 16 == 0 && object <= cut_,
                "an object at %llu of a heap that is cut up to %llu",
                static_cast<unsigned long long>(object), static_cast<unsigned long long>(cut_));
  return *reinterpret_cast<header*>(parts_.local + object - header_bytes);
}

std::uint64_t heap::taken(unsigned size_class, std::uint64_t object) noexcept {
  KASURI_EXPECT(cheap, (header_at(object).tag & ~class_mask) != in_use,
                "the object at %llu is given out, and is in use",
                static_cast<unsigned long long>(object));
  header_at(object) = {in_use | size_class, 0};
  used_ += cut_of(size_class);
  KASURI_EXPECT(all, check() == nullptr, "%s: %llu of %llu bytes are in use", check(),
                static_cast<unsigned long long>(used_), static_cast<unsigned long long>(cut_));
  return object;
}

/// 0: none is free.
std::uint64_t heap::try_allocate(unsigned size_class) {
  std::vector<std::uint64_t>& list = free_[size_class];
  if (!list.empty()) {
    const std::uint64_t object = list.back();
    list.pop_back();
    return taken(size_class, object);
  }
  const std::uint64_t bytes = cut_of(size_class);
  if (bytes > bytes_ - cut_) return 0;
  const std::uint64_t object = cut_ + header_bytes;
  cut_ += bytes;
  return taken(size_class, object);
}

std::uint64_t heap::allocate(std::uint64_t bytes) {
  if (bytes <= bytes_) {
    const unsigned size_class = class_of(bytes);
    bool look = false;
    {
      const std::scoped_lock hold(lock_);
      look = free_[size_class].empty() && (++misses_ % patience == 0);
      if (!look) {
        const std::uint64_t object = try_allocate(size_class);
        if (object != 0) return object;
      }
    }
    take_back();
    const std::scoped_lock hold(lock_);
    const std::uint64_t object = try_allocate(size_class);
    if (object != 0) return object;
  }
  throw global::error("allocate of " + std::to_string(bytes) + " bytes: the heap of rank " +
                      std::to_string(network_.rank()) + " is full, " +
                      std::to_string(used_bytes()) + " bytes are in use; KASURI_GLOBAL_HEAP=" +
                      std::to_string(bytes_) + " is too small; accepted: more, or free objects");
}

/// Takes back the objects that others have freed here.
void heap::take_back() {
  if (network_.size() == 1) return;
  const int me = network_.rank();
  std::uint64_t head = network_.load(me, words_, word_);
  while (head != 0) {
    const std::uint64_t seen = network_.compare_swap(me, words_, word_, head, 0);
    if (seen == head) break;
    head = seen;
  }
  const std::scoped_lock hold(lock_);
  while (head != 0) {
    header& h = header_at(head);
    KASURI_EXPECT(cheap, (h.tag & ~class_mask) == freed,
                  "the object at %llu, which another rank has freed, has the tag %#llx",
                  static_cast<unsigned long long>(head), static_cast<unsigned long long>(h.tag));
    const auto size_class = static_cast<unsigned>(h.tag & class_mask);
    used_ -= cut_of(size_class);
    free_[size_class].push_back(head);
    head = h.next;
  }
}

std::uint64_t heap::expect(int owner, std::uint64_t offset, std::uint64_t bytes) {
  if (offset < header_bytes || offset % 16 != 0 || offset >= bytes_)
    refuse(offset, "nothing can be allocated there");
  header h;
  network_.get(owner, parts_, offset - header_bytes, &h, sizeof h);
  network_.flush(owner);
  if ((h.tag & ~class_mask) == freed) refuse(offset, "it has been freed before");
  if ((h.tag & ~class_mask) != in_use) refuse(offset, "no object begins there");
  if (bytes > bytes_ || class_of(bytes) != (h.tag & class_mask))
    refuse(offset, "it has another size");
  return cut_of(static_cast<unsigned>(h.tag & class_mask)) - header_bytes;
}

void heap::deallocate(int owner, std::uint64_t offset) {
  if (owner == network_.rank())
    free_here(offset);
  else
    free_there(owner, offset);
}

void heap::free_here(std::uint64_t object) {
  const std::scoped_lock hold(lock_);
  header& h = header_at(object);
  if ((h.tag & ~class_mask) == freed) refuse(object, "it has been freed before");
  if ((h.tag & ~class_mask) != in_use) refuse(object, "no object begins there");
  const auto size_class = static_cast<unsigned>(h.tag & class_mask);
  h.tag = freed | size_class;
  used_ -= cut_of(size_class);
  free_[size_class].push_back(object);
  KASURI_EXPECT(all, check() == nullptr, "%s: %llu of %llu bytes are in use", check(),
                static_cast<unsigned long long>(used_), static_cast<unsigned long long>(cut_));
}

void heap::free_there(int owner, std::uint64_t object) {
  header h;
  network_.get(owner, parts_, object - header_bytes, &h, sizeof h);
  network_.flush(owner);
  if ((h.tag & ~class_mask) == freed) refuse(object, "it has been freed before");
  if ((h.tag & ~class_mask) != in_use) refuse(object, "no object begins there");
  h.tag = freed | (h.tag & class_mask);
  h.next = network_.load(owner, words_, word_);
  while (true) {
    network_.put(owner, parts_, object - header_bytes, &h, sizeof h);
    network_.flush(owner);
    const std::uint64_t seen = network_.compare_swap(owner, words_, word_, h.next, object);
    if (seen == h.next) return;
    h.next = seen;
  }
}

const char* heap::check() const {
  if (cut_ > bytes_) return "a heap is cut behind its end";
  std::uint64_t free = 0;
  for (unsigned c = 0; c != classes; ++c)
    if (!free_[c].empty()) free += free_[c].size() * cut_of(c);
  return free + used_ == cut_
             ? nullptr
             : "what is free of a heap and what is in use are not all that was cut";
}

std::uint64_t heap::used_bytes() {
  const std::scoped_lock hold(lock_);
  return used_;
}

}  // namespace kasuri::cluster
