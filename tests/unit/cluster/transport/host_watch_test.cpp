// SPDX-License-Identifier: Apache-2.0
// The watch is a process that ends others, so the ranks are processes, too. What they and the watch
// say ends when all have ended: no test asks how long that takes.
#include "cluster/transport/job/host_watch.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "platform/cpu/affinity.hpp"

namespace kasuri::cluster {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
const std::vector<int> all_ranks{0, 1, 2};

/// In the file that the ranks share.
struct meeting {
  std::atomic<std::uint32_t> arrived{0};
  std::atomic<std::uint32_t> gone{0};  // ranks that the test has seen end
};

meeting& meeting_in(const job_file& file) { return *reinterpret_cast<meeting*>(file.staging(0)); }

void wait_until(const std::function<bool()>& so) {
  while (!so()) ::usleep(100);
}

/// Waits for all ranks.
void meet(const job_file& file) {
  std::atomic<std::uint32_t>& arrived = meeting_in(file).arrived;
  const auto count = static_cast<std::uint32_t>(all_ranks.size());
  const std::uint32_t last = arrived.fetch_add(1, relaxed) / count * count + count;
  wait_until([&] { return arrived.load(relaxed) >= last; });
}

/// The ranks of a host, each a process.
class host {
 public:
  /// body(rank, watch) at each; the process ends with what it returns, and is watched until then.
  explicit host(const std::function<int(int, const job_file&)>& body) {
    new (file_.staging(0)) meeting;
    int ends[2] = {-1, -1};
    EXPECT_EQ(::pipe(ends), 0);
    said_ = ends[0];
    for (const int rank : all_ranks) {
      const pid_t pid = ::fork();
      if (pid == 0) run_rank(rank, ends, body);
      pids_.push_back(pid);
    }
    ::close(ends[1]);
  }
  host(const host&) = delete;
  host& operator=(const host&) = delete;
  ~host() { ::close(said_); }

  [[nodiscard]] pid_t pid(int rank) const { return pids_[static_cast<std::size_t>(rank)]; }
  /// The status of a rank that has ended.
  int status(int rank) {
    int status = -1;
    EXPECT_EQ(::waitpid(pid(rank), &status, 0), pid(rank));
    meeting_in(file_).gone.fetch_add(1, relaxed);
    return status;
  }
  /// What all have said, the watch as well: there is no more when the last of them has ended.
  std::string said() {
    std::string text;
    char buffer[512];
    for (ssize_t n = 0; (n = ::read(said_, buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<std::size_t>(n));
    return text;
  }

 private:
  [[noreturn]] void run_rank(int rank, const int (&ends)[2],
                             const std::function<int(int, const job_file&)>& body) {
    ::alarm(120);
    ::close(ends[0]);
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[1]);
    ::unsetenv("OMPI_COMM_WORLD_SIZE");
    file_.seat(rank).pid.store(static_cast<std::uint32_t>(::getpid()), relaxed);
    file_.seat(rank).state.store(seat_taken, relaxed);
    int status = 0;
    {
      const host_watch watch(file_, all_ranks, rank, [this] { meet(file_); });
      status = body(rank, file_);
    }
    ::_exit(status);
  }

  job_file file_ = job_file::create(static_cast<int>(all_ranks.size()), 0);
  std::vector<pid_t> pids_;
  int said_ = -1;
};

void leave(const job_file& file, int rank) {
  // release: pairs with the acquire of the watch
  file.seat(rank).state.store(seat_left, std::memory_order_release);
}

int for_ever() {
  for (;;) ::pause();
}

/// Exactly the line that says which rank has ended, whatever is known of the cause.
void expect_one_line_about(int rank, pid_t pid, const std::string& said) {
  const std::string begin = "kasuri: rank " + std::to_string(rank) + " (pid " +
                            std::to_string(pid) + " on host " + platform::host_name() +
                            ") ended before the job did: ";
  EXPECT_EQ(said.find(begin), 0U) << said;
  EXPECT_EQ(said.find('\n'), said.size() - 1) << said;
}

TEST(HostWatch, ARankThatEndsInItsSeatEndsTheOthers) {
  host h([](int rank, const job_file&) { return rank == 1 ? 3 : for_ever(); });
  for (const int rank : {0, 2}) {
    const int status = h.status(rank);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  }
  EXPECT_EQ(WEXITSTATUS(h.status(1)), 3);
  expect_one_line_about(1, h.pid(1), h.said());
}

TEST(HostWatch, SoDoesTheOneThatHasStartedTheWatch) {
  host h([](int rank, const job_file&) { return rank == 0 ? ::raise(SIGKILL) : for_ever(); });
  for (const int rank : {1, 2}) {
    const int status = h.status(rank);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  }
  EXPECT_TRUE(WIFSIGNALED(h.status(0)));
  expect_one_line_about(0, h.pid(0), h.said());
}

TEST(HostWatch, ARankThatHasLeftItsSeatMayEnd) {
  host h([](int rank, const job_file& file) {
    // One after the other.
    wait_until(
        [&] { return meeting_in(file).gone.load(relaxed) >= static_cast<std::uint32_t>(rank); });
    leave(file, rank);
    return 10 + rank;
  });
  for (const int rank : all_ranks) {
    const int status = h.status(rank);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 10 + rank) << status;
  }
  EXPECT_EQ(h.said(), "");
}

TEST(HostWatch, OfThoseThatAreLeftOneThatEndsEndsTheOthers) {
  host h([](int rank, const job_file& file) {
    if (rank == 2) return for_ever();
    if (rank == 1) wait_until([&] { return meeting_in(file).gone.load(relaxed) != 0; });
    if (rank == 0) leave(file, rank);
    return 20 + rank;
  });
  EXPECT_EQ(WEXITSTATUS(h.status(0)), 20);
  const int last = h.status(2);
  EXPECT_TRUE(WIFSIGNALED(last) && WTERMSIG(last) == SIGKILL) << last;
  EXPECT_EQ(WEXITSTATUS(h.status(1)), 21);
  expect_one_line_about(1, h.pid(1), h.said());
}

}  // namespace
}  // namespace kasuri::cluster
