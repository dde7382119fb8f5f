// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/notices/notice_ring.hpp"

#include <algorithm>
#include <cstring>

#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

void write_word(std::byte* at, std::uint64_t value) noexcept {
  std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(at))
      .store(value, std::memory_order_relaxed);  // relaxed: after the fence in append()
}

}  // namespace

void notice_ring::append(std::span<const notice> added) {
  std::uint64_t at = position_.load(std::memory_order_relaxed);  // relaxed: only we write it
  KASURI_EXPECT(cheap, entries_ != 0 && ring_ + bytes_for(entries_) <= where_.bytes,
                "a ring of %llu notices at %llu of a window of %zu bytes",
                static_cast<unsigned long long>(entries_), static_cast<unsigned long long>(ring_),
                where_.bytes);
  while (!added.empty()) {
    const auto some = added.first(std::min<std::size_t>(added.size(), entries_));
    // Said before it is done: a rank that reads an entry while it is replaced reads this word
    // afterwards, and finds that it came too late. Pairs with the load of the word in read().
    const std::uint64_t before = network_.fetch_add(network_.rank(), where_, word_, some.size());
    KASURI_EXPECT(cheap, before == at, "the word says %llu notices, and %llu are there",
                  static_cast<unsigned long long>(before), static_cast<unsigned long long>(at));
    std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with the flush in read()
    for (const notice& n : some) {
      std::byte* entry = where_.local + ring_ + at++ % entries_ * sizeof(notice);
      write_word(entry, n.source);
      write_word(entry + 8, n.begin);
      write_word(entry + 16, n.end);
    }
    added = added.subspan(some.size());
  }
  position_.store(at, std::memory_order_release);  // pairs with position()
}

void notice_ring::skip_to(std::uint64_t to) {
  const std::uint64_t at = position_.load(std::memory_order_relaxed);  // relaxed: only we write it
  KASURI_EXPECT(cheap, at <= to, "a log of %llu notices is to go on at %llu",
                static_cast<unsigned long long>(at), static_cast<unsigned long long>(to));
  if (at == to) return;
  network_.fetch_add(network_.rank(), where_, word_, to - at);
  position_.store(to, std::memory_order_release);  // pairs with position()
}

bool notice_ring::read_own(std::uint64_t from, std::vector<notice>& found) const {
  const std::uint64_t to = position_.load(std::memory_order_relaxed);  // relaxed: only we write it
  if (to - from > entries_) return false;
  for (std::uint64_t at = from; at != to; ++at) {
    notice n;
    std::memcpy(&n, where_.local + ring_ + at % entries_ * sizeof n, sizeof n);
    found.push_back(n);
  }
  return true;
}

bool notice_ring::read(int from_rank, std::uint64_t from, std::uint64_t to,
                       std::vector<notice>& found) {
  KASURI_EXPECT(cheap, from <= to && from_rank != network_.rank(),
                "notices %llu to %llu of rank %d are read by rank %d",
                static_cast<unsigned long long>(from), static_cast<unsigned long long>(to),
                from_rank, network_.rank());
  if (to - from > entries_) return false;
  const std::size_t before = found.size();
  found.resize(before + (to - from));
  notice* into = found.data() + before;
  for (std::uint64_t at = from; at < to;) {
    const std::uint64_t n = std::min(to - at, entries_ - at % entries_);
    network_.get(from_rank, where_, ring_ + at % entries_ * sizeof(notice), into,
                 n * sizeof(notice));
    into += n;
    at += n;
  }
  network_.flush(from_rank);
  const std::uint64_t written = network_.load(from_rank, where_, word_);
  KASURI_EXPECT(cheap, written >= to, "rank %d has entered %llu notices, and told of %llu",
                from_rank, static_cast<unsigned long long>(written),
                static_cast<unsigned long long>(to));
  if (written - from <= entries_) return true;
  found.resize(before);
  return false;
}

}  // namespace kasuri::cluster
