// SPDX-License-Identifier: Apache-2.0
#include "record/recording.hpp"

#include "platform/base/clock.hpp"
#include "platform/process/executable.hpp"
#include "support/scale.hpp"
#include "unit/record/scratch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace kasuri::record {
namespace {

using test::contents;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

struct block {
  block_header header;
  std::vector<event> events;
};

struct file {
  file_header header{};
  std::vector<block> blocks;
};

// What a file must look like to the byte; any deviation fails the test.
file parse(const std::filesystem::path& path) {
  const std::string bytes = contents(path);
  file result;
  std::size_t at = 0;
  const auto take = [&](void* to, std::size_t size) {
    ASSERT_LE(at + size, bytes.size());
    if (size != 0) std::memcpy(to, bytes.data() + at, size);
    at += size;
  };
  take(&result.header, sizeof result.header);
  while (at < bytes.size() && !testing::Test::HasFatalFailure()) {
    block next;
    take(&next.header, sizeof next.header);
    EXPECT_EQ(next.header.mark, block_mark);
    next.events.resize(std::min<std::size_t>(next.header.count, bytes.size()));
    take(next.events.data(), next.header.count * sizeof(event));
    result.blocks.push_back(next);
  }
  return result;
}

TEST(Recording, HeaderTellsWhatMadeIt) {
  const test::scratch_folder folder;
  const std::uint64_t before = platform::ticks();
  const auto made = recording::open({.path = folder / "t", .workers = 7}, false);
  ASSERT_NE(made, nullptr);
  const file_header header = parse(folder / "t").header;
  EXPECT_EQ(header.magic, file_magic);
  EXPECT_EQ(header.byte_order, byte_order_mark);
  EXPECT_EQ(header.version, format_version);
  EXPECT_EQ(header.header_bytes, sizeof(file_header));
  EXPECT_EQ(header.event_bytes, sizeof(event));
  EXPECT_EQ(header.ticks_per_second, platform::ticks_per_second());
  EXPECT_GE(header.start_ticks, before);
  EXPECT_GT(header.start_unix_ns, 1'600'000'000'000'000'000);
  EXPECT_EQ(header.process, platform::process_id());
  EXPECT_EQ(header.workers, 7u);
  EXPECT_STREQ(header.program.data(), platform::program_name());
  EXPECT_EQ(header.build_id_bytes, platform::build_id().size());
}

TEST(Recording, EventsComeBackAsTheyWentIn) {
  const test::scratch_folder folder;
  const auto made = recording::open({.path = folder / "t"}, false);
  worker_log* const log = made->log(3, worker_role::guest);
  ASSERT_NE(log, nullptr);
  emit(log, event_kind::task_begin, 0x123456789abcdef0);
  emit_steal(log, 42, 5, 2);
  emit_suspend(log, 43, wait_reason::barrier);
  emit_spare(log, event_kind::spare_begin, 6);
  made->flush();

  const file read = parse(folder / "t");
  ASSERT_EQ(read.blocks.size(), 2u);
  const block& first = read.blocks[0];
  EXPECT_EQ(first.header.worker, 3);
  EXPECT_EQ(first.header.role, worker_role::guest);
  EXPECT_EQ(first.header.kind, block_kind::events);
  EXPECT_EQ(first.header.lost, 0u);
  ASSERT_EQ(first.events.size(), 4u);
  EXPECT_EQ(first.events[0].kind, event_kind::task_begin);
  EXPECT_EQ(first.events[0].id, 0x123456789abcdef0u);
  EXPECT_EQ(first.events[0].peer, no_peer);
  EXPECT_EQ(first.events[1].kind, event_kind::steal);
  EXPECT_EQ(first.events[1].peer, 5);
  EXPECT_EQ(first.events[1].detail, 2);
  EXPECT_EQ(static_cast<wait_reason>(first.events[2].detail), wait_reason::barrier);
  EXPECT_EQ(first.events[3].peer, 6);
  for (int i = 1; i < 4; ++i) EXPECT_GE(first.events[i].ticks, first.events[i - 1].ticks);
  EXPECT_GE(first.events[0].ticks, read.header.start_ticks);
  EXPECT_EQ(read.blocks[1].header.kind, block_kind::clean);
}

TEST(Recording, AnIndexHasOneLog) {
  const test::scratch_folder folder;
  const auto made = recording::open({.path = folder / "t"}, false);
  worker_log* const log = made->log(1, worker_role::worker);
  EXPECT_EQ(made->log(1, worker_role::worker), log);
  EXPECT_NE(made->log(2, worker_role::worker), log);
}

TEST(Recording, FlushWithNothingNewLeavesTheFileAlone) {
  const test::scratch_folder folder;
  const auto made = recording::open({.path = folder / "t"}, false);
  emit(made->log(0, worker_role::worker), event_kind::park);
  made->flush();
  const std::string once = contents(folder / "t");
  made->flush();
  EXPECT_EQ(contents(folder / "t"), once);
  emit(made->log(0, worker_role::worker), event_kind::wake);
  made->flush();
  EXPECT_EQ(contents(folder / "t").size(), once.size() + 2 * sizeof(block_header) + sizeof(event));
}

TEST(Recording, DrainWaitsForAQuarter) {
  const test::scratch_folder folder;
  const auto made =
      recording::open({.path = folder / "t", .buffer_bytes = 16 * sizeof(event)}, false);
  worker_log* const log = made->log(0, worker_role::worker);
  for (int i = 0; i < 3; ++i) emit(log, event_kind::spawn, i);
  made->drain();
  EXPECT_TRUE(parse(folder / "t").blocks.empty());
  emit(log, event_kind::spawn, 3);
  made->drain();
  ASSERT_EQ(parse(folder / "t").blocks.size(), 1u);
  EXPECT_EQ(parse(folder / "t").blocks[0].events.size(), 4u);
}

TEST(Recording, LostEventsAreToldEvenWhenNothingFollows) {
  const test::scratch_folder folder;
  const auto made =
      recording::open({.path = folder / "t", .buffer_bytes = 4 * sizeof(event)}, false);
  worker_log* const log = made->log(0, worker_role::worker);
  for (int i = 0; i < 10; ++i) emit(log, event_kind::spawn, i);
  made->flush();
  const file read = parse(folder / "t");
  ASSERT_FALSE(read.blocks.empty());
  EXPECT_EQ(read.blocks[0].events.size(), 4u);
  EXPECT_EQ(read.blocks[0].header.lost, 6u);
}

TEST(Recording, FileThatAnotherWritesToGetsASuffix) {
  const test::scratch_folder folder;
  const auto first = recording::open({.path = folder / "t"}, false);
  emit(first->log(0, worker_role::worker), event_kind::park);
  first->flush();
  const std::string before = contents(folder / "t");
  const auto second = recording::open({.path = folder / "t"}, false);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->path(), (folder / "t").string() + "." + std::to_string(second->process()));
  EXPECT_EQ(contents(folder / "t"), before);
}

