// SPDX-License-Identifier: Apache-2.0
// The recording of a process: each test runs in processes of its own.
#include "record/recorder.hpp"

#include "unit/record/scratch.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace kasuri::record {
namespace {

using test::contents;

// Runs body in a child that leaves without exit handlers; returns its wait status.
template <class Body>
int in_child(Body body, pid_t* id = nullptr) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  if (id != nullptr) *id = child;
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

std::size_t size_with_events(std::size_t count) {
  return sizeof(file_header) + sizeof(block_header) + count * sizeof(event) + sizeof(block_header);
}

TEST(Recorder, OffThereAreNoLogsAndCallsDoNothing) {
  EXPECT_EQ(in_child([] {
              if (open_log(0, worker_role::worker) != nullptr) ::_exit(1);
              emit(nullptr, event_kind::park);
              emit_steal(nullptr, 1, 2, 3);
              emit_suspend(nullptr, 1, wait_reason::mutex);
              emit_spare(nullptr, event_kind::spare_begin, 1);
              drain();
              flush_all();
            }),
            0);
}

TEST(Recorder, StartingTwiceKeepsTheFirst) {
  const test::scratch_folder folder;
  EXPECT_EQ(in_child([&] {
              start_trace({.path = folder / "t"});
              worker_log* const log = open_log(0, worker_role::worker);
              emit(log, event_kind::park);
              flush_all();
              start_trace({.path = folder / "other"});
              if (open_log(0, worker_role::worker) != log) ::_exit(1);
              emit(log, event_kind::wake);
              flush_all();
            }),
            0);
  EXPECT_EQ(contents(folder / "t").size(),
            size_with_events(1) + 2 * sizeof(block_header) + sizeof(event));
  EXPECT_FALSE(std::filesystem::exists(folder / "other"));
}

TEST(Recorder, AFailedStartLeavesItOff) {
  const test::scratch_folder folder;
  EXPECT_EQ(in_child([&] {
              testing::internal::CaptureStderr();
              start_trace({.path = folder / "no/such"});
              const std::string line = testing::internal::GetCapturedStderr();
              if (line.empty() || open_log(0, worker_role::worker) != nullptr) ::_exit(1);
              flush_all();
            }),
            0);
}

TEST(Recorder, ForkedChildWritesItsOwnFileAndLeavesTheParents) {
  const test::scratch_folder folder;
  EXPECT_EQ(in_child([&] {
              start_trace({.path = folder / "t"});
              worker_log* const log = open_log(0, worker_role::worker);
              emit(log, event_kind::park);
              pid_t id = 0;
              const int status = in_child(
                  [&] {
                    emit(log, event_kind::wake);  // the inherited log leads nowhere
                    flush_all();
                    if (open_log(0, worker_role::worker) != nullptr) ::_exit(1);
                    start_trace({.path = folder / "t"});
                    worker_log* const own = open_log(0, worker_role::worker);
                    for (int i = 0; i < 3; ++i) emit(own, event_kind::spawn, i);
                    flush_all();
                  },
                  &id);
              if (status != 0) ::_exit(2);
              const std::string child = (folder / "t").string() + "." + std::to_string(id);
              if (contents(child).size() != size_with_events(3)) ::_exit(3);
              flush_all();
            }),
            0);
  EXPECT_EQ(contents(folder / "t").size(), size_with_events(1));
}

// Killed in the middle, the file holds what was drained, in whole blocks.
TEST(Recorder, KilledProgramLeavesWhatWasDrained) {
  const test::scratch_folder folder;
  const int status = in_child([&] {
    start_trace({.path = folder / "t", .buffer_bytes = 8 * sizeof(event)});
    worker_log* const log = open_log(0, worker_role::worker);
    for (int i = 0; i < 6; ++i) emit(log, event_kind::spawn, i);
    drain();
    emit(log, event_kind::spawn, 6);
    ::raise(SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(contents(folder / "t").size(),
            sizeof(file_header) + sizeof(block_header) + 6 * sizeof(event));
}

// Nor is a quarter of a ring needed for that: once a second all that is there goes out.
TEST(Recorder, KilledProgramLeavesWhatItDidASecondAgo) {
  const test::scratch_folder folder;
  const int status = in_child([&] {
    start_trace({.path = folder / "t", .buffer_bytes = 1 << 20});
    worker_log* const log = open_log(0, worker_role::worker);
    emit(log, event_kind::spawn, 1);
    ::usleep(1'100'000);
    drain();
    ::raise(SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(contents(folder / "t").size(),
            sizeof(file_header) + sizeof(block_header) + sizeof(event));
}

// The disk fills up while the program runs: one line, a file of whole blocks, the program goes on.
TEST(Recorder, WriteThatFailsCutsBackToWholeBlocks) {
  const test::scratch_folder folder;
  EXPECT_EQ(in_child([&] {
              start_trace({.path = folder / "t"});
              worker_log* const log = open_log(0, worker_role::worker);
              emit(log, event_kind::park);
              flush_all();
              const rlimit limit{size_with_events(1) + 30, RLIM_INFINITY};
              ::signal(SIGXFSZ, SIG_IGN);
              ::setrlimit(RLIMIT_FSIZE, &limit);
              testing::internal::CaptureStderr();
              for (int round = 0; round < 2; ++round) {
                for (int i = 0; i < 10; ++i) emit(log, event_kind::spawn, i);
                flush_all();
              }
              ::_exit(0);
            }),
            0);
  EXPECT_EQ(contents(folder / "t").size(), size_with_events(1));
}

}  // namespace
}  // namespace kasuri::record
