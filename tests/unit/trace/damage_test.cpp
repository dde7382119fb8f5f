// SPDX-License-Identifier: Apache-2.0
// Files that are not what they should be: one line and status 2, whatever they hold.
#include "support/scale.hpp"
#include "unit/trace/document.hpp"
#include "unit/trace/synthetic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace kasuri::test {
namespace {

using enum record::event_kind;

std::string good() {
  synthetic_recording made;
  made.block(0, {{0, task_begin, 1}, {9, steal, 2, 1, 0}, {70, lost, 4}, {80, task_end, 1}}, 4);
  made.block(1, {{5, park}, {50, wake}, {60, resume, 2}, {65, suspend, 2, 0, 5}});
  return made.clean().bytes();
}

void expect_refusal(const outcome& result, const std::string& why) {
  EXPECT_EQ(result.status, 2);
  EXPECT_FALSE(result.written);
  EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("accepted:"), std::string::npos) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

std::string changed(std::size_t at, char to) {
  std::string bytes = good();
  bytes[at] = to;
  return bytes;
}

TEST(Damage, ForeignFiles) {
  expect_refusal(trace_bytes(""), "is empty");
  expect_refusal(trace_bytes("{}"), "is not a Kasuri recording");
  expect_refusal(trace_bytes(std::string(5000, 'x')), "is not a Kasuri recording");
  expect_refusal(trace_bytes(good().substr(0, 100)), "is cut off within its header");
}

TEST(Damage, HeadersOfOtherMachinesAndVersions) {
  expect_refusal(trace_bytes(changed(offsetof(record::file_header, byte_order), 1)),
                 "other byte order");
  expect_refusal(trace_bytes(changed(offsetof(record::file_header, version), 9)),
                 "has format version 9, this command reads version 1");
  expect_refusal(trace_bytes(changed(offsetof(record::file_header, event_bytes), 16)),
                 "damaged header");
  expect_refusal(trace_bytes(changed(offsetof(record::file_header, build_id_bytes), 99)),
                 "damaged header");
  std::string bytes = good();
  const double rate = 0;
  bytes.replace(offsetof(record::file_header, ticks_per_second), sizeof rate,
                reinterpret_cast<const char*>(&rate), sizeof rate);
  expect_refusal(trace_bytes(bytes), "damaged header");
}

TEST(Damage, BlocksAndEventsOfNoKnownKind) {
  constexpr std::size_t block = sizeof(record::file_header);
  expect_refusal(trace_bytes(changed(block, 'x')), "is damaged (byte 160)");
  expect_refusal(trace_bytes(changed(block + offsetof(record::block_header, kind), 3)),
                 "is damaged");
  expect_refusal(trace_bytes(changed(block + offsetof(record::block_header, role), 3)),
                 "is damaged");
  constexpr std::size_t event = block + sizeof(record::block_header) + sizeof(record::event);
  expect_refusal(trace_bytes(changed(event + offsetof(record::event, kind), 99)),
                 "is damaged (byte 208)");
  expect_refusal(trace_bytes(changed(event + offsetof(record::event, kind), 0)), "is damaged");
}

TEST(Damage, FilesThatAreNone) {
  const scratch_folder folder;
  for (const auto& [path, why] : {std::pair{folder / "absent", "cannot be opened (No such file"},
                                  std::pair{folder / "", "is a folder"}}) {
    testing::internal::CaptureStderr();
    const int status = trace::trace_command(path, folder / "out", false);
    const std::string line = testing::internal::GetCapturedStderr();
    EXPECT_EQ(status, 2);
    EXPECT_NE(line.find(why), std::string::npos) << line;
  }
}

// Cut anywhere behind the header: what is whole is shown, and a line says where the rest is
// missing.
TEST(Damage, CutOffAtEveryLength) {
  const std::string whole = good();
  const std::size_t header = sizeof(record::file_header);
  const std::size_t block = sizeof(record::block_header) + 4 * sizeof(record::event);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const bool between =
        length == header || length == header + block || length == header + 2 * block;
    const outcome result = trace_bytes(whole.substr(0, length));
    EXPECT_EQ(result.status, length >= header ? 0 : 2) << length;
    EXPECT_EQ(result.written, length >= header) << length;
    const bool said = result.err.find(": was cut behind byte ") != std::string::npos;
    EXPECT_EQ(said, length > header && !between) << length << result.err;
  }
}

