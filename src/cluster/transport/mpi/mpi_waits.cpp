// SPDX-License-Identifier: Apache-2.0
// Taking in messages, and waiting: for time, for a ring, for collective operations.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "cluster/transport/job/job_line.hpp"
#include "cluster/transport/mpi/mpi.hpp"
#include "platform/thread/os_thread.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::uint64_t us = 1000;
constexpr std::uint64_t patience = 1'000'000 * us;  // with a rank at its end while others wait
constexpr std::uint64_t longest_sleep = 100 * us;
constexpr std::size_t largest_collective = 1u << 20;

// Numbers that messages carry: a ring, or the end of a rank with what exit() was called with, if it
// was.
constexpr int ring_message = -1;

std::string exit_in_words(int called) {
  return called == 0 ? "it has stopped the cluster while others go on"
                     : "it ended by exit(" + std::to_string(called - 1) + ')';
}

}  // namespace

std::uint64_t mpi_transport::clock_ns() noexcept {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

void mpi_transport::tend() {
  constexpr std::uint64_t every = 200 * us;
  while (tends_.load(std::memory_order_relaxed)) {
    platform::sleep_exactly(every);
    if (clock_ns() - looked_ns_.load(std::memory_order_relaxed) < every) continue;
    if (!(memory_by_mpi_ && mpi_->one_sided())) look();
  }
}

void mpi_transport::stop_tending() {
  if (!std::exchange(tended_, false)) return;
  tends_.store(false, std::memory_order_relaxed);
  ::pthread_join(tender_, nullptr);
}

// Takes in all messages that have come.
void mpi_transport::look() {
  looked_ns_.store(clock_ns(), std::memory_order_relaxed);
  const std::scoped_lock lock(mutex_);
  for (int source = 0, number = 0; mpi_->receive(source, number);) {
    if (number == ring_message) {
      rung_ = true;
    } else {
      exits_[static_cast<std::size_t>(source)] = number;
      ended_.fetch_add(1, std::memory_order_relaxed);
    }
  }
}

void mpi_transport::progress() { look(); }

// The n-th turn of a wait: first the others on this CPU may work, then longer and longer sleeps.
void mpi_transport::wait_a_little(unsigned turn) {
  constexpr unsigned yields = 20;
  constexpr std::uint64_t first_sleep = 5 * us;
  if (turn < yields) {
    std::this_thread::yield();
  } else {
    platform::sleep_exactly(std::min(longest_sleep, first_sleep + (turn - yields) * us));
  }
}

// Called by who has waited in vain for so long.
void mpi_transport::look_for_ended(std::uint64_t waited_ns) {
  const std::scoped_lock lock(mutex_);
  if (announced_ || ended_.load(std::memory_order_relaxed) == 0 || waited_ns < us) return;
  const std::uint64_t now = clock_ns();
  if (ended_noticed_ns_ == 0) ended_noticed_ns_ = now;
  if (now - ended_noticed_ns_ < patience) return;
  const auto first = std::ranges::find_if(exits_, [](int each) { return each >= 0; });
  const std::string text =
      failure_text(static_cast<int>(first - exits_.begin()), exit_in_words(*first)) +
      waits_in(rank_, entered());
  report_failure(board_.control(), text);
  mpi_->abort(2);
}

void mpi_transport::nap(std::uint64_t ns) {
  const std::uint64_t begin = clock_ns();
  for (unsigned turn = 0; true; ++turn) {
    look();
    {
      const std::scoped_lock lock(mutex_);
      if (std::exchange(rung_, false)) return;
    }
    const std::uint64_t waited = clock_ns() - begin;
    if (waited >= ns) {
      look_for_ended(waited);
      return;
    }
    wait_a_little(turn);
  }
}

void mpi_transport::ring(int target) {
  const std::scoped_lock lock(mutex_);
  if (target == rank_) {
    rung_ = true;
  } else {
    mpi_->send(target, ring_message);
  }
}

std::uint64_t mpi_transport::now_ns() const noexcept { return clock_ns() - start_ns_; }

void mpi_transport::wait_for_collective() {
  const std::uint64_t begin = clock_ns();
  for (unsigned turn = 0; true; ++turn) {
    {
      const std::scoped_lock lock(mutex_);
      if (mpi_->collective_done()) return;
    }
    look();
    look_for_ended(clock_ns() - begin);
    wait_a_little(turn);
  }
}

void mpi_transport::barrier() {
  if (announced_) wait_for_all_ends();
  {
    const std::scoped_lock lock(mutex_);
    mpi_->begin_barrier();
  }
  wait_for_collective();
}

void mpi_transport::broadcast(int root, std::span<std::byte> data) {
  while (!data.empty()) {
    const std::size_t now = std::min(data.size(), largest_collective);
    if (announced_) wait_for_all_ends();
    {
      const std::scoped_lock lock(mutex_);
      mpi_->begin_broadcast(root, data.data(), now);
    }
    wait_for_collective();
    data = data.subspan(now);
  }
}

void mpi_transport::all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
  const std::size_t part = std::min(mine.size(), largest_collective);
  std::vector<std::byte> parts(part * static_cast<std::size_t>(size_));
  for (std::size_t done = 0; done < mine.size();) {
    const std::size_t now = std::min(mine.size() - done, part);
    if (announced_) wait_for_all_ends();
    {
      const std::scoped_lock lock(mutex_);
      mpi_->begin_all_gather(mine.data() + done, parts.data(), now);
    }
    wait_for_collective();
    for (std::size_t r = 0; r < static_cast<std::size_t>(size_); ++r) {
      std::memcpy(all.data() + r * mine.size() + done, parts.data() + r * now, now);
    }
    done += now;
  }
}

}  // namespace kasuri::cluster
