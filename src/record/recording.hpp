// SPDX-License-Identifier: Apache-2.0
// One trace file and the logs that go into it.
//
// Workers write into their own rings and never wait. A thread that calls drain() or flush() moves
// the events into the file, one thread at a time behind a mutex that no worker takes while it runs
// tasks. The file is made of whole blocks at any moment, so a program that is killed leaves a
// readable one.
#pragma once

#include "platform/process/output_file.hpp"
#include "record/format.hpp"
#include "record/worker_log.hpp"

#include <cstddef>  // for size_t
#include <cstdint>  // for uint64_t
#include <memory>   // for unique_ptr
#include <mutex>    // for mutex
#include <string>   // for string
#include <vector>   // for vector

namespace kasuri::record {

struct trace_settings {
  std::string path;                            // file to write
  std::size_t buffer_bytes = 4 * 1024 * 1024;  // ring of one worker
  std::uint32_t workers = 0;                   // workers of the pool, for the file's header
};

class recording {
 public:
  /// Creates the file. The name gets the process id as suffix when `add_process_id` asks for it or
  /// another process is writing to that file. Null when there can be no recording; one line on
  /// stderr has said why.
  static std::unique_ptr<recording> open(const trace_settings& settings, bool add_process_id);

  /// The log of a worker index, made at the first call; `role` counts at that one. Null, with one
  /// line on stderr, when there is no memory for it. Thread-safe; lives as long as the recording.
  worker_log* log(std::uint16_t worker, worker_role role);

  /// Writes the logs that are at least a quarter full, and all of them once a second, so that a
  /// program that is killed leaves what it did until then. Cheap when there is none. Thread-safe.
  void drain();

  /// Writes everything recorded until now and marks the file as clean. Thread-safe; events recorded
  /// meanwhile or later go out with the next call.
  void flush();

  /// The process that opened it.
  std::uint32_t process() const noexcept { return process_; }

  /// The file's name, suffix included.
  const std::string& path() const noexcept { return path_; }

 private:
  struct source {
    std::unique_ptr<worker_log> log;
    std::uint64_t lost_written = 0;  // as last told to the file
  };

  explicit recording(const trace_settings& settings);
  bool open_file(bool add_process_id);
  bool write_header(std::uint32_t workers);
  void write_events(source& from);
  void write_clean_mark();
  bool append(std::span<const iovec> pieces);

  std::string path_;
  const std::size_t buffer_bytes_;
  const std::uint32_t process_;

  std::mutex mutex_;  // guards everything below
  platform::output_file file_;
  std::uint64_t clean_size_ = 0;  // the file's size when it was last marked clean
  std::uint64_t drained_at_;      // ticks when all logs were last written
  std::vector<source> sources_;
};

}  // namespace kasuri::record
