// SPDX-License-Identifier: Apache-2.0
#include "record/recording.hpp"

#include "platform/base/clock.hpp"
#include "platform/base/fatal.hpp"
#include "platform/process/executable.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>

namespace kasuri::record {
namespace {

file_header make_header(std::uint32_t workers, std::uint32_t process) {
  file_header header{};
  header.magic = file_magic;
  header.byte_order = byte_order_mark;
  header.version = format_version;
  header.header_bytes = sizeof(file_header);
  header.event_bytes = sizeof(event);
  header.ticks_per_second = platform::ticks_per_second();
  header.start_ticks = platform::ticks();
  header.start_unix_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                             std::chrono::system_clock::now().time_since_epoch())
                             .count();
  header.process = process;
  header.workers = workers;
  const std::span<const std::byte> id = platform::build_id();
  header.build_id_bytes = static_cast<std::uint32_t>(std::min(id.size(), header.build_id.size()));
  std::memcpy(header.build_id.data(), id.data(), header.build_id_bytes);
  std::strncpy(header.program.data(), platform::program_name(), header.program.size() - 1);
  return header;
}

}  // namespace

recording::recording(const trace_settings& settings)
    : path_(settings.path),
      buffer_bytes_(settings.buffer_bytes),
      process_(platform::process_id()),
      drained_at_(platform::ticks()) {}

std::unique_ptr<recording> recording::open(const trace_settings& settings, bool add_process_id) {
  std::unique_ptr<recording> result(new recording(settings));
  if (result->open_file(add_process_id) && result->write_header(settings.workers)) return result;
  return nullptr;
}

bool recording::open_file(bool add_process_id) {
  using enum platform::output_file::open_result;
  const std::string plain = path_;
  if (add_process_id) path_.append(".").append(std::to_string(process_));
  auto result = file_.open(path_);
  if (result == in_use && path_ == plain) {
    path_.append(".").append(std::to_string(process_));
    result = file_.open(path_);
  }
  if (result == opened) return true;
  platform::warn(
      "KASURI_TRACE=%s: cannot write there (%s), so nothing is recorded; accepted: the path of a "
      "file that can be written",
      path_.c_str(), result == in_use ? "another process does" : std::strerror(errno));
  return false;
}

bool recording::write_header(std::uint32_t workers) {
  file_header header = make_header(workers, process_);
  const iovec piece{&header, sizeof header};
  return append({&piece, 1});
}

worker_log* recording::log(std::uint16_t worker, worker_role role) {
  const std::lock_guard lock(mutex_);
  for (const source& known : sources_) {
    if (known.log->worker() == worker) return known.log.get();
  }
  try {
    sources_.push_back({std::make_unique<worker_log>(worker, role, buffer_bytes_)});
    return sources_.back().log.get();
  } catch (const std::bad_alloc&) {
    platform::warn("KASURI_TRACE_BUFFER=%zu: no memory, so %s %u is not recorded; accepted: less",
                   buffer_bytes_, name(role).data(), worker);
    return nullptr;
  }
}

void recording::drain() {
  const std::lock_guard lock(mutex_);
  const std::uint64_t now = platform::ticks();
  const bool all = static_cast<double>(now - drained_at_) >= platform::ticks_per_second();
  if (all) drained_at_ = now;
  for (source& from : sources_) {
    const ring& events = from.log->events();
    if (all || events.size() >= events.capacity() / 4) write_events(from);
  }
}

void recording::flush() {
  const std::lock_guard lock(mutex_);
  for (source& from : sources_) write_events(from);
  write_clean_mark();
}

// Two rounds take all that was there when it began, whichever way it lay in the ring; not "until
// empty", because its worker may be writing faster than this thread.
void recording::write_events(source& from) {
  ring& events = from.log->events();
  for (int round = 0; round < 2; ++round) {
    const std::uint64_t lost = events.lost();
    const std::span<const event> ready = events.readable();
    if (ready.empty() && lost == from.lost_written) return;
    block_header header{.mark = block_mark,
                        .worker = from.log->worker(),
                        .role = from.log->role(),
                        .kind = block_kind::events,
                        .lost = lost,
                        .count = ready.size()};
    const iovec pieces[] = {{&header, sizeof header},
                            {const_cast<event*>(ready.data()), ready.size_bytes()}};
    if (!append(pieces)) return;
    from.lost_written = lost;
    events.release(ready.size());
  }
}

void recording::write_clean_mark() {
  if (file_.size() == clean_size_) return;
  block_header mark{};
  mark.mark = block_mark;
  mark.kind = block_kind::clean;
  const iovec piece{&mark, sizeof mark};
  if (append({&piece, 1})) clean_size_ = file_.size();
}

// Once writing has failed the file stays closed: the rings fill up and drop, the program goes on.
bool recording::append(std::span<const iovec> pieces) {
  if (!file_.is_open()) return false;
  if (file_.append(pieces)) return true;
  platform::warn("KASURI_TRACE=%s: writing failed after %llu bytes (%s); the recording ends there",
                 path_.c_str(), static_cast<unsigned long long>(file_.size()),
                 std::strerror(errno));
  file_.close();
  return false;
}

}  // namespace kasuri::record
