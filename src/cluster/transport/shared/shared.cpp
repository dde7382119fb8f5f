// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/shared/shared.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <numeric>
#include <utility>

#include "cluster/transport/job/exit_note.hpp"
#include "cluster/transport/job/job_line.hpp"
#include "kasuri/detail/atomics.hpp"
#include "platform/base/fatal.hpp"
#include "platform/cpu/cpus.hpp"
#include "platform/memory/memory.hpp"
#include "platform/memory/shared_memory.hpp"
#include "platform/process/executable.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::uint64_t ms = 1'000'000;
constexpr std::uint64_t look_every = 200 * ms;
constexpr std::uint64_t patience = 1000 * ms;  // with a rank at its end while others wait for it
constexpr std::uint64_t window_alignment = 2u << 20;
constexpr int spins = 400;  // before a collective operation sleeps; a few microseconds

std::uint64_t clock_ns() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

std::uint32_t& plain(shared_word& word) { return reinterpret_cast<std::uint32_t&>(word); }

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

shared_transport::shared_transport(job_file file, int rank, shared_options options)
    : file_(std::move(file)),
      rank_(rank),
      size_(file_.ranks()),
      options_(std::move(options)),
      page_(platform::page_size()),
      start_ns_(clock_ns()),
      may_spin_(size_ <= platform::usable_cpus()),
      next_window_((file_.windows() + window_alignment - 1) / window_alignment * window_alignment) {
  take_seat();
  barrier();
  if (options_.watch && size_ > 1) {
    std::vector<int> all(static_cast<std::size_t>(size_));
    std::iota(all.begin(), all.end(), 0);
    watch_.emplace(file_, all, rank_, [this] { barrier(); });
  }
}

void shared_transport::announce_end() {
  if (std::exchange(announced_, true)) return;
  file_.seat(rank_).state.store(seat_ending, std::memory_order_relaxed);
  shared_word& ended = file_.control().ended;
  // The last of all frees the others. pairs with: wait_for_all_ends, in the other processes.
  if (ended.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<std::uint32_t>(size_)) {
    platform::unpark_shared(plain(ended));
  }
}

// Until then a rank that has announced its end takes part in no collective operation: the others'
// could be others.
void shared_transport::wait_for_all_ends() {
  job_control& control = file_.control();
  while (true) {
    // pairs with: announce_end, in the other processes
    const std::uint32_t ended = control.ended.load(std::memory_order_acquire);
    if (ended == static_cast<std::uint32_t>(size_)) break;
    platform::park_shared(plain(control.ended), ended, look_every);
    if (control.failed.load(std::memory_order_relaxed) != 0) fail("");
  }
}

shared_transport::~shared_transport() {
  announce_end();
  wait_for_all_ends();
  job_seat& seat = file_.seat(rank_);
  seat.state.store(seat_left, std::memory_order_release);  // pairs with: the watch's load
  watch_.reset();
  note_exit_in(nullptr);
  say_failures_once(nullptr);
  for (const placement& each : windows_) {
    if (each.start != nullptr) platform::unmap_shared(each.start, each.bytes);
  }
  if (options_.after) options_.after();
}

void shared_transport::take_seat() {
  job_seat& seat = file_.seat(rank_);
  std::uint32_t empty = seat_empty;
  if (!seat.state.compare_exchange_strong(empty, seat_taken, std::memory_order_relaxed,
                                          std::memory_order_relaxed)) {
    platform::fatal(
        "rank %d of this job is already process %u: a program that a rank starts "
        "cannot be a rank too",
        rank_, seat.pid.load(std::memory_order_relaxed));
  }
  seat.pid.store(platform::process_id(), std::memory_order_relaxed);
  note_exit_in(&seat.exit_called);
  say_failures_once(&file_.control());
}

void shared_transport::fail(const std::string& text) {
  report_failure(file_.control(), text);
  ::_exit(2);
}

// Called by who has waited for others for a while.
void shared_transport::look_for_ended() {
  job_control& control = file_.control();
  if (control.failed.load(std::memory_order_relaxed) != 0) fail("");
  for (int r = 0; r < size_; ++r) {
    if (file_.seat(r).state.load(std::memory_order_relaxed) == seat_gone) {
      fail("rank " + std::to_string(r) + " of the job ended without having joined it");
    }
  }
  if (announced_ || control.ended.load(std::memory_order_relaxed) == 0) return;
  const std::uint64_t now = clock_ns();
  std::uint64_t first = 0;
  if (ended_noticed_ns_.compare_exchange_strong(first, now, std::memory_order_relaxed,
                                                std::memory_order_relaxed) ||
      now - first < patience) {
    return;
  }
  for (int r = 0; r < size_; ++r) {
    if (file_.seat(r).state.load(std::memory_order_relaxed) == seat_ending) {
      fail(failure_text(file_, r, "it has stopped the cluster while others go on") +
           waits_in(rank_, entered()));
    }
  }
}

