// SPDX-License-Identifier: Apache-2.0
// The file a recording is kept in; docs/design/record.md explains it. The recorder writes it and
// the tools read it, and this header (with event.hpp and wait_reason.hpp) is all they share.
//
//   file   = file_header block*
//   block  = block_header event{count}
//
// Everything is in the byte order of the machine that recorded. A worker's blocks stand in the
// order of time; blocks of different workers are mixed. A file ends properly with a `clean` block;
// one that does not comes from a program that was killed, and is good up to there.
#pragma once

#include "record/event.hpp"
#include "record/wait_reason.hpp"

#include <array>    // for array
#include <cstdint>  // for uint32_t

namespace kasuri::record {

constexpr std::array<char, 8> file_magic = {'K', 'A', 'S', 'U', 'R', 'I', 'T', 'R'};
constexpr std::uint32_t format_version = 1;
constexpr std::uint32_t byte_order_mark = 0x01020304;

struct file_header {
  std::array<char, 8> magic;              // file_magic
  std::uint32_t byte_order;               // byte_order_mark
  std::uint32_t version;                  // format_version
  std::uint32_t header_bytes;             // sizeof(file_header)
  std::uint32_t event_bytes;              // sizeof(event)
  double ticks_per_second;                // of every time in the file
  std::uint64_t start_ticks;              // time zero of the recording ...
  std::int64_t start_unix_ns;             // ... and when that was, in ns since 1970-01-01 UTC
  std::uint32_t process;                  // process id
  std::uint32_t workers;                  // workers of the pool
  std::uint32_t build_id_bytes;           // used part of build_id
  std::array<std::uint8_t, 36> build_id;  // the linker's build id of the program
  std::array<char, 64> program;           // file name of the program, cut to fit, zero-terminated
};

static_assert(sizeof(file_header) == 160);

enum class block_kind : std::uint8_t {
  events = 1,  // `count` events of one worker follow
  clean = 2,   // everything recorded so far is in the file; worker, role, lost and count are 0
};

constexpr std::uint32_t block_mark = 0x4b4c424b;  // "KBLK" in little-endian order

struct block_header {
  std::uint32_t mark;    // block_mark
  std::uint16_t worker;  // index of the worker
  worker_role role;
  block_kind kind;
  std::uint64_t lost;   // events of this worker dropped since the start, when the block was written
  std::uint64_t count;  // events that follow
};

static_assert(sizeof(block_header) == 24);

}  // namespace kasuri::record
