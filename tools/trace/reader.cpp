// SPDX-License-Identifier: Apache-2.0
#include "trace/reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

namespace kasuri::trace {
namespace {

constexpr std::size_t events_at_once = 4096;

bool sane_rate(double ticks_per_second) {
  return std::isfinite(ticks_per_second) && ticks_per_second >= 1e3 && ticks_per_second <= 1e12;
}

}  // namespace

reader::reader(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw bad_recording("is a folder");
  file_.open(path, std::ios::binary);
  if (!file_) throw bad_recording(std::string("cannot be opened (") + std::strerror(errno) + ")");
  buffer_.resize(events_at_once);
  read_header();
}

void reader::fail(const std::string& what) const {
  throw bad_recording(what + " (byte " + std::to_string(position_) + ")");
}

std::size_t reader::read(void* to, std::size_t bytes) {
  file_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
  return static_cast<std::size_t>(file_.gcount());
}

void reader::read_header() {
  const std::size_t got = read(&header_, sizeof header_);
  const std::size_t magic = std::min(got, header_.magic.size());
  if (magic == 0 || !std::equal(header_.magic.begin(), header_.magic.begin() + magic,
                                record::file_magic.begin())) {
    throw bad_recording(magic == 0 ? "is empty" : "is not a Kasuri recording");
  }
  if (got < sizeof header_) throw bad_recording("is cut off within its header");
  if (header_.byte_order != record::byte_order_mark) {
    throw bad_recording("comes from a machine of the other byte order");
  }
  if (header_.version != record::format_version) {
    throw bad_recording("has format version " + std::to_string(header_.version) +
                        ", this command reads version " + std::to_string(record::format_version));
  }
  if (header_.header_bytes != sizeof(record::file_header) ||
      header_.event_bytes != sizeof(record::event) || !sane_rate(header_.ticks_per_second) ||
      header_.build_id_bytes > header_.build_id.size()) {
    throw bad_recording("has a damaged header");
  }
  header_.program.back() = '\0';
  position_ = got;
}

bool reader::read_block_header() {
  const std::size_t got = read(&block_, sizeof block_);
  if (got < sizeof block_) {
    cut_ = got != 0;
    clean_ = clean_ && !cut_;
    return false;
  }
  const bool known = block_.kind == record::block_kind::events ||
                     (block_.kind == record::block_kind::clean && block_.count == 0);
  if (block_.mark != record::block_mark || !known ||
      static_cast<std::uint8_t>(block_.role) >= record::worker_roles) {
    fail("is damaged");
  }
  position_ += got;
  left_ = block_.count;
  clean_ = block_.kind == record::block_kind::clean;
  return true;
}

std::size_t reader::read_events() {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, buffer_.size()));
  const std::size_t whole =
      read(buffer_.data(), count * sizeof(record::event)) / sizeof(record::event);
  for (std::size_t i = 0; i < whole; ++i) {
    const auto kind = static_cast<std::uint8_t>(buffer_[i].kind);
    if (kind == 0 || kind >= record::event_kinds) fail("is damaged");
    position_ += sizeof(record::event);
  }
  cut_ = whole != count;
  left_ = cut_ ? 0 : left_ - count;
  return whole;
}

bool reader::next(event_run& run) {
  if (cut_) return false;
  if (left_ == 0) {
    do {
      if (!read_block_header()) return false;
    } while (block_.kind == record::block_kind::clean);
  }
  const std::size_t count = read_events();
  run = {.worker = block_.worker,
         .role = block_.role,
         .lost = block_.lost,
         .events = {buffer_.data(), count}};
  return count != 0 || !cut_;
}

}  // namespace kasuri::trace
