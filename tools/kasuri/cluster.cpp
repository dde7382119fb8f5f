// SPDX-License-Identifier: Apache-2.0
#include "cluster.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "cluster/transport/job/job_file.hpp"
#include "cluster/transport/job/job_place.hpp"
#include "command.hpp"
#include "platform/base/fatal.hpp"
#include "platform/process/executable.hpp"
#include "platform/process/process_watch.hpp"
#include "program.hpp"

namespace kasuri::command {
namespace {

using std::chrono::steady_clock;

// Between asking the other ranks to end and ending them.
constexpr auto grace = std::chrono::seconds(1);
constexpr int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

bool asks_to_end(int signal) { return signal != SIGUSR1 && signal != SIGUSR2; }

int status_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

class launch {
 public:
  launch(const std::vector<std::string>& words, int ranks, const char* who)
      : words_(words),
        who_(who),
        file_(cluster::job_file::create(ranks, platform::process_id())),
        pids_(static_cast<std::size_t>(ranks), 0) {
    ::sigemptyset(&signals_);
    ::sigaddset(&signals_, SIGCHLD);
    for (const int each : forwarded) ::sigaddset(&signals_, each);
    ::sigprocmask(SIG_BLOCK, &signals_, &before_);  // they are waited for
  }
  ~launch() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  launch(const launch&) = delete;
  launch& operator=(const launch&) = delete;

  int run() {
    for (int rank = 0; rank < file_.ranks() && !ending_; ++rank) start(rank);
    while (running_ > 0) wait_for_signal();
    return status_;
  }

 private:
  [[noreturn]] void become_rank(int rank, int failed) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // no rank outlives the launcher
    if (::getppid() != static_cast<pid_t>(file_.control().launcher)) ::_exit(status_usage);
    file_.seat(rank).pid.store(platform::process_id(), std::memory_order_relaxed);
    ::fcntl(file_.descriptor(), F_SETFD, 0);
    const cluster::job_place place{file_.descriptor(), rank};
    ::setenv("KASURI_JOB", cluster::job_place_text(place).c_str(), 1);
    if (rank != 0) take_nothing_in();
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
    const auto status = static_cast<char>(become(words_, who_));
    const auto told = ::write(failed, &status, 1);
    ::_exit(told == 1 ? status_not_found : status_usage);
  }

  static void take_nothing_in() {
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (nothing < 0) {
      ::close(STDIN_FILENO);
    } else {
      ::dup2(nothing, STDIN_FILENO);
      ::close(nothing);
    }
  }

  // Returns when the rank has become the program, or has failed to.
  void start(int rank) {
    int ends[2];
    const pid_t pid = ::pipe2(ends, O_CLOEXEC) != 0 ? -1 : ::fork();
    if (pid == 0) become_rank(rank, ends[1]);
    if (pid < 0) {
      platform::fatal("%s: --cluster: rank %d cannot be started: %s", who_, rank,
                      std::strerror(errno));
    }
    pids_[static_cast<std::size_t>(rank)] = pid;
    ++running_;
    ::close(ends[1]);
    char status = 0;
    if (::read(ends[0], &status, 1) == 1) end_others(static_cast<unsigned char>(status));
    ::close(ends[0]);
  }

  // To the rank's process, and to the rank itself where that is another, as below a shell.
  void send(int signal) {
    for (std::size_t rank = 0; rank < pids_.size(); ++rank) {
      if (pids_[rank] == 0) continue;
      ::kill(pids_[rank], signal);
      const auto self = static_cast<pid_t>(
          file_.seat(static_cast<int>(rank)).pid.load(std::memory_order_relaxed));
      if (self > 0 && self != pids_[rank]) ::kill(self, signal);
    }
  }

  void end_others(int status) {
    if (status_ == 0) status_ = status;
    if (ending_) return;
    ending_ = true;
    deadline_ = steady_clock::now() + grace;
    send(SIGTERM);
  }

  void wait_for_signal() {
    siginfo_t info{};
    const timespec limit{deadline_ ? 0 : 1, deadline_ ? 100'000'000 : 0};
    const int signal = ::sigtimedwait(&signals_, &info, &limit);
    if (signal == SIGCHLD) {
      reap();
    } else if (signal > 0) {
      // The terminal sends its signals to all; a second one does no harm.
      told_to_end_ = told_to_end_ || asks_to_end(signal);
      send(signal);
    }
    if (deadline_ && steady_clock::now() >= *deadline_) send(SIGKILL);
    if (!deadline_) look_for_still_ranks();
  }

  void look_for_still_ranks() {
    for (int rank = 0; rank < file_.ranks(); ++rank) {
      const auto index = static_cast<std::size_t>(rank);
      if (pids_[index] == 0) continue;
      if (still_.look(index, file_.seat(rank).pid.load(std::memory_order_relaxed))) {
        cluster::report_still(file_, rank);
      }
    }
  }

  void reap() {
    int wait_status = 0;
    for (pid_t pid; (pid = ::waitpid(-1, &wait_status, WNOHANG)) > 0;) {
      for (std::size_t rank = 0; rank < pids_.size(); ++rank) {
        if (pids_[rank] != pid) continue;
        pids_[rank] = 0;
        --running_;
        judge(static_cast<int>(rank), wait_status);
      }
    }
  }

  [[nodiscard]] bool job_has_begun() const {
    for (int rank = 0; rank < file_.ranks(); ++rank) {
      const auto state = file_.seat(rank).state.load(std::memory_order_relaxed);
      if (state != cluster::seat_empty && state != cluster::seat_gone) return true;
    }
    return false;
  }

  // A rank has ended: was it its time?
  void judge(int rank, int wait_status) {
    cluster::job_seat& seat = file_.seat(rank);
    const int status = status_of(wait_status);
    const auto state = seat.state.load(std::memory_order_relaxed);
    if (ending_ || told_to_end_) {
      end_others(status);
    } else if (file_.control().failed.load(std::memory_order_relaxed) != 0) {
      end_others(status == 0 ? 1 : status);  // a rank has said why
    } else if (state == cluster::seat_left) {
      if (status_ == 0) status_ = status;
    } else if (state == cluster::seat_empty && !WIFSIGNALED(wait_status) &&
               (status == 0 || !job_has_begun())) {
      // A program that is no cluster program, or has not come so far. The rank that waits for it
      // will say so.
      seat.state.store(cluster::seat_gone, std::memory_order_relaxed);
      if (status_ == 0) status_ = status;
    } else {
      const std::string how = platform::end_in_words(wait_status);
      cluster::report_failure(file_.control(), cluster::failure_text(file_, rank, how));
      end_others(status == 0 ? 1 : status);
    }
  }

  const std::vector<std::string>& words_;
  const char* const who_;
  cluster::job_file file_;
  std::vector<pid_t> pids_;  // 0: has ended
  platform::still_watch still_;
  sigset_t signals_{};
  sigset_t before_{};
  int running_ = 0;
  int status_ = 0;
  bool told_to_end_ = false;
  bool ending_ = false;
  std::optional<steady_clock::time_point> deadline_;  // when those who have not ended are killed
};

}  // namespace

const bool has_cluster = true;

int run_cluster(const std::vector<std::string>& words, int ranks, const char* who) {
  return launch(words, ranks, who).run();
}

}  // namespace kasuri::command
