// SPDX-License-Identifier: Apache-2.0
// Recordings made by hand: a tick is a nanosecond and the recording starts at tick 1000.
#pragma once

#include "record/format.hpp"

#include <cstring>  // for memcpy
#include <string>   // for string
#include <vector>   // for vector

namespace kasuri::test {

constexpr std::uint64_t start_ticks = 1000;

struct at {
  std::uint64_t time;  // ns since the start
  record::event_kind kind;
  std::uint64_t id = 0;
  std::uint16_t peer = record::no_peer;
  std::uint8_t detail = 0;
};

class synthetic_recording {
 public:
  synthetic_recording() {
    record::file_header header{};
    header.magic = record::file_magic;
    header.byte_order = record::byte_order_mark;
    header.version = record::format_version;
    header.header_bytes = sizeof header;
    header.event_bytes = sizeof(record::event);
    header.ticks_per_second = 1e9;
    header.start_ticks = start_ticks;
    header.process = 77;
    header.workers = 2;
    header.build_id_bytes = 2;
    header.build_id[0] = 0xab;
    header.build_id[1] = 0x01;
    std::strcpy(header.program.data(), "a \"strange\" \xff name");
    append(&header, sizeof header);
  }

  synthetic_recording& block(std::uint16_t worker, const std::vector<at>& events,
                             std::uint64_t lost = 0,
                             record::worker_role role = record::worker_role::worker) {
    const record::block_header header{.mark = record::block_mark,
                                      .worker = worker,
                                      .role = role,
                                      .kind = record::block_kind::events,
                                      .lost = lost,
                                      .count = events.size()};
    append(&header, sizeof header);
    for (const at& e : events) {
      const record::event stored{.ticks = start_ticks + e.time,
                                 .id = e.id,
                                 .reserved = 0,
                                 .peer = e.peer,
                                 .kind = e.kind,
                                 .detail = e.detail};
      append(&stored, sizeof stored);
    }
    return *this;
  }

  synthetic_recording& clean() {
    record::block_header mark{};
    mark.mark = record::block_mark;
    mark.kind = record::block_kind::clean;
    append(&mark, sizeof mark);
    return *this;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void append(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }

  std::string bytes_;
};

}  // namespace kasuri::test
