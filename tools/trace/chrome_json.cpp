// SPDX-License-Identifier: Apache-2.0
#include "trace/chrome_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <string>

namespace kasuri::trace {
namespace {

using record::event_kind;

// Times are microseconds with three decimals: "%" PRIu64 ".%03u" with these two.
std::uint64_t whole(std::uint64_t ns) { return ns / 1000; }
unsigned rest(std::uint64_t ns) { return static_cast<unsigned>(ns % 1000); }

std::string quoted(const char* text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', true, json::error_handler_t::replace);
}

std::string build_id_of(const record::file_header& header) {
  std::string text;
  for (unsigned i = 0; i < header.build_id_bytes; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", header.build_id[i]);
    text += digits;
  }
  return text;
}

const char* name_of(slice_kind kind) {
  constexpr const char* names[slice_kinds] = {"task",  "idle",        "parked", "blocking",
                                              "spare", "events lost", "waiting"};
  return names[static_cast<std::uint8_t>(kind)];
}

std::string hexadecimal(std::uint64_t id) {
  char text[24];
  std::snprintf(text, sizeof text, "\"0x%" PRIx64 "\"", id);
  return text;
}

// The slice's arguments, a JSON object.
std::string arguments_of(const slice& it) {
  std::string text = "{";
  const auto add = [&](const char* key, const std::string& value) {
    text += std::string(text.size() > 1 ? ",\"" : "\"") + key + "\":" + value;
  };
  if (it.kind == slice_kind::task) add("id", hexadecimal(it.id));
  if (it.kind == slice_kind::task && it.left_as != it.id) add("left as", hexadecimal(it.left_as));
  if (it.kind == slice_kind::lost) add("events", std::to_string(it.id));
  if (it.kind == slice_kind::spare) add("for worker", std::to_string(it.peer));
  if (it.resumed) add("resumed", "true");
  if (it.why != record::wait_reason::none)
    add(it.kind == slice_kind::waiting ? "for" : "left for", quoted(name(it.why).data()));
  if (it.cut) add("end", "\"not recorded\"");
  return text + "}";
}

}  // namespace

chrome_json::chrome_json(std::ostream& to, const record::file_header& header)
    : to_(to), header_(header) {
  to_ << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
      << R"({"ph":"M","name":"process_name","pid":)" << header_.process << R"(,"args":{"name":)"
      << quoted(header_.program.data()) << "}}";
}

void chrome_json::write(const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  to_.write(line, std::min<int>(length, sizeof line - 1));
}

void chrome_json::on_worker(std::uint16_t worker, record::worker_role role) {
  write(",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%" PRIu32
        ",\"tid\":%u,\"args\":{\"name\":\"%s %u\"}}",
        header_.process, unsigned{worker}, name(role).data(), unsigned{worker});
  write(",\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%" PRIu32
        ",\"tid\":%u,\"args\":{\"sort_index\":%u}}",
        header_.process, unsigned{worker}, unsigned{worker});
}

void chrome_json::on_slice(const slice& it) {
  const std::uint64_t length = it.end - it.begin;
  write(",\n{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\",\"pid\":%" PRIu32
        ",\"tid\":%u,\"ts\":%" PRIu64 ".%03u,\"dur\":%" PRIu64 ".%03u,\"args\":%s}",
        name_of(it.kind), it.kind == slice_kind::task ? "task" : "worker", header_.process,
        unsigned{it.worker}, whole(it.begin), rest(it.begin), whole(length), rest(length),
        arguments_of(it).c_str());
}

void chrome_json::on_moment(const moment& it) {
  switch (it.what.kind) {
    case event_kind::steal:
      return write_steal(it);
    case event_kind::suspend:
      return write_suspension(it, true);
    case event_kind::resume:
      return write_suspension(it, false);
    default:
      return write_instant(it);
  }
}

void chrome_json::write_instant(const moment& it) {
  write(",\n{\"ph\":\"i\",\"s\":\"t\",\"name\":\"%s\",\"cat\":\"task\",\"pid\":%" PRIu32
        ",\"tid\":%u,\"ts\":%" PRIu64 ".%03u,\"args\":{\"id\":\"0x%" PRIx64 "\"}}",
        name(it.what.kind).data(), header_.process, unsigned{it.worker}, whole(it.time),
        rest(it.time), it.what.id);
}

// The arrow ends at the thief's next slice: the task that was taken.
void chrome_json::write_steal(const moment& it) {
  write(",\n{\"ph\":\"i\",\"s\":\"t\",\"name\":\"steal\",\"cat\":\"steal\",\"pid\":%" PRIu32
        ",\"tid\":%u,\"ts\":%" PRIu64 ".%03u,\"args\":{\"id\":\"0x%" PRIx64
        "\",\"victim\":%u,\"level\":%u}}",
        header_.process, unsigned{it.worker}, whole(it.time), rest(it.time), it.what.id,
        unsigned{it.what.peer}, unsigned{it.what.detail});
  ++arrows_;
  for (const bool start : {true, false}) {
    write(",\n{\"ph\":\"%s\",\"name\":\"steal\",\"cat\":\"steal\",\"id\":%" PRIu64
          ",\"pid\":%" PRIu32 ",\"tid\":%u,\"ts\":%" PRIu64 ".%03u}",
          start ? "s" : "f", arrows_, header_.process, unsigned{start ? it.what.peer : it.worker},
          whole(it.time), rest(it.time));
  }
}

// A thread that stepped aside for its child waits for nothing: its child runs in its place.
void chrome_json::write_suspension(const moment& it, bool begins) {
  const auto why = static_cast<record::wait_reason>(it.what.detail);
  if (why == record::wait_reason::child_first) return;
  write(",\n{\"ph\":\"%s\",\"name\":\"suspended\",\"cat\":\"suspended\",\"id\":\"0x%" PRIx64
        "\",\"pid\":%" PRIu32 ",\"tid\":%u,\"ts\":%" PRIu64 ".%03u,\"args\":{\"reason\":\"%s\"}}",
        begins ? "b" : "e", it.what.id, header_.process, unsigned{it.worker}, whole(it.time),
        rest(it.time), name(why).data());
}

void chrome_json::finish(const timeline& of) {
  to_ << "\n],\"otherData\":{\"program\":" << quoted(header_.program.data()) << ",\"build_id\":\""
      << build_id_of(header_) << "\",\"workers\":" << header_.workers
      << ",\"start_unix_ns\":" << header_.start_unix_ns << ",\"events\":" << of.events()
      << ",\"events_lost\":" << of.lost() << "}}\n";
}

}  // namespace kasuri::trace