int shared_transport::host_of(int rank) const noexcept {
  return options_.host_ranks == 0 ? 0 : rank / options_.host_ranks;
}

std::byte* shared_transport::part(int target, const window& w, std::size_t offset) const noexcept {
  const auto stride = static_cast<std::ptrdiff_t>((w.bytes + page_ - 1) & ~(page_ - 1));
  return w.local + (target - rank_) * stride + offset;
}

std::uint64_t& shared_transport::word(int target, const window& w,
                                      std::size_t offset) const noexcept {
  return *reinterpret_cast<std::uint64_t*>(part(target, w, offset));
}

void shared_transport::agree_on_size(std::size_t bytes) {
  std::vector<std::size_t> all(static_cast<std::size_t>(size_));
  all_gather(bytes_of(bytes), std::as_writable_bytes(std::span(all)));
  for (int r = 0; r < size_; ++r) {
    if (all[static_cast<std::size_t>(r)] != all[0]) {
      fail("a window of " + std::to_string(all[0]) + " bytes at rank 0 and of " +
           std::to_string(all[static_cast<std::size_t>(r)]) + " at rank " + std::to_string(r) +
           ": accepted is one size");
    }
  }
}

// Null where there is no room, or no number for so much.
std::byte* shared_transport::map_window(std::size_t all_bytes) {
  if (all_bytes == 0 ||
      (rank_ == 0 && !platform::extend_shared_file(file_.descriptor(), next_window_ + all_bytes))) {
    return nullptr;
  }
  return platform::map_shared(file_.descriptor(), next_window_, all_bytes);
}

window shared_transport::allocate(std::size_t bytes) {
  agree_on_size(bytes);
  const std::size_t stride = (std::max<std::size_t>(bytes, 1) + page_ - 1) & ~(page_ - 1);
  std::size_t all_bytes = 0;
  if (stride < bytes ||
      __builtin_mul_overflow(stride, static_cast<std::size_t>(size_), &all_bytes)) {
    all_bytes = 0;
  }
  std::byte* start = map_window(all_bytes);
  const std::byte mine{start != nullptr};
  std::vector<std::byte> all(static_cast<std::size_t>(size_));
  all_gather(std::span(&mine, 1), all);
  if (std::ranges::find(all, std::byte{0}) != all.end()) {
    if (start != nullptr) platform::unmap_shared(start, all_bytes);
    throw std::bad_alloc();
  }
  const std::scoped_lock lock(windows_mutex_);
  windows_.push_back({next_window_, start, all_bytes});
  next_window_ += (all_bytes + window_alignment - 1) / window_alignment * window_alignment;
  return {static_cast<int>(windows_.size()) - 1, start + static_cast<std::size_t>(rank_) * stride,
          bytes};
}

void shared_transport::free(window& w) {
  barrier();  // nobody is in the middle of an operation
  const std::scoped_lock lock(windows_mutex_);
  placement& place = windows_[static_cast<std::size_t>(w.id)];
  platform::unmap_shared(place.start, place.bytes);
  place.start = nullptr;
  if (rank_ == 0) platform::discard_shared(file_.descriptor(), place.offset, place.bytes);
  w = {};
}

void shared_transport::alias(const window& w, std::size_t offset, std::size_t bytes, void* at) {
  std::uint64_t in_file = offset;
  {
    const std::scoped_lock lock(windows_mutex_);
    const placement& place = windows_[static_cast<std::size_t>(w.id)];
    in_file += place.offset + static_cast<std::uint64_t>(w.local - place.start);
  }
  if (platform::map_shared(file_.descriptor(), in_file, bytes, at) == nullptr) {
    fail("rank " + std::to_string(rank_) + ": no second mapping of " + std::to_string(bytes) +
         " bytes of shared memory: " + std::strerror(errno) +
         " (vm.max_map_count limits the mappings of a process)");
  }
}

void shared_transport::put(int target, const window& w, std::size_t offset, const void* from,
                           std::size_t bytes) {
  std::memcpy(part(target, w, offset), from, bytes);
}

void shared_transport::get(int target, const window& w, std::size_t offset, void* to,
                           std::size_t bytes) {
  std::memcpy(to, part(target, w, offset), bytes);
}

