// SPDX-License-Identifier: Apache-2.0
// Reads a recording from the beginning to the end in bounded memory, trusting nothing in it.
#pragma once

#include "record/format.hpp"

#include <cstdint>     // for uint64_t
#include <filesystem>  // for path
#include <fstream>     // for ifstream
#include <span>        // for span
#include <stdexcept>   // for runtime_error
#include <string>      // for string
#include <vector>      // for vector

namespace kasuri::trace {

/// A file that is no recording, or not a whole one; what() says so in words to put after its name.
class bad_recording : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Events of one worker that follow each other.
struct event_run {
  std::uint16_t worker = 0;
  record::worker_role role{};
  std::uint64_t lost = 0;  // dropped by this worker's ring since the start
  std::span<const record::event> events;
};

class reader {
 public:
  /// Opens the file and reads its header. Throws bad_recording.
  explicit reader(const std::filesystem::path& path);

  const record::file_header& header() const noexcept { return header_; }

  /// The next events, valid until the next call; false at the end, which is the last whole event of
  /// a file that was cut. Throws bad_recording.
  bool next(event_run& run);

  /// Whether what has been read ends with the mark of a complete recording.
  bool clean() const noexcept { return clean_; }

  /// Whether the file ends in the middle of a block: the rest was lost when it was copied or
  /// written.
  bool cut() const noexcept { return cut_; }

  /// Bytes read, up to the last whole event.
  std::uint64_t position() const noexcept { return position_; }

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void read_header();
  bool read_block_header();
  std::size_t read_events();
  std::size_t read(void* to, std::size_t bytes);

  std::ifstream file_;
  std::uint64_t position_ = 0;
  record::file_header header_{};
  record::block_header block_{};
  std::uint64_t left_ = 0;  // events of the block not read yet
  std::vector<record::event> buffer_;
  bool clean_ = false;
  bool cut_ = false;
};

}  // namespace kasuri::trace
