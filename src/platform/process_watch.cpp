// SPDX-License-Identifier: Apache-2.0
#include "platform/process_watch.hpp"

#include <linux/ioctl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

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

}  // namespace

std::string end_in_words(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int number = WTERMSIG(wait_status);
    return "it was killed by signal " + std::to_string(number) + " (" + ::strsignal(number) + ")";
  }
  return "it ended with status " + std::to_string(WEXITSTATUS(wait_status));
}

process_watch::process_watch(std::span<const std::uint32_t> pids,
                             std::function<void(std::size_t, const std::string&)> ended)
    : ended_(std::move(ended)),
      pids_(pids.begin(), pids.end()),
      stop_(::eventfd(0, EFD_CLOEXEC)) {
  for (const std::uint32_t pid : pids_) {
    files_.push_back(static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0)));
  }
  // The program's signals are not for this thread.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

process_watch::~process_watch() {
  const std::uint64_t one = 1;
  if (::write(stop_, &one, sizeof one) == sizeof one) thread_.join();
  ::close(stop_);
  for (const int file : files_) {
    if (file != not_watched) ::close(file);
  }
}

void process_watch::look(std::size_t index) {
  const int file = files_[index];
  std::optional<int> status = status_by_pidfd(file);
  if (!status) status = status_by_proc(pids_[index]);
  if (!status) status = status_by_pidfd(file);  // its parent was quicker than the second look
  ::close(file);
  files_[index] = not_watched;
  ended_(index, status ? end_in_words(*status) : "");
}

void process_watch::run() {
  for (std::size_t i = 0; i < pids_.size(); ++i) {
    // Gone before it could be watched. Where the system has no such watch, nobody is.
    if (files_[i] == not_watched && ::kill(static_cast<pid_t>(pids_[i]), 0) != 0 &&
        errno == ESRCH) {
      ended_(i, "");
    }
  }
  std::vector<pollfd> wanted;
  for (const int file : files_) wanted.push_back({file, POLLIN, 0});  // negative ones are skipped
  wanted.push_back({stop_, POLLIN, 0});
  while (true) {
    if (::poll(wanted.data(), wanted.size(), -1) < 0) continue;
    if (wanted.back().revents != 0) return;
    for (std::size_t i = 0; i < pids_.size(); ++i) {
      if (wanted[i].revents == 0) continue;
      look(i);
      wanted[i].fd = not_watched;
    }
  }
}

}  // namespace kasuri::platform
