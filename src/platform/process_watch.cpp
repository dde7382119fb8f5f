// SPDX-License-Identifier: Apache-2.0
#include "platform/process_watch.hpp"

#include <linux/ioctl.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

namespace kasuri::platform {
namespace {

constexpr int not_watched = -1;

// PIDFD_GET_INFO of <linux/pidfd.h>, in kernels since 6.13, with the status since 6.15.
struct pidfd_info {
  std::uint64_t mask;
  std::uint64_t control_group;
  std::uint32_t ids[11];
  std::int32_t exit_code;
};
static_assert(sizeof(pidfd_info) == 64);
constexpr std::uint64_t pidfd_info_exit = 1u << 3;

std::optional<int> status_by_pidfd(int file) {
  pidfd_info info{};
  info.mask = pidfd_info_exit;
  if (::ioctl(file, _IOWR(0xff, 11, pidfd_info), &info) != 0) return std::nullopt;
  if ((info.mask & pidfd_info_exit) == 0) return std::nullopt;
  return info.exit_code;
}

// The last word of /proc/PID/stat, while the process is a zombie and may be looked at.
std::optional<int> status_by_proc(std::uint32_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  std::istringstream after_name(text.substr(text.rfind(')') + 1));
  std::string word;
  if (!(after_name >> word) || word != "Z") return std::nullopt;
  std::string last;
  while (after_name >> word) last = word;
  return std::stoi(last);
}

std::optional<int> status_of(int file, std::uint32_t pid) {
  std::optional<int> status = status_by_pidfd(file);
  if (!status) status = status_by_proc(pid);
  if (!status) status = status_by_pidfd(file);  // its parent was quicker than the second look
  return status;
}

}  // namespace

std::string end_in_words(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int number = WTERMSIG(wait_status);
    return "it was killed by signal " + std::to_string(number) + " (" + ::strsignal(number) + ")";
  }
  return "it ended with status " + std::to_string(WEXITSTATUS(wait_status));
}

void watch_processes(std::span<const std::uint32_t> pids, int stop,
                     const std::function<void(std::size_t, const std::string&)>& ended) {
  // Not poll(2): of several that have ended, epoll(7) tells the first one first.
  const int queue = ::epoll_create1(EPOLL_CLOEXEC);
  const auto add = [queue](int file, std::size_t index) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = index;
    ::epoll_ctl(queue, EPOLL_CTL_ADD, file, &event);
  };
  std::vector<int> files;
  for (std::size_t i = 0; i < pids.size(); ++i) {
    const auto pid = static_cast<pid_t>(pids[i]);
    files.push_back(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    // Gone before it could be watched. Where the system has no such watch, nobody is.
    if (files[i] < 0 && errno == ESRCH) ended(i, "");
    if (files[i] >= 0) add(files[i], i);
  }
  add(stop, pids.size());
  for (bool stopped = false; !stopped;) {
    epoll_event events[16];
    const int count = ::epoll_wait(queue, events, static_cast<int>(std::size(events)), -1);
    for (int e = 0; e < count; ++e) {
      const std::size_t i = events[e].data.u64;
      stopped = stopped || i == pids.size();
      if (i == pids.size()) continue;
      const auto status = status_of(files[i], pids[i]);
      ended(i, status ? end_in_words(*status) : "");
      ::close(files[i]);  // which takes it out of the queue
      files[i] = not_watched;
    }
  }
  for (const int file : files) {
    if (file >= 0) ::close(file);
  }
  ::close(queue);
}

}  // namespace kasuri::platform
