// SPDX-License-Identifier: Apache-2.0
#pragma once

// Global memory of one process: arrays and heaps that lie in one address range at all ranks, kept
// by their homes and cached elsewhere, in place. This is the outside face, and what wires the
// owners together, each a type with its own locks, its protocol at its head:
//
//   space/      address_range, directory: the range, the pieces it is given out in, their homes
//   checkouts/  checkouts: those that last, by pins
//   blocks/     block_table and the lists that blocks are entered in
//   cache/      cache: copies of others' blocks, room for them, what was written here
//   notices/    notice_log, versions: what others wrote is learned of, and what was written is told
//   checks.hpp  under KASURI_CHECK: parallel uses of the same bytes
//   words.hpp   atomic operations on words
//
// The promise to a program: if it has no data race in the sense that two checkouts of the same
// byte, one of them for writing, are always ordered by forks and joins, then each read sees the
// write before it in that order. The argument: a write is at home, and its notice in the log,
// before the token that orders it is made (cache/writer.hpp); a rank that acquires the token has
// dropped the bytes before it goes on (notices/notice_log.hpp, cache/dropper.hpp); a fetch after
// that brings them from home; and a fetch before that is followed by the dropping, since both hold
// the block's lock.
//
// Locks, outer to inner: directory's, then the notice log's for learning or the writer's, then
// those of the cache, as cache/cache.hpp says, and the notice log's for entering.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/base/coherence.hpp"
#include "cluster/memory/base/control_window.hpp"
#include "cluster/memory/base/counters.hpp"
#include "cluster/memory/base/options.hpp"
#include "cluster/memory/base/requests.hpp"
#include "cluster/memory/blocks/block_table.hpp"
#include "cluster/memory/cache/cache.hpp"
#include "cluster/memory/checkouts/checkouts.hpp"
#include "cluster/memory/checks.hpp"
#include "cluster/memory/notices/begin_notices.hpp"
#include "cluster/memory/notices/notice_log.hpp"
#include "cluster/memory/notices/versions.hpp"
#include "cluster/memory/space/address_range.hpp"
#include "cluster/memory/space/directory.hpp"
#include "cluster/memory/words.hpp"
#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

class memory final : public coherence {
 public:
  /// Collective. Throws global::error where ranks disagree, or the system has no room.
  memory(transport& network, const memory_options& options);
  /// Collective. All that was allocated ends.
  ~memory() override;

  token release() override;
  token release_at_report() override;
  carried* at_begin() override;
  void tell_at_end(std::vector<std::byte>& to) override;
  void learn_at_end(std::span<const std::byte> told) override;
  void acquire(const token& t) override;
  void ask(known_tasks* tasks) override { checks_.ask(tasks); }
  void wait_by(task_host* host) override { checkouts_.wait_by(host); }
  [[nodiscard]] bool is_global(std::uintptr_t address) const noexcept override {
    return range_.holds(address);
  }
  void begin_run() override;
  std::uint64_t at_fork(const program_point& here) override;

  /// Where arrays are added, and who is home; they end here.
  [[nodiscard]] directory& arrays() noexcept { return directory_; }
  /// Collective: ends an array.
  void free_array(std::uint64_t offset);

  /// Memory of this process's heap. Any thread. Throws global::error where it is full.
  std::uint64_t allocate(std::uint64_t bytes);
  /// Under checks: the bytes are the calling task's from now on, whoever used them before.
  void note_new(std::uint64_t offset, std::uint64_t bytes);
  /// Gives back what allocate() gave, here or elsewhere.
  void deallocate(std::uint64_t offset, std::uint64_t bytes);

  /// Any thread; lasts until check_in() of the pin.
  held checkout(std::uint64_t offset, std::uint64_t bytes, access mode) {
    const std::uint64_t low = range_.within(offset);
    const checkouts::thread_seat seat = checkouts::seat();
    if (plain_ && seat.memory_id == id_ && bytes <= range_.block_bytes() - low &&
        offset < range_.bytes()) [[likely]] {
      if (pin* p = seat.pins->free_pin(); p != nullptr) [[likely]] {
        checkouts::occupy(*p, offset, bytes, mode);
        block& b = blocks_[range_.block_of(offset)];
        const auto begin = static_cast<std::uint32_t>(low);
        const auto end = static_cast<std::uint32_t>(low + bytes);
        const range_hint& hint = mode == access::read ? b.readable : b.writable;
        if (bytes != 0 && hint.covers(begin, end)) [[likely]] {
          b.touch();
          seat.pins->count_hit();
          return {range_.at(offset), p};
        }
        p->drop();
      }
    }
    return checkout_slow(offset, bytes, mode);
  }

  /// Several at a time: one wait for all.
  void checkout_all(std::span<const checkout_request> requests, std::span<held> results);

  /// Ends a checkout; any thread.
  void check_in(pin& p) noexcept {
    if (p.ends_slowly()) [[unlikely]]
      check_in_slow(p);
    else
      p.drop();
  }

  /// A checkout that is to come: what it will have to fetch is on its way, as far as that could
  /// begin at once. Ends by finish() or abandon(), by any thread of the process.
  struct begun {
    pin* kept = nullptr;       // under checks: says that a checkout lasts
    std::uint64_t number = 0;  // of the fetch; 0: none
  };
  /// Throws where checkout() would, but for want of room: that is told by finish().
  begun begin(const checkout_request& r);
  held finish(const checkout_request& r, begun b);
  void abandon(begun b) noexcept;

  /// Checkouts of the calling task that last.
  [[nodiscard]] std::size_t checked_out() const { return checkouts_.of_caller(); }

  /// Atomic operations on words.
  [[nodiscard]] atomic_words& words() noexcept { return words_; }

  [[nodiscard]] memory_counts counts() const { return counts_.read(checkouts_.hits()); }
  [[nodiscard]] std::byte* base() const noexcept { return range_.base(); }
  [[nodiscard]] const memory_options& options() const noexcept { return options_; }
  [[nodiscard]] transport& network() const noexcept { return network_; }
  [[nodiscard]] std::uint64_t resident_bytes() const noexcept { return cache_.resident_bytes(); }

  /// The invariant of one of the owners that does not hold, or null. While no thread of this
  /// process is at work on its global memory.
  [[nodiscard]] const char* check();

 private:
  held checkout_slow(std::uint64_t offset, std::uint64_t bytes, access mode);
  [[nodiscard]] bool needs_pin(const checkout_request& r) const noexcept {
    return r.bytes != 0 && (ranks_ > 1 || options_.checked);
  }
  void check_in_slow(pin& p) noexcept;

  transport& network_;
  const memory_options options_;
  const int ranks_;

  // Each checkout reads these four, and nobody writes them: a cache line of their own.
  alignas(64) const std::uint64_t id_;  // of this memory, never used again
  const bool plain_;                    // more than one rank, and no checks wanted
  address_range range_;
  block_table blocks_;

  control_window control_;
  directory directory_;
  checkouts checkouts_;
  live_counts counts_;
  notice_log notices_;
  versions versions_;
  cache cache_;
  begin_notices at_begin_;
  memory_checks checks_;
  atomic_words words_;
};

}  // namespace kasuri::cluster
