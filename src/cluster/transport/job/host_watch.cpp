// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/job/host_watch.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "platform/base/expect.hpp"
#include "platform/memory/shared_memory.hpp"
#include "platform/process/launcher_stderr.hpp"
#include "platform/process/process_watch.hpp"

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

struct pipe_ends {
  int read;
  int write;
};

// Open MPI's mpiexec ends the job one second after a rank was killed, and does not read what the
// ranks' pipes still hold: what the watch writes must not depend on how soon it runs. MPICH's reads
// until all pipes are closed. -1: the watch writes where the ranks do.
int stderr_past_the_launcher() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr ? -1 : platform::stderr_of_launcher();
}

// Keeps stderr and the ropes alone: a reader of the ranks' output sees its end when they have
// ended.
void detach(std::vector<int> kept) {
  ::setsid();
  // Nor does it end because the reader of its stderr has: it still has to end the ranks.
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(each, SIG_IGN);
  kept.push_back(STDERR_FILENO);
  std::ranges::sort(kept);
  int next = 0;
  for (const int each : kept) {
    for (; next < each; ++next) ::close(next);
    next = each + 1;
  }
  ::closefrom(next);
}

[[noreturn]] void watch(const job_file& file, const std::vector<int>& ranks,
                        const std::vector<pipe_ends>& pipes, int launcher_stderr) {
  if (launcher_stderr >= 0) ::dup2(launcher_stderr, STDERR_FILENO);
  std::vector<platform::watched_process> watched;
  std::vector<int> kept;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    watched.push_back({file.seat(ranks[i]).pid.load(std::memory_order_relaxed), pipes[i].read});
    kept.push_back(pipes[i].read);
  }
  detach(kept);
  platform::watch_processes(
      watched,
      [&](std::size_t i) {
        // pairs with: the store of a rank that leaves
        return file.seat(ranks[i]).state.load(std::memory_order_acquire) == seat_left;
      },
      [&](std::size_t i, const std::string& how) {
        report_failure(file.control(), failure_text(file, ranks[i], how));
        end_all(file, ranks);
      },
      [&](std::size_t i) { report_still(file, ranks[i]); });
  ::_exit(0);
}

// Empty where there is no room for all.
std::vector<pipe_ends> make_pipes(std::size_t count) {
  std::vector<pipe_ends> pipes;
  for (int ends[2]; pipes.size() < count && ::pipe2(ends, O_CLOEXEC) == 0;) {
    pipes.push_back({ends[0], ends[1]});
  }
  if (pipes.size() == count) return pipes;
  for (const pipe_ends& each : pipes) {
    ::close(each.read);
    ::close(each.write);
  }
  return {};
}

}  // namespace

host_watch::host_watch(const job_file& file, const std::vector<int>& ranks, int rank,
                       const std::function<void()>& barrier) {
  KASURI_EXPECT(cheap, std::ranges::is_sorted(ranks) && std::ranges::binary_search(ranks, rank),
                "rank %d is not among the %zu ranks that are watched", rank, ranks.size());
  const bool first = rank == ranks[0];
  std::vector<pipe_ends> pipes;
  if (first) {
    pipes = make_pipes(ranks.size());
    const int launcher_stderr = stderr_past_the_launcher();
    const pid_t child = pipes.empty() ? -1 : ::fork();
    if (child == 0) {
      // A child of nobody: the program's own waiting for its children does not see it.
      if (::fork() != 0) ::_exit(0);
      watch(file, ranks, pipes, launcher_stderr);
    }
    if (child > 0) ::waitpid(child, nullptr, 0);
    if (launcher_stderr >= 0) ::close(launcher_stderr);
    for (std::size_t i = 0; i < pipes.size(); ++i) {
      file.seat(ranks[i]).rope.store(static_cast<std::uint32_t>(pipes[i].write),
                                     std::memory_order_relaxed);
    }
  }
  barrier();
  const std::uint32_t rope = file.seat(rank).rope.load(std::memory_order_relaxed);
  if (!first && rope != 0) {
    rope_ = platform::open_shared_file_of(file.seat(ranks[0]).pid.load(std::memory_order_relaxed),
                                          static_cast<int>(rope));
  }
  barrier();
  for (std::size_t i = 0; i < pipes.size(); ++i) {
    ::close(pipes[i].read);
    if (ranks[i] != rank) ::close(pipes[i].write);
  }
  if (first && rope != 0) rope_ = static_cast<int>(rope);
}

host_watch::~host_watch() {
  if (rope_ >= 0) ::close(rope_);
}

}  // namespace kasuri::cluster