void shared_transport::flush(int) {
  // pairs with: the same fence or an atomic operation of whoever is told of the data.
  std::atomic_thread_fence(std::memory_order_acq_rel);
}

std::uint64_t shared_transport::fetch_add(int target, const window& w, std::size_t offset,
                                          std::uint64_t value) {
  // pairs with: all four of these in the other processes.
  return std::atomic_ref(word(target, w, offset)).fetch_add(value, std::memory_order_acq_rel);
}

std::uint64_t shared_transport::compare_swap(int target, const window& w, std::size_t offset,
                                             std::uint64_t expected, std::uint64_t desired) {
  // pairs with: as fetch_add.
  std::atomic_ref(word(target, w, offset))
      .compare_exchange_strong(expected, desired, std::memory_order_acq_rel,
                               std::memory_order_acquire);
  return expected;
}

std::uint64_t shared_transport::load(int target, const window& w, std::size_t offset) {
  // pairs with: as fetch_add.
  return std::atomic_ref(word(target, w, offset)).load(std::memory_order_acquire);
}

void shared_transport::store(int target, const window& w, std::size_t offset, std::uint64_t value) {
  // pairs with: as fetch_add.
  std::atomic_ref(word(target, w, offset)).store(value, std::memory_order_release);
}

// No wake-up is lost: a sleeper counts itself before it reads `rings`, whoever rings counts the
// ring before it reads `sleepers`, both in the one order of sequentially consistent operations. So
// either the sleeper sees the ring, or the ringer sees the sleeper and wakes it, or finds the word
// changed under the futex, where the sleep does not begin.
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
  seat.sleepers.fetch_sub(1, std::memory_order_relaxed);
  if (rung) {
    rings_seen_.store(rings, std::memory_order_relaxed);
  } else if (file_.control().ended.load(std::memory_order_relaxed) != 0 ||
             file_.control().failed.load(std::memory_order_relaxed) != 0) {
    look_for_ended();
  }
}

void shared_transport::ring(int target) {
  job_seat& seat = file_.seat(target);
  seat.rings.fetch_add(1, std::memory_order_seq_cst);        // pairs with: nap
  if (seat.sleepers.load(std::memory_order_seq_cst) != 0) {  // pairs with: nap
    platform::unpark_shared(plain(seat.rings));
  }
}

std::uint64_t shared_transport::now_ns() const noexcept { return clock_ns() - start_ns_; }

void shared_transport::wait_for_change(shared_word& word, std::uint32_t old) {
  for (int i = 0; may_spin_ && i < spins; ++i) {
    if (word.load(std::memory_order_acquire) != old) return;  // pairs with: barrier
    detail::real_atomics::pause();
  }
  while (word.load(std::memory_order_acquire) == old) {  // pairs with: barrier
    const std::uint64_t before = clock_ns();
    platform::park_shared(plain(word), old, look_every);
    if (clock_ns() - before >= look_every) look_for_ended();
  }
}

void shared_transport::barrier() {
  if (size_ == 1) return;
  if (announced_) wait_for_all_ends();
  job_control& control = file_.control();
  const std::uint32_t round = control.round.load(std::memory_order_relaxed);
  // pairs with: the other ranks' fetch_add; the last one has seen what all had done.
  if (control.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 ==
      static_cast<std::uint32_t>(size_)) {
    control.arrived.store(0, std::memory_order_relaxed);
    control.round.store(round + 1, std::memory_order_release);  // pairs with: wait_for_change
    platform::unpark_shared(plain(control.round));
  } else {
    wait_for_change(control.round, round);
  }
}

void shared_transport::broadcast(int root, std::span<std::byte> data) {
  if (size_ == 1) return;
  while (!data.empty()) {
    const std::size_t now = std::min(data.size(), staging_bytes);
    if (rank_ == root) std::memcpy(file_.staging(root), data.data(), now);
    barrier();
    if (rank_ != root) std::memcpy(data.data(), file_.staging(root), now);
    barrier();  // the place may be used again
    data = data.subspan(now);
  }
}

void shared_transport::all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
  for (std::size_t done = 0; done < mine.size();) {
    const std::size_t now = std::min(mine.size() - done, staging_bytes);
    std::memcpy(file_.staging(rank_), mine.data() + done, now);
    barrier();
    for (int r = 0; r < size_; ++r) {
      std::memcpy(all.data() + static_cast<std::size_t>(r) * mine.size() + done, file_.staging(r),
                  now);
    }
    barrier();  // the places may be used again
    done += now;
  }
}

}  // namespace kasuri::cluster