TEST(Damage, EventsBeforeTheCutAreShown) {
  const std::size_t second =
      sizeof(record::file_header) + 2 * sizeof(record::block_header) + 4 * sizeof(record::event);
  for (std::size_t events = 0; events != 4; ++events) {
    const std::size_t end = second + events * sizeof(record::event);
    const outcome result = trace_bytes(good().substr(0, end + 7));
    EXPECT_NE(result.err.find("was cut behind byte " + std::to_string(end) + ";"),
              std::string::npos)
        << result.err;
  }
}

TEST(Damage, RandomBytesChanged) {
  std::mt19937_64 random(7);
  const std::string whole = good();
  for (int round = 0; round < scaled(1500); ++round) {
    std::string bytes = whole;
    const int changes = 1 + static_cast<int>(random() % 4);
    for (int i = 0; i < changes; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    const outcome result = trace_bytes(bytes);
    EXPECT_TRUE(result.status == 0 || result.status == 2) << round;
    EXPECT_TRUE(result.status != 0 || slices_nest(result)) << round;
  }
}

// Events in any order with any content: always a document, slices always nest.
TEST(Damage, EventsThatMakeNoSense) {
  std::mt19937_64 random(11);
  for (int round = 0; round < scaled(300); ++round) {
    synthetic_recording made;
    std::vector<at> events;
    std::uint64_t time = 0;
    for (int i = 0; i < 60; ++i) {
      time += random() % 3000;
      events.push_back({.time = time,
                        .kind = static_cast<record::event_kind>(1 + random() % 14),
                        .id = random() % 4,
                        .peer = static_cast<std::uint16_t>(random()),
                        .detail = static_cast<std::uint8_t>(random())});
    }
    for (std::size_t i = 0; i < events.size(); i += 20) {
      made.block(static_cast<std::uint16_t>(random() % 2), {&events[i], &events[i] + 20},
                 random() % 50, static_cast<record::worker_role>(random() % 3));
    }
    const outcome result = trace_bytes(made.clean().bytes());
    ASSERT_EQ(result.status, 0) << round;
    EXPECT_TRUE(slices_nest(result)) << round;
    const outcome summary = trace_bytes(made.bytes(), true, false);
    EXPECT_EQ(summary.status, 0) << round;
  }
}

TEST(Output, IsReplacedOnlyWhenAllWentWell) {
  const scratch_folder folder;
  put_contents(folder / "out", "old");
  put_contents(folder / "in", changed(sizeof(record::file_header), 'x'));
  testing::internal::CaptureStderr();
  EXPECT_EQ(trace::trace_command(folder / "in", folder / "out", false), 2);
  EXPECT_EQ(contents(folder / "out"), "old");
  put_contents(folder / "in", good());
  EXPECT_EQ(trace::trace_command(folder / "in", folder / "out", false), 0);
  EXPECT_NE(contents(folder / "out"), "old");
  testing::internal::GetCapturedStderr();
}

TEST(Output, NameIsMadeFromTheRecordings) {
  const scratch_folder folder;
  put_contents(folder / "in", good());
  testing::internal::CaptureStderr();
  EXPECT_EQ(trace::trace_command(folder / "in", "", false), 0);
  testing::internal::GetCapturedStderr();
  EXPECT_FALSE(json::parse(contents(folder / "in.json")).empty());
}

TEST(Output, DashIsStandardOutput) {
  const scratch_folder folder;
  put_contents(folder / "in", good());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(trace::trace_command(folder / "in", "-", true), 0);
  const std::string summary = testing::internal::GetCapturedStderr();
  EXPECT_FALSE(json::parse(testing::internal::GetCapturedStdout()).empty());
  EXPECT_NE(summary.find("8 events"), std::string::npos) << summary;
}

TEST(Output, PlacesThatCannotBeWritten) {
  const scratch_folder folder;
  put_contents(folder / "in", good());
  for (const std::filesystem::path& out :
       {folder / "no/such", folder / "in", std::filesystem::path("/dev/full")}) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(trace::trace_command(folder / "in", out, false), 1);
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_NE(text.find(out.string() + ": cannot be written ("), std::string::npos) << text;
  }
  EXPECT_EQ(contents(folder / "in"), good());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

}  // namespace
}  // namespace kasuri::test
