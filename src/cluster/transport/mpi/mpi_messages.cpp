// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/mpi/mpi_messages.hpp"

#include <algorithm>
#include <utility>

#include "cluster/transport/steady_time.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::uint64_t ns_per_us = 1000;
// With a rank at its end while others wait.
constexpr std::uint64_t patience = 1'000'000 * ns_per_us;

// Numbers that messages carry: a ring, or the end of a rank with the status that exit() was called
// with, if it was.
constexpr int ring_message = -1;

std::string exit_in_words(int called) {
  return called == 0 ? "it has stopped the cluster while others go on"
                     : "it ended by exit(" + std::to_string(called - 1) + ')';
}

}  // namespace

mpi_messages::mpi_messages(mpi_turns& turns, end_of_job end_job)
    : turns_(turns),
      end_job_(std::move(end_job)),
      exits_(static_cast<std::size_t>(turns.size()), -1) {}

void mpi_messages::take_in(int source, int number) {
  KASURI_EXPECT(cheap, source >= 0 && source < turns_.size() && source != turns_.rank(),
                "rank %d of %d has a message of rank %d", turns_.rank(), turns_.size(), source);
  if (number == ring_message) {
    rung_ = true;
    return;
  }
  int& exit = exits_[static_cast<std::size_t>(source)];
  KASURI_EXPECT(cheap, number >= 0 && exit < 0, "rank %d ends with %d, and has ended with %d",
                source, number, exit);
  exit = number;
  const int before = ended_.fetch_add(1, std::memory_order_relaxed);
  KASURI_EXPECT(cheap, before + 1 < turns_.size(), "%d of %d other ranks have ended", before + 1,
                turns_.size() - 1);
}

void mpi_messages::look() {
  looked_ns_.store(steady_ns(), std::memory_order_relaxed);
  const mpi_turns::turn mine = turns_.take();
  for (int source = 0, number = 0; turns_.mpi(mine).receive(source, number);)
    take_in(source, number);
}

void mpi_messages::look_for_ended(std::uint64_t waited_ns) {
  const mpi_turns::turn mine = turns_.take();
  if (announced_ || ended_.load(std::memory_order_relaxed) == 0 || waited_ns < ns_per_us) return;
  const std::uint64_t now = steady_ns();
  if (ended_noticed_ns_ == 0) ended_noticed_ns_ = now;
  if (now - ended_noticed_ns_ < patience) return;
  const auto first = std::ranges::find_if(exits_, [](int each) { return each >= 0; });
  KASURI_EXPECT(cheap, first != exits_.end(), "%d ranks have ended, and none has said so",
                ended_.load(std::memory_order_relaxed));
  end_job_(turns_.mpi(mine), static_cast<int>(first - exits_.begin()), exit_in_words(*first));
}

void mpi_messages::nap(std::uint64_t ns) {
  const std::uint64_t begin = steady_ns();
  for (unsigned n = 0; true; ++n) {
    look();
    {
      const mpi_turns::turn mine = turns_.take();
      if (std::exchange(rung_, false)) return;
    }
    const std::uint64_t waited = steady_ns() - begin;
    if (waited >= ns) {
      look_for_ended(waited);
      return;
    }
    wait_a_little(n);
  }
}

void mpi_messages::ring(int target) {
  KASURI_EXPECT(cheap, target >= 0 && target < turns_.size(), "rank %d of %d is rung", target,
                turns_.size());
  const mpi_turns::turn mine = turns_.take();
  if (target == turns_.rank()) {
    rung_ = true;
  } else {
    turns_.mpi(mine).send(target, ring_message);
  }
}

void mpi_messages::announce_end(int exit_called) {
  KASURI_EXPECT(cheap, exit_called >= 0 && exit_called <= 256, "exit(%d) is announced",
                exit_called - 1);
  if (std::exchange(announced_, true)) return;
  for (int r = 0; r < turns_.size(); ++r) {
    const mpi_turns::turn mine = turns_.take();
    if (r != turns_.rank()) turns_.mpi(mine).send(r, exit_called);
  }
}

void mpi_messages::wait_for_all_ends() {
  KASURI_EXPECT(cheap, announced_, "rank %d waits for the others' ends, and goes on itself",
                turns_.rank());
  for (unsigned n = 0; true; ++n) {
    look();
    if (ended_.load(std::memory_order_relaxed) == turns_.size() - 1) break;
    wait_a_little(n);
  }
}

}  // namespace kasuri::cluster
