// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/shared/shared_ends.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "cluster/transport/job/exit_note.hpp"
#include "cluster/transport/job/job_line.hpp"
#include "cluster/transport/shared/shared.hpp"

namespace kasuri::cluster {
namespace {

TEST(SharedEnds, AllLeaveTheirSeatsWhenAllHaveComeToTheEnd) {
  const job_file file = job_file::create(3, 0);
  const shared_transport unused(job_file::create(1, 0), 0, {});
  std::vector<std::thread> threads;
  for (int rank = 0; rank != 3; ++rank)
    threads.emplace_back([&, rank] {
      const job_file mine = job_file::adopt(::dup(file.descriptor()));
      shared_ends ends(mine, rank, unused);
      EXPECT_EQ(mine.seat(rank).state.load(std::memory_order_relaxed), seat_empty);
      ends.take_seat();
      EXPECT_EQ(mine.seat(rank).state.load(std::memory_order_relaxed), seat_taken);
      EXPECT_FALSE(ends.announced());
      ends.announce();
      ends.announce();  // counts once
      ends.wait_for_all();
      EXPECT_EQ(mine.control().ended.load(std::memory_order_relaxed), 3U);
      ends.leave();
      note_exit_in(nullptr);
      say_failures_once(nullptr);
    });
  for (std::thread& t : threads) t.join();
  for (int rank = 0; rank != 3; ++rank)
    EXPECT_EQ(file.seat(rank).state.load(std::memory_order_relaxed), seat_left);
}

TEST(SharedEnds, ARankThatNeverCameEndsTheJob) {
  const shared_transport unused(job_file::create(1, 0), 0, {});
  const job_file file = job_file::create(2, 0);
  shared_ends ends(file, 0, unused);
  ends.look_for_ended();  // nothing has happened
  EXPECT_FALSE(ends.any());
  EXPECT_EXIT(
      {
        file.seat(1).state.store(seat_gone, std::memory_order_relaxed);
        ends.look_for_ended();
      },
      testing::ExitedWithCode(2), "rank 1 of the job ended without having joined it");
}

TEST(SharedEnds, OthersGoSilentlyWhereOneHasSaidWhyTheJobFails) {
  const shared_transport unused(job_file::create(1, 0), 0, {});
  const job_file file = job_file::create(2, 0);
  shared_ends ends(file, 0, unused);
  EXPECT_EXIT(
      {
        report_failure(file.control(), "by another one");
        EXPECT_TRUE(ends.any());
        ends.look_for_ended();
      },
      testing::ExitedWithCode(2), "^kasuri: by another one\n$");
}

}  // namespace
}  // namespace kasuri::cluster
