// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/host_watch.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "platform/process_watch.hpp"

namespace kasuri::cluster {
namespace {

// For the mpiexec and the ranks themselves to end, before they are ended.
constexpr useconds_t grace_us = 300'000;

[[noreturn]] void end_all(const job_file& file, const std::vector<int>& ranks) {
  ::usleep(grace_us);
  for (const int rank : ranks) {
    const job_seat& seat = file.seat(rank);
    const auto pid = static_cast<pid_t>(seat.pid.load(std::memory_order_relaxed));
    // pairs with: the store of a rank that leaves
    if (pid > 0 && seat.state.load(std::memory_order_acquire) != seat_left) ::kill(pid, SIGKILL);
  }
  ::_exit(0);
}

// Keeps stderr alone: whoever reads the ranks' output sees its end when they have ended.
void detach(int rope) {
  ::setsid();
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(each, SIG_IGN);
  ::dup2(rope, STDIN_FILENO);
  ::close(STDOUT_FILENO);
  ::closefrom(STDERR_FILENO + 1);
}

[[noreturn]] void watch(const job_file& file, const std::vector<int>& ranks) {
  std::vector<std::uint32_t> pids;
  for (const int rank : ranks) {
    pids.push_back(file.seat(rank).pid.load(std::memory_order_relaxed));
  }
  const auto ended = [&](std::size_t index, const std::string& how) {
    const int rank = ranks[index];
    // pairs with: the store of a rank that leaves. Such a one may end.
    if (file.seat(rank).state.load(std::memory_order_acquire) == seat_left) return;
    report_failure(file.control(), failure_text(file, rank, how));
    end_all(file, ranks);
  };
  platform::watch_processes(pids, STDIN_FILENO, ended);
  // The rope was let go: at the end of the rank that holds it, or at its death, which then shows.
  // pairs with: the store of a rank that leaves
  if (file.seat(ranks[0]).state.load(std::memory_order_acquire) != seat_left) {
    int ends[2];
    if (::pipe(ends) == 0) platform::watch_processes(std::span(pids).first(1), ends[0], ended);
  }
  ::_exit(0);
}

}  // namespace

host_watch::host_watch(const job_file& file, const std::vector<int>& ranks) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  const pid_t child = ::fork();
  if (child == 0) {
    // A child of nobody: the program's own waiting for its children does not see it.
    if (::fork() != 0) ::_exit(0);
    detach(ends[0]);
    watch(file, ranks);
  }
  ::close(ends[0]);
  rope_ = ends[1];
  if (child > 0) ::waitpid(child, nullptr, 0);
}

host_watch::~host_watch() {
  if (rope_ >= 0) ::close(rope_);
}

}  // namespace kasuri::cluster
