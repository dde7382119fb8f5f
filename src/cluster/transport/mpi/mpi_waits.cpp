// SPDX-License-Identifier: Apache-2.0
// Sleeping between looks into MPI.

#include <algorithm>
#include <cstdint>
#include <thread>
#include <utility>

#include "cluster/transport/job/job_line.hpp"
#include "cluster/transport/mpi/mpi.hpp"
#include "cluster/transport/mpi/mpi_tender.hpp"
#include "cluster/transport/mpi/mpi_turns.hpp"
#include "cluster/transport/steady_time.hpp"
#include "platform/thread/os_thread.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::uint64_t us = 1000;

}  // namespace

void wait_a_little(unsigned turn) {
  constexpr unsigned yields = 20;
  constexpr std::uint64_t first_sleep = 5 * us;
  constexpr std::uint64_t longest_sleep = 100 * us;
  if (turn < yields) {
    std::this_thread::yield();
  } else {
    platform::sleep_exactly(std::min(longest_sleep, first_sleep + (turn - yields) * us));
  }
}

void mpi_tender::start() {
  started_ = platform::start_os_thread(
      thread_,
      [](void* self) -> void* {
        static_cast<mpi_tender*>(self)->tend();
        return nullptr;
      },
      this, "kasuri-mpi");
}

void mpi_tender::stop() {
  if (!std::exchange(started_, false)) return;
  goes_on_.store(false, std::memory_order_relaxed);
  ::pthread_join(thread_, nullptr);
}

void mpi_tender::tend() {
  constexpr std::uint64_t every = 200 * us;
  while (goes_on_.load(std::memory_order_relaxed)) {
    platform::sleep_exactly(every);
    if (steady_ns() - looked_ns_() >= every) look_();
  }
}

}  // namespace kasuri::cluster