TEST(Recording, PathThatCannotBeOpenedIsNamedInOneLine) {
  const test::scratch_folder folder;
  for (const std::string path : {folder / "no/such/t", folder / ""}) {
    CaptureStderr();
    EXPECT_EQ(recording::open({.path = path}, false), nullptr);
    const std::string line = GetCapturedStderr();
    EXPECT_NE(line.find("KASURI_TRACE=" + path), std::string::npos) << line;
    EXPECT_NE(line.find("accepted:"), std::string::npos) << line;
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
  }
}

TEST(Recording, FullDiskIsNamedInOneLineAndEventsGoOn) {
  CaptureStderr();
  EXPECT_EQ(recording::open({.path = "/dev/full"}, false), nullptr);
  const std::string line = GetCapturedStderr();
  EXPECT_NE(line.find("KASURI_TRACE=/dev/full: writing failed"), std::string::npos) << line;
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
}

TEST(Recording, NullDeviceIsAllowed) {
  const auto made = recording::open({.path = "/dev/null"}, false);
  ASSERT_NE(made, nullptr);
  emit(made->log(0, worker_role::worker), event_kind::park);
  made->flush();
}

TEST(Recording, NoMemoryForARingIsNamedInOneLine) {
  if (test::sanitized) GTEST_SKIP() << "a sanitizer may end a program that asks for so much";
  const test::scratch_folder folder;
  const auto made = recording::open({.path = folder / "t", .buffer_bytes = ~std::size_t{0}}, false);
  CaptureStderr();
  EXPECT_EQ(made->log(0, worker_role::worker), nullptr);
  const std::string line = GetCapturedStderr();
  EXPECT_NE(line.find("KASURI_TRACE_BUFFER="), std::string::npos) << line;
}

}  // namespace
}  // namespace kasuri::record
