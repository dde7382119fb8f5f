// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/job/job_file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/cpu/affinity.hpp"
#include "platform/memory/memory.hpp"
#include "platform/memory/shared_memory.hpp"

namespace kasuri::cluster {
namespace {

// "kasurij" and the version of this layout.
constexpr std::uint64_t file_mark = 0x6b61737572696a02;

constexpr std::size_t seats_at = (sizeof(job_control) + 63) / 64 * 64;

std::size_t round_to_page(std::size_t bytes) {
  const std::size_t page = platform::page_size();
  return (bytes + page - 1) / page * page;
}

std::size_t staging_at(std::size_t ranks) {
  return round_to_page(seats_at + ranks * sizeof(job_seat));
}

std::size_t control_bytes(std::size_t ranks) {
  return staging_at(ranks) + round_to_page(ranks * staging_bytes);
}

}  // namespace

job_file job_file::create(int ranks, std::uint32_t launcher) {
  const std::size_t bytes = control_bytes(static_cast<std::size_t>(ranks));
  const int descriptor = platform::create_shared_file("kasuri-job", bytes);
  std::byte* start = descriptor < 0 ? nullptr : platform::map_shared(descriptor, 0, bytes);
  if (start == nullptr) {
    platform::fatal("no shared memory for a job of %d ranks: %s", ranks, std::strerror(errno));
  }
  job_file file(descriptor, start, bytes);
  job_control& control = file.control();
  control.ranks = static_cast<std::uint32_t>(ranks);
  control.launcher = launcher;
  // Only tells files apart where a process id is reused: short of randomness is not a failure.
  [[maybe_unused]] const auto got = ::getrandom(control.secret, sizeof control.secret, 0);
  control.mark = file_mark;
  return file;
}

job_file job_file::adopt(int descriptor) {
  struct stat status{};
  const bool exists = ::fstat(descriptor, &status) == 0;
  job_file nothing(-1, nullptr, 0);
  if (!exists || static_cast<std::size_t>(status.st_size) < control_bytes(1)) return nothing;
  const auto* head =
      reinterpret_cast<job_control*>(platform::map_shared(descriptor, 0, platform::page_size()));
  if (head == nullptr) return nothing;
  const bool ours = head->mark == file_mark;
  const std::size_t bytes = ours ? control_bytes(head->ranks) : 0;
  platform::unmap_shared(const_cast<job_control*>(head), platform::page_size());
  std::byte* start = ours ? platform::map_shared(descriptor, 0, bytes) : nullptr;
  if (start == nullptr) return nothing;
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);  // a process that the program starts is no rank
  return {descriptor, start, bytes};
}

job_file::job_file(job_file&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      start_(std::exchange(other.start_, nullptr)),
      bytes_(other.bytes_) {}

job_file& job_file::operator=(job_file&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(start_, other.start_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

job_file::~job_file() {
  if (start_ == nullptr) return;
  platform::unmap_shared(start_, bytes_);
  ::close(descriptor_);
}

job_control& job_file::control() const noexcept {
  KASURI_EXPECT(cheap, valid(), "descriptor %d is no job's file", descriptor_);
  return *reinterpret_cast<job_control*>(start_);
}

job_seat& job_file::seat(int rank) const noexcept {
  KASURI_EXPECT(cheap, rank >= 0 && rank < ranks(), "the seat of rank %d of %d", rank, ranks());
  return reinterpret_cast<job_seat*>(start_ + seats_at)[rank];
}

std::byte* job_file::staging(int rank) const noexcept {
  KASURI_EXPECT(cheap, rank >= 0 && rank < ranks(), "the place of rank %d of %d", rank, ranks());
  return start_ + staging_at(control().ranks) + static_cast<std::size_t>(rank) * staging_bytes;
}

bool report_failure(job_control& control, std::string_view text) {
  std::uint32_t nobody = 0;
  if (!control.failed.compare_exchange_strong(nobody, 1, std::memory_order_relaxed,
                                              std::memory_order_relaxed)) {
    // Not for ever: the process that began may have been killed.
    for (int i = 0; i < 100 && control.failed.load(std::memory_order_relaxed) == 1; ++i) {
      ::usleep(2000);
    }
    return false;
  }
  // In one call, so that lines of several processes never mix, and without memory, which may be
  // short.
  constexpr std::string_view prefix = "kasuri: ";
  constexpr std::string_view end = "\n";
  const auto part = [](std::string_view s) { return iovec{const_cast<char*>(s.data()), s.size()}; };
  const iovec line[] = {part(prefix), part(text), part(end)};
  // If stderr is closed there is nobody left to tell.
  [[maybe_unused]] const auto written = ::writev(STDERR_FILENO, line, std::size(line));
  control.failed.store(2, std::memory_order_relaxed);
  return true;
}

namespace {

/// "; closures that ran there: 3 of rank 0, 1 of rank 2"; empty: there were none.
std::string lost_with(const job_seat& seat, int ranks) {
  std::vector<unsigned> of_rank(static_cast<std::size_t>(ranks));
  unsigned all = 0;
  for (const shared_word& each : seat.borrowed) {
    const std::uint32_t borrowed = each.load(std::memory_order_relaxed);
    const std::uint32_t from = borrowed & 0xffff;
    if (borrowed == 0 || from >= of_rank.size()) continue;
    ++of_rank[from];
    ++all;
  }
  std::string text;
  for (std::size_t r = 0; r != of_rank.size(); ++r) {
    if (of_rank[r] == 0) continue;
    text += text.empty() ? "; closures that ran there: " : ", ";
    text += std::to_string(of_rank[r]) + " of rank " + std::to_string(r);
  }
  return all == most_borrowed ? text + ", and perhaps more" : text;
}

/// Of a rank that ran closures of others and was killed by an access to memory.
bool met_an_address(const std::string& how, const std::string& lost) {
  const bool access = how.find("Segmentation fault") != std::string::npos ||
                      how.find("Bus error") != std::string::npos;
  return access && !lost.empty();
}

}  // namespace

void report_still(const job_file& file, int rank) {
  platform::warn(
      "rank %d (pid %u on host %s) has stood still for 10 s, stopped by a signal (SIGSTOP) or a "
      "debugger; the others go on and wait for it (SIGCONT)",
      rank, file.seat(rank).pid.load(std::memory_order_relaxed), platform::host_name().c_str());
}

std::string failure_text(const job_file& file, int rank, const std::string& how) {
  const job_seat& seat = file.seat(rank);
  const std::uint32_t called = seat.exit_called.load(std::memory_order_relaxed);
  std::string cause = how.empty() ? "its process ended, the cause is not known" : how;
  if (called != 0) {
    const std::string exited = "exit(" + std::to_string(called - 1) + ')';
    const bool killed = how.find("signal") != std::string::npos;
    cause = killed ? how + " in " + exited : "it ended by " + exited;
  }
  const std::string lost = lost_with(seat, file.ranks());
  const char* const advice = met_an_address(how, lost)
                                 ? "; references, pointers and addresses of functions in closures "
                                   "mean something else there: "
                                   "KASURI_CHECK=checkout finds them"
                                 : "";
  return "rank " + std::to_string(rank) + " (pid " +
         std::to_string(seat.pid.load(std::memory_order_relaxed)) + " on host " +
         platform::host_name() + ") ended before the job did: " + cause + lost + advice;
}

}  // namespace kasuri::cluster
