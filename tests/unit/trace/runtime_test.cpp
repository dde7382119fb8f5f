// SPDX-License-Identifier: Apache-2.0
// KASURI_TRACE from a program to the document.
#include "unit/trace/document.hpp"

#include <gtest/gtest.h>
#include <kasuri/kasuri.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

namespace kasuri::test {
namespace {

// Its owner sits in a leaf, so another worker must take the task.
void run_one_elsewhere() {
  kasuri::run([] {
    std::atomic<bool> started{false};
    task_group group;
    group.run([&started] { started.store(true, std::memory_order_relaxed); });
    while (!started.load(std::memory_order_relaxed)) std::this_thread::yield();
    group.wait();
  });
}

std::string record_program(const std::filesystem::path& file, bool finalize) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("KASURI_TRACE", file.c_str(), 1);
    ::setenv("KASURI_NUM_WORKERS", "2", 1);
    run_one_elsewhere();
    if (!finalize) std::exit(0);
    kasuri::finalize();
    ::_exit(0);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return contents(file);
}

void expect_steals(const outcome& result) {
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(slices_nest(result));
  EXPECT_EQ(result.document["otherData"]["workers"], 2);
  const auto steals = result.events("i", "steal");
  ASSERT_FALSE(steals.empty());
  for (const json& steal : steals) EXPECT_NE(steal["tid"], steal["args"]["victim"]);
  EXPECT_FALSE(result.events("X", "task").empty());
  EXPECT_EQ(result.err.find("has no end"), std::string::npos) << result.err;
}

TEST(Runtime, FinalizedProgramLeavesARecording) {
  const scratch_folder folder;
  expect_steals(trace_bytes(record_program(folder / "t", true)));
}

TEST(Runtime, ProgramThatJustExitsLeavesARecordingToo) {
  const scratch_folder folder;
  expect_steals(trace_bytes(record_program(folder / "t", false)));
}

}  // namespace
}  // namespace kasuri::test
