// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/shared/shared.hpp"

#include <atomic>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "cluster/transport/job/exit_note.hpp"
#include "cluster/transport/job/job_line.hpp"
#include "cluster/transport/shared/shared_wait.hpp"
#include "cluster/transport/steady_time.hpp"
#include "kasuri/detail/atomics.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/cpu/cpus.hpp"
#include "platform/memory/memory.hpp"
#include "platform/memory/shared_memory.hpp"
#include "platform/process/executable.hpp"

namespace kasuri::cluster {
namespace {

template <class Word>
std::uint64_t apply_to(Word& word, const atomic_operation& op) {
  using kind = atomic_operation::kind;
  const std::atomic_ref<Word> at(word);
  const auto value = static_cast<Word>(op.value);
  auto expected = static_cast<Word>(op.expected);
  switch (op.what) {
    case kind::load:
      return at.load(std::memory_order_acquire);  // pairs with: the others of these
    case kind::add:
      return at.fetch_add(value, std::memory_order_acq_rel);  // pairs with: as load
    case kind::exchange:
      return at.exchange(value, std::memory_order_acq_rel);  // pairs with: as load
    case kind::compare_swap:
      break;
  }
  // pairs with: as load
  at.compare_exchange_strong(expected, value, std::memory_order_acq_rel, std::memory_order_acquire);
  return expected;
}

}  // namespace

shared_transport::shared_transport(job_file file, int rank, shared_options options)
    : file_(std::move(file)),
      rank_(rank),
      size_(file_.ranks()),
      options_(std::move(options)),
      start_ns_(steady_ns()),
      ends_(file_, rank, *this),
      collectives_(file_, rank, ends_),
      windows_(file_, rank, collectives_, ends_) {
  ends_.take_seat();
  barrier();
  if (options_.watch && size_ > 1) {
    std::vector<int> all(static_cast<std::size_t>(size_));
    std::iota(all.begin(), all.end(), 0);
    watch_.emplace(file_, all, rank_, [this] { barrier(); });
  }
}

shared_transport::~shared_transport() {
  announce_end();
  ends_.wait_for_all();
  ends_.leave();
  watch_.reset();
  note_exit_in(nullptr);
  say_failures_once(nullptr);
  windows_.unmap();
  if (options_.after) options_.after();
}

int shared_transport::host_of(int rank) const noexcept {
  return options_.host_ranks == 0 ? 0 : rank / options_.host_ranks;
}

void shared_transport::put(int target, const window& w, std::size_t offset, const void* from,
                           std::size_t bytes) {
  std::memcpy(windows_.at(target, w, offset, bytes), from, bytes);
}

void shared_transport::get(int target, const window& w, std::size_t offset, void* to,
                           std::size_t bytes) {
  std::memcpy(to, windows_.at(target, w, offset, bytes), bytes);
}

void shared_transport::flush(int) {
  // pairs with: the same fence or an atomic operation of a rank that is told of the data.
  std::atomic_thread_fence(std::memory_order_acq_rel);
}

std::uint64_t shared_transport::fetch_add(int target, const window& w, std::size_t offset,
                                          std::uint64_t value) {
  // pairs with: all four of these in the other processes.
  return std::atomic_ref(windows_.word(target, w, offset))
      .fetch_add(value, std::memory_order_acq_rel);
}

std::uint64_t shared_transport::compare_swap(int target, const window& w, std::size_t offset,
                                             std::uint64_t expected, std::uint64_t desired) {
  // pairs with: as fetch_add.
  std::atomic_ref(windows_.word(target, w, offset))
      .compare_exchange_strong(expected, desired, std::memory_order_acq_rel,
                               std::memory_order_acquire);
  return expected;
}

std::uint64_t shared_transport::load(int target, const window& w, std::size_t offset) {
  // pairs with: as fetch_add.
  return std::atomic_ref(windows_.word(target, w, offset)).load(std::memory_order_acquire);
}

std::uint64_t shared_transport::apply(int target, const window& w, std::size_t offset,
                                      const atomic_operation& op) {
  if (op.bytes == 4) return apply_to(windows_.word<std::uint32_t>(target, w, offset), op);
  return apply_to(windows_.word(target, w, offset), op);
}

void shared_transport::store(int target, const window& w, std::size_t offset, std::uint64_t value) {
  // pairs with: as fetch_add.
  std::atomic_ref(windows_.word(target, w, offset)).store(value, std::memory_order_release);
}

// No wake-up is lost: a sleeper counts itself before it reads `rings`, and a ringer counts the ring
// before it reads `sleepers`, both in the one order of sequentially consistent operations. So
// either the sleeper sees the ring, or the ringer sees the sleeper and wakes it, or the sleeper
// finds the word changed under the futex, where its sleep does not begin.
void shared_transport::nap(std::uint64_t ns) {
  job_seat& seat = file_.seat(rank_);
  seat.sleepers.fetch_add(1, std::memory_order_seq_cst);             // pairs with: ring
  std::uint32_t rings = seat.rings.load(std::memory_order_seq_cst);  // pairs with: ring
  bool rung = rings != rings_seen_.load(std::memory_order_relaxed);
  if (!rung) {
    platform::park_shared(plain(seat.rings), rings, ns);
    const std::uint32_t now = seat.rings.load(std::memory_order_acquire);  // pairs with: ring
    rung = now != rings;
    rings = now;
  }
  const std::uint32_t sleepers = seat.sleepers.fetch_sub(1, std::memory_order_relaxed);
  KASURI_EXPECT(cheap, sleepers != 0, "rank %d: a nap ends, and %u threads sleep", rank_, sleepers);
  if (rung) {
    rings_seen_.store(rings, std::memory_order_relaxed);
  } else if (ends_.any()) {
    ends_.look_for_ended();
  }
}

unsigned shared_transport::looks_before_nap() const noexcept {
  constexpr unsigned a_few_us = 400;
  return size_ <= platform::usable_cpus() ? a_few_us : 1;
}

void shared_transport::ring(int target) {
  KASURI_EXPECT(cheap, target >= 0 && target < size_, "rank %d of %d is rung", target, size_);
  job_seat& seat = file_.seat(target);
  seat.rings.fetch_add(1, std::memory_order_seq_cst);        // pairs with: nap
  if (seat.sleepers.load(std::memory_order_seq_cst) != 0) {  // pairs with: nap
    platform::unpark_shared(plain(seat.rings));
  }
}

std::uint64_t shared_transport::now_ns() const noexcept { return steady_ns() - start_ns_; }

}  // namespace kasuri::cluster
