// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/shared/shared_ends.hpp"

#include <unistd.h>

#include <utility>

#include "cluster/transport/job/exit_note.hpp"
#include "cluster/transport/job/job_line.hpp"
#include "cluster/transport/shared/shared_wait.hpp"
#include "cluster/transport/steady_time.hpp"
#include "cluster/transport/transport.hpp"
#include "platform/process/executable.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/memory/shared_memory.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::uint64_t shared_patience =
    1'000'000'000;  // with a rank at its end while others wait for it

}  // namespace

void shared_ends::take_seat() {
  KASURI_EXPECT(cheap, rank_ >= 0 && rank_ < file_.ranks(), "seat %d of %d", rank_, file_.ranks());
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

void shared_ends::announce() {
  if (std::exchange(announced_, true)) return;
  const auto ranks = static_cast<std::uint32_t>(file_.ranks());
  file_.seat(rank_).state.store(seat_ending, std::memory_order_relaxed);
  shared_word& ended = file_.control().ended;
  // The last of all frees the others. pairs with: wait_for_all, in the other processes.
  const std::uint32_t now = ended.fetch_add(1, std::memory_order_acq_rel) + 1;
  KASURI_EXPECT(cheap, now <= ranks, "%u of %u ranks have ended", now, ranks);
  if (now == ranks) platform::unpark_shared(plain(ended));
}

void shared_ends::wait_for_all() {
  KASURI_EXPECT(cheap, announced_, "rank %d waits for the others' ends, and goes on itself", rank_);
  job_control& control = file_.control();
  while (true) {
    // pairs with: announce, in the other processes
    const std::uint32_t ended = control.ended.load(std::memory_order_acquire);
    if (ended == control.ranks) break;
    platform::park_shared(plain(control.ended), ended, look_every);
    if (control.failed.load(std::memory_order_relaxed) != 0) fail("");
  }
}

void shared_ends::leave() {
  job_seat& seat = file_.seat(rank_);
  KASURI_EXPECT(cheap, seat.state.load(std::memory_order_relaxed) == seat_ending,
                "rank %d leaves its seat in state %u", rank_,
                seat.state.load(std::memory_order_relaxed));
  KASURI_EXPECT(cheap,
                file_.control().ended.load(std::memory_order_relaxed) == file_.control().ranks,
                "rank %d leaves its seat when %u of %u ranks have ended", rank_,
                file_.control().ended.load(std::memory_order_relaxed), file_.control().ranks);
  seat.state.store(seat_left, std::memory_order_release);  // pairs with: the watch's load
}

void shared_ends::fail(const std::string& text) const {
  report_failure(file_.control(), text);
  ::_exit(2);
}

void shared_ends::look_for_ended() {
  job_control& control = file_.control();
  if (control.failed.load(std::memory_order_relaxed) != 0) fail("");
  for (int r = 0; r < file_.ranks(); ++r) {
    if (file_.seat(r).state.load(std::memory_order_relaxed) == seat_gone) {
      fail("rank " + std::to_string(r) + " of the job ended without having joined it");
    }
  }
  if (announced_ || control.ended.load(std::memory_order_relaxed) == 0) return;
  const std::uint64_t now = steady_ns();
  std::uint64_t first = 0;
  if (ended_noticed_ns_.compare_exchange_strong(first, now, std::memory_order_relaxed,
                                                std::memory_order_relaxed) ||
      now - first < shared_patience) {
    return;
  }
  for (int r = 0; r < file_.ranks(); ++r) {
    if (file_.seat(r).state.load(std::memory_order_relaxed) == seat_ending) {
      fail(failure_text(file_, r, "it has stopped the cluster while others go on") +
           waits_in(rank_, of_.entered()));
    }
  }
}

}  // namespace kasuri::cluster
