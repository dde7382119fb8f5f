// SPDX-License-Identifier: Apache-2.0
#include "platform/process/process_watch.hpp"

#include <linux/ioctl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

namespace kasuri::platform {
namespace {

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

// The part of /proc/PID/stat behind the name, which may hold anything; empty: there is no such
// process.
std::string stat_of(std::uint32_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return "";
  return text.substr(text.rfind(')') + 1);
}

// The last word of /proc/PID/stat, while the process is a zombie and may be looked at.
std::optional<int> status_by_proc(std::uint32_t pid) {
  std::istringstream after_name(stat_of(pid));
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

// A death takes a while after the first signs of it. Where the process could not be watched it was
// gone before.
bool ends_soon(int file) {
  constexpr int patience_ms = 1000;
  pollfd wanted{file, POLLIN, 0};
  return file < 0 || ::poll(&wanted, 1, patience_ms) > 0;
}

// Not poll(2): of several descriptors epoll(7) tells the one first that was ready first.
class watch_queue {
 public:
  watch_queue() : file_(::epoll_create1(EPOLL_CLOEXEC)) {}
  ~watch_queue() { ::close(file_); }
  watch_queue(const watch_queue&) = delete;
  watch_queue& operator=(const watch_queue&) = delete;

  void add(int file, std::size_t index) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = index;
    ::epoll_ctl(file_, EPOLL_CTL_ADD, file, &event);
  }

  // Calls `meanwhile` about once a second.
  [[nodiscard]] std::size_t next(const std::function<void()>& meanwhile) {
    epoll_event event{};
    while (::epoll_wait(file_, &event, 1, 1000) != 1) meanwhile();
    return event.data.u64;
  }

 private:
  int file_;
};

}  // namespace

std::string end_in_words(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int number = WTERMSIG(wait_status);
    return "it was killed by signal " + std::to_string(number) + " (" + ::strsignal(number) + ")";
  }
  return "it ended with status " + std::to_string(WEXITSTATUS(wait_status));
}

bool stands_still(std::uint32_t pid) {
  const std::string text = stat_of(pid);
  const std::size_t state = text.find_first_not_of(' ');
  return state != std::string::npos && (text[state] == 'T' || text[state] == 't');
}

bool still_watch::look(std::size_t index, std::uint32_t pid) {
  constexpr auto patience = std::chrono::seconds(10);
  if (seen_.size() <= index) seen_.resize(index + 1);
  seen& of = seen_[index];
  const auto now = std::chrono::steady_clock::now();
  if (!stands_still(pid)) {
    of = {};
  } else if (!of.still) {
    of = {true, false, now};
  } else if (!of.told && now - of.since >= patience) {
    of.told = true;
    return true;
  }
  return false;
}

void watch_processes(std::span<const watched_process> watched,
                     const std::function<bool(std::size_t)>& may_end,
                     const std::function<void(std::size_t, const std::string&)>& ended,
                     const std::function<void(std::size_t)>& still) {
  watch_queue queue;
  std::vector<int> files;
  for (std::size_t i = 0; i < watched.size(); ++i) {
    const auto pid = static_cast<pid_t>(watched[i].pid);
    files.push_back(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    queue.add(watched[i].rope, i);
    queue.add(files[i], i);
  }
  std::vector<char> done(watched.size());
  still_watch stopped;
  for (std::size_t left = watched.size(); left != 0;) {
    const std::size_t i = queue.next([&] {
      for (std::size_t each = 0; each < watched.size(); ++each) {
        if (done[each] == 0 && stopped.look(each, watched[each].pid)) still(each);
      }
    });
    if (done[i] != 0) continue;
    const bool allowed = may_end(i);
    ::close(watched[i].rope);                        // takes it out of the queue
    if (!allowed && !ends_soon(files[i])) continue;  // it has let go, and lives
    if (!allowed) {
      const auto status = status_of(files[i], watched[i].pid);
      ended(i, status ? end_in_words(*status) : "");
    }
    ::close(files[i]);
    done[i] = 1;
    --left;
  }
}

}  // namespace kasuri::platform
