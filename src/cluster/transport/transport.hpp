// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cluster layer asks this of a network: one-sided access to windows of memory, atomic
// operations on words in them, and a way to sleep until somebody calls. Nothing above knows MPI.
// The backends: memory shared by the processes of one host, MPI, and a simulation in which the
// ranks are contexts of one process and time is virtual.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "cluster/transport/atomic_operation.hpp"
#include "cluster/transport/collective_call.hpp"

namespace kasuri::cluster {

class call_tree;

/// Memory that every rank has a part of, all of the same size, zero at first.
struct window {
  int id = -1;
  std::byte* local = nullptr;  // this rank's part, aligned to a page
  std::size_t bytes = 0;       // of each part
};

/// One rank's end of the network. All functions may be called by several threads of a process at a
/// time unless they are said to be collective: those are called by every rank, in the same order,
/// by one thread of each. A failure of the network or of another rank ends the process with a line
/// that names it.
class transport {
 public:
  transport();
  transport(const transport&) = delete;
  transport& operator=(const transport&) = delete;
  virtual ~transport();

  [[nodiscard]] virtual int rank() const noexcept = 0;
  [[nodiscard]] virtual int size() const noexcept = 0;

  /// The host of a rank, to tell which are near: equal numbers are on one host. Hosts are counted
  /// from 0.
  [[nodiscard]] virtual int host_of(int rank) const noexcept = 0;

  /// Collective: a window with `bytes` bytes at each rank. Throws std::bad_alloc, at all ranks,
  /// where one of them has no room.
  virtual window allocate(std::size_t bytes) = 0;

  /// Collective: gives a window back; its aliases stay mapped until the caller unmaps them.
  virtual void free(window& w) = 0;

  /// Shows bytes [offset, offset + bytes) of this rank's own part at address `at` too: the same
  /// memory. All three are multiples of a page; what was mapped there is replaced.
  virtual void alias(const window& w, std::size_t offset, std::size_t bytes, void* at) = 0;

  /// Whether memory that get() and put() were given may change its pages afterwards without their
  /// being told: not where a network card knows it by its pages.
  [[nodiscard]] virtual bool lets_pages_move() const noexcept { return true; }

  /// Whether what is begun with put() and get() for that rank goes on while the caller does
  /// something else; not where the caller's own processor copies.
  [[nodiscard]] virtual bool overlaps(int target) const noexcept = 0;

  /// Begins to copy to or from a part of a window. `from` and `to` stay the network's until
  /// flush(target). Operations on one target are not ordered before that.
  virtual void put(int target, const window& w, std::size_t offset, const void* from,
                   std::size_t bytes) = 0;
  virtual void get(int target, const window& w, std::size_t offset, void* to,
                   std::size_t bytes) = 0;

  /// Waits until this process's puts to `target` can be seen there and its gets have landed.
  virtual void flush(int target) = 0;

  /// Atomic operations on aligned words of 8 bytes, each a round trip; they return the word as it
  /// was before. They order like std::memory_order_acq_rel: a rank that sees the new word sees what
  /// the caller had written to its own part, and what it had put and flushed anywhere. Words that
  /// they are used on are touched by these functions alone, at their own rank too (`target` may be
  /// rank()).
  virtual std::uint64_t fetch_add(int target, const window& w, std::size_t offset,
                                  std::uint64_t value) = 0;
  virtual std::uint64_t compare_swap(int target, const window& w, std::size_t offset,
                                     std::uint64_t expected, std::uint64_t desired) = 0;
  virtual std::uint64_t load(int target, const window& w, std::size_t offset) = 0;

  /// Any atomic operation, on an aligned word of 4 or 8 bytes; returns the word as it was before.
  /// Ordered and used like the three above. Bytes beside a word of 4 are free for everything.
  ///
  /// This one is made of the three above: of 2 trips, and 1 more for each other rank that comes
  /// between. It is right where compare_swap() is atomic with puts to other bytes of the word.
  virtual std::uint64_t apply(int target, const window& w, std::size_t offset,
                              const atomic_operation& op);

  /// Posted: sets a word, not before the caller's earlier flushed puts. Need not be waited for.
  virtual void store(int target, const window& w, std::size_t offset, std::uint64_t value) = 0;

  /// Lets the network work, where it needs the program's time for that. Cheap.
  virtual void progress() = 0;

  /// Sleeps until another rank calls ring() for this one, at most `ns` nanoseconds; at once if it
  /// has rung since the last nap. The network goes on meanwhile.
  virtual void nap(std::uint64_t ns) = 0;

  /// How often to look at a word of one's own, with a pause in between, before a nap for it pays.
  [[nodiscard]] virtual unsigned looks_before_nap() const noexcept { return 1; }

  /// Posted: ends the nap of `target`, or forbids its next.
  virtual void ring(int target) = 0;

  /// The program of this rank is at its end: what follows are the collective operations that end
  /// the job, and the destructor, which announces it where nobody has. A rank that goes on waiting
  /// for one that has announced its end, for more than a second, ends the job with a line that
  /// names that one: so ends a job of which one rank calls exit() in the middle.
  virtual void announce_end() {}

  /// Words for the closures of other ranks that run here, which outlive this process: in the low
  /// half the rank that waits for one, above it 1 + the number by which that rank knows it; 0:
  /// free. Any thread sets them. How many there are when this rank dies is said in the line that
  /// names it. Empty where there is no such line.
  virtual std::span<std::atomic<std::uint32_t>> borrowed() noexcept { return {}; }

  /// The collective call of the program that this rank is in, or was in last, for messages: what it
  /// waits in. Counts them; one thread at a time.
  void enter(collective_call call) noexcept {
    call.number = entered_.number + 1;
    entered_ = call;
  }
  [[nodiscard]] const collective_call& entered() const noexcept { return entered_; }

  /// How the ranks meet in such calls. The first time collective.
  [[nodiscard]] call_tree& calls();

  /// Nanoseconds since the start; virtual ones in a simulation.
  [[nodiscard]] virtual std::uint64_t now_ns() const noexcept = 0;

  /// In a simulation: the caller computes for so long. Elsewhere nothing.
  virtual void spend(std::uint64_t ns) = 0;

  /// Collective. All earlier puts of all ranks can be seen afterwards.
  virtual void barrier() = 0;
  /// Collective: everybody gets what rank `root` has in `data`.
  virtual void broadcast(int root, std::span<std::byte> data) = 0;
  /// Collective: everybody gets everybody's `mine`, in the order of ranks; all of the same size.
  virtual void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;

 private:
  collective_call entered_;
  std::unique_ptr<call_tree> calls_;  // its window goes with those of the network
};

}  // namespace kasuri::cluster
