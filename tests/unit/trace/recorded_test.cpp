// SPDX-License-Identifier: Apache-2.0
// From threads that record to the document: what comes out is what went in, or is counted as lost.
#include "record/recording.hpp"
#include "support/scale.hpp"
#include "unit/trace/document.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace kasuri::test {
namespace {

using enum record::event_kind;

// Each thread runs `tasks` tasks, some nested, some suspended in between.
void record_tasks(record::worker_log* log, std::uint64_t tasks) {
  for (std::uint64_t id = 1; id <= tasks; ++id) {
    record::emit(log, task_begin, 2 * id);
    if (id % 3 == 0) {
      record::emit(log, task_begin, 2 * id + 1);
      record::emit(log, task_end, 2 * id + 1);
    }
    if (id % 5 == 0) {
      record::emit_suspend(log, 2 * id, record::wait_reason::barrier);
      record::emit_resume(log, 2 * id, record::wait_reason::barrier);
    }
    record::emit(log, task_end, 2 * id);
  }
}

outcome record_and_trace(std::size_t buffer_bytes, int threads, std::uint64_t tasks) {
  const scratch_folder folder;
  const auto made =
      record::recording::open({.path = folder / "t", .buffer_bytes = buffer_bytes}, false);
  std::atomic<int> running{threads};
  std::vector<std::thread> writers;
  for (int i = 0; i < threads; ++i) {
    record::worker_log* const log =
        made->log(static_cast<std::uint16_t>(i), record::worker_role::worker);
    writers.emplace_back([&running, log, tasks] {
      record_tasks(log, tasks);
      running.fetch_sub(1, std::memory_order_relaxed);
    });
  }
  while (running.load(std::memory_order_relaxed) > 0) {
    made->drain();
    std::this_thread::yield();
  }
  for (std::thread& writer : writers) writer.join();
  made->flush();
  return trace_bytes(contents(folder / "t"));
}

TEST(Recorded, NothingIsLostWhereThereIsRoom) {
  const outcome result = record_and_trace(1 << 20, 3, 600);
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.document["otherData"]["events_lost"], 0);
  EXPECT_EQ(result.document["otherData"]["events"], 3 * (2 * 600 + 2 * 200 + 2 * 120));
  EXPECT_EQ(result.events("X", "task").size(), 3u * (600 + 200 + 120));
  EXPECT_EQ(result.events("b").size(), 3u * 120);
  EXPECT_TRUE(slices_nest(result));
  EXPECT_EQ(result.err.find("warning"), std::string::npos) << result.err;
}

TEST(Recorded, EveryEventIsThereOrCounted) {
  const auto tasks = static_cast<std::uint64_t>(scaled(30'000)) / 15 * 15 + 15;
  const outcome result = record_and_trace(32 * sizeof(record::event), 2, tasks);
  ASSERT_EQ(result.status, 0) << result.err;
  const json& other = result.document["otherData"];
  const auto marks = result.events("X", "events lost");
  std::uint64_t marked = 0;
  for (const json& mark : marks) marked += mark["args"]["events"].get<std::uint64_t>();
  EXPECT_EQ(marked, other["events_lost"].get<std::uint64_t>());
  // A mark is itself an event, except one at the very end of a worker.
  const std::uint64_t emitted = 2 * (2 * tasks + 2 * (tasks / 3) + 2 * (tasks / 5));
  const std::uint64_t kept = other["events"].get<std::uint64_t>();
  EXPECT_LE(kept + marked - marks.size(), emitted);
  EXPECT_GE(kept + marked - marks.size() + 2, emitted);
}

}  // namespace
}  // namespace kasuri::test
