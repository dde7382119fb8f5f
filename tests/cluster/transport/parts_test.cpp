// SPDX-License-Identifier: Apache-2.0
// The parts of a job, one by one, with ranks that are forked.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <vector>

#include "cluster/transport/job/job_place.hpp"
#include "cluster/transport/open/self_test.hpp"
#include "cluster/transport/shared/shared.hpp"
#include "platform/memory/shared_memory.hpp"
#include "platform/process/executable.hpp"
#include "platform/process/process_watch.hpp"
#include "platform/settings/settings.hpp"

namespace kasuri::cluster {
namespace {

TEST(job_place, reads_what_it_writes) {
  for (const job_place place : {job_place{0, 0}, job_place{7, 12}, job_place{1000, 1023}}) {
    const auto read = parse_job_place(job_place_text(place));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->descriptor, place.descriptor);
    EXPECT_EQ(read->rank, place.rank);
  }
  for (const char* text :
       {"", ":", "3", "3:", ":3", "3:4:5", "3:4 ", "-1:0", "0:-1", "a:b", "99999999999:0"}) {
    EXPECT_FALSE(parse_job_place(text)) << text;
  }
}

TEST(job_file, adopts_none_but_a_jobs_file) {
  EXPECT_FALSE(job_file::adopt(-1).valid());
  const int null = ::open("/dev/null", O_RDWR);
  EXPECT_FALSE(job_file::adopt(null).valid());
  ::close(null);
  const int other = platform::create_shared_file("other", 1 << 20);
  EXPECT_FALSE(job_file::adopt(other).valid());
  ::close(other);
  const job_file made = job_file::create(5, 0);
  const job_file same =
      job_file::adopt(platform::open_shared_file_of(platform::process_id(), made.descriptor()));
  ASSERT_TRUE(same.valid());
  EXPECT_EQ(same.ranks(), 5);
  made.seat(4).pid.store(77, std::memory_order_relaxed);
  EXPECT_EQ(same.seat(4).pid.load(std::memory_order_relaxed), 77u);
}

TEST(job_file, one_failure_is_reported) {
  const job_file file = job_file::create(2, 0);
  testing::internal::CaptureStderr();
  EXPECT_TRUE(report_failure(file.control(), "rank 1 is gone"));
  EXPECT_FALSE(report_failure(file.control(), "rank 0 is gone"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "kasuri: rank 1 is gone\n");
}

TEST(shared_transport, alone_it_is_a_network_of_one) {
  shared_transport network(job_file::create(1, 0), 0, {});
  EXPECT_EQ(network.size(), 1);
  EXPECT_EQ(find_fault(network), "");
  window w = network.allocate(100);
  EXPECT_EQ(network.fetch_add(0, w, 8, 5), 0u);
  EXPECT_EQ(network.compare_swap(0, w, 8, 5, 9), 5u);
  EXPECT_EQ(network.compare_swap(0, w, 8, 5, 1), 9u);
  EXPECT_EQ(network.load(0, w, 8), 9u);
  network.free(w);
  EXPECT_EQ(w.local, nullptr);
  EXPECT_THROW(network.allocate(std::size_t{1} << 60), std::bad_alloc);
}

// Runs `rank_main` as the ranks of a job, this process being none; the sum of the statuses.
template <class F>
int run_job(int ranks, F rank_main) {
  const job_file file = job_file::create(ranks, 0);
  std::vector<pid_t> pids;
  for (int rank = 0; rank < ranks; ++rank) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      int status = 1;
      {
        shared_transport network(job_file::adopt(::dup(file.descriptor())), rank, {});
        status = rank_main(network);
      }
      ::_exit(status);
    }
    pids.push_back(pid);
  }
  int sum = 0;
  for (const pid_t pid : pids) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    sum += WIFEXITED(status) ? WEXITSTATUS(status) : 100;
  }
  return sum;
}

TEST(shared_transport, many_jobs_one_after_the_other) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(run_job(3, [](transport& network) { return find_fault(network).empty() ? 0 : 1; }),
              0);
  }
}

TEST(shared_transport, windows_of_different_sizes_end_the_job) {
  EXPECT_NE(run_job(2,
                    [](transport& network) {
                      network.allocate(static_cast<std::size_t>(1000 + network.rank()));
                      return 0;
                    }),
            0);
}

TEST(shared_transport, sixteen_ranks_share_two_counters) {
  EXPECT_EQ(run_job(16,
                    [](transport& network) {
                      window w = network.allocate(16);
                      for (int i = 0; i < 200; ++i) network.fetch_add(i % 16, w, 0, 1);
                      network.barrier();
                      const bool right =
                          network.load(network.rank(), w, 0) == (network.rank() < 8 ? 208u : 192u);
                      network.barrier();
                      network.free(w);
                      return right ? 0 : 1;
                    }),
            0);
}

TEST(process_watch, tells_of_each_end_in_order_but_of_those_that_may) {
  std::vector<platform::watched_process> watched;
  int told[2];
  ASSERT_EQ(::pipe2(told, O_CLOEXEC), 0);
  for (int i = 0; i < 3; ++i) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::close(ends[0]);
      ::close(told[1]);
      char byte;
      if (i == 0 && ::read(told[0], &byte, 1) != 1) ::_exit(1);  // when the end of 1 was told
      if (i == 1) ::raise(SIGKILL);
      ::_exit(40 + i);
    }
    ::close(ends[1]);
    watched.push_back({static_cast<std::uint32_t>(pid), ends[0]});
  }
  std::vector<std::pair<std::size_t, std::string>> seen;
  platform::watch_processes(
      watched, [](std::size_t i) { return i == 2; },
      [&](std::size_t i, const std::string& how) {
        seen.emplace_back(i, how);
        if (i == 1) EXPECT_EQ(::write(told[1], "", 1), 1);
      },
      [](std::size_t i) { ADD_FAILURE() << i << " stands still"; });
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].first, 1u);
  EXPECT_EQ(seen[1].first, 0u);
  for (const auto& each : watched) ::waitpid(static_cast<pid_t>(each.pid), nullptr, 0);
  EXPECT_EQ(seen[0].second, "it was killed by signal 9 (Killed)");
  EXPECT_EQ(seen[1].second, "it ended with status 40");
}

TEST(settings, a_suggested_number_of_workers_gives_way) {
  const int before = platform::current_settings().num_workers;
  platform::suggest_workers(before + 1);
  EXPECT_EQ(platform::current_settings().num_workers, before + 1);
  platform::override_workers(7);
  platform::suggest_workers(before);
  EXPECT_EQ(platform::current_settings().num_workers, 7);
  platform::override_workers(0);
  EXPECT_EQ(platform::current_settings().num_workers, before);
}

}  // namespace
}  // namespace kasuri::cluster
