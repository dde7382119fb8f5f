// SPDX-License-Identifier: Apache-2.0
// Whose threads there are, and what becomes of them: finalize, fork, exit.
#include <dirent.h>
#include <oneapi/tbb.h>
#include <oneapi/tbb/global_control.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "cases.hpp"

namespace {

constexpr const char* own_name = "onetbb_program";

std::string name_of_thread(const std::string& id) {
  std::string name;
  std::getline(std::ifstream("/proc/self/task/" + id + "/comm"), name);
  return name;
}

template <class Visit>
void for_each_thread(Visit visit) {
  DIR* const all = opendir("/proc/self/task");
  CHECK(all != nullptr);
  while (const dirent* each = readdir(all))
    if (each->d_name[0] != '.') visit(name_of_thread(each->d_name));
  closedir(all);
}

/// Threads that the program, or a library in its name, has started.
int threads_of_program() {
  int n = 0;
  for_each_thread([&](const std::string& name) { n += name == own_name; });
  return n;
}

/// All but Kasuri's workers, kasuri-0 and the like, which the pool starts when it needs them.
int threads_besides_workers() {
  constexpr std::string_view prefix = "kasuri-";
  int n = 0;
  for_each_thread([&](const std::string& name) {
    const bool is_worker = name.starts_with(prefix) && name.size() > prefix.size() &&
                           std::isdigit(static_cast<unsigned char>(name[prefix.size()])) != 0;
    n += !is_worker;
  });
  return n;
}

std::uint64_t work(int n) {
  return tbb::parallel_reduce(
      tbb::blocked_range<int>(0, n, 16), std::uint64_t{0},
      [](const auto& r, std::uint64_t s) {
        for (int i = r.begin(); i != r.end(); ++i) s += static_cast<std::uint64_t>(i);
        return s;
      },
      std::plus<>());
}

constexpr std::uint64_t result(int n) {
  return static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(n - 1) / 2;
}

/// The kernel's number of a thread that runs a body and is not the caller.
std::string number_of_a_worker() {
  std::string number;
  std::atomic<bool> done{false};
  tbb::task_arena arena;
  arena.enqueue([&] {
    number = std::to_string(gettid());
    done = true;
  });
  await([&] { return done.load(); });
  CHECK(number != std::to_string(gettid()));
  return number;
}

void end_of_child(pid_t child) {
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace

void own_threads() {
  tbb::global_control more(tbb::global_control::max_allowed_parallelism, 4);
  CHECK(work(100'000) == result(100'000));
  static_cast<void>(number_of_a_worker());
  // oneTBB starts a thread for each of its own workers, which have the program's name. Those of the
  // pool have it for a moment, too, until they are given theirs.
  if (served())
    await([] { return threads_of_program() == 1; });
  else
    CHECK(threads_of_program() > 1);
}

void workers_of_pool() {
  const std::string number = number_of_a_worker();
  if (served())
    await([&] { return name_of_thread(number).starts_with("kasuri"); });
  else
    CHECK(name_of_thread(number) == own_name);
}

void finalize() {
  int before = 0;
  for (int round = 0; round != 20; ++round) {
    {
      tbb::task_scheduler_handle handle{tbb::attach{}};
      CHECK(work(50'000) == result(50'000));
      static_cast<void>(number_of_a_worker());
      CHECK(tbb::finalize(handle, std::nothrow));
    }
    if (!served()) continue;
    // The thread-locals of its workers end with them.
    if (round == 2) before = threads_besides_workers();
    if (round > 2) await([before] { return threads_besides_workers() <= before + 2; });
  }
}

void fork_then_work() {
  CHECK(work(50'000) == result(50'000));
  for (int round = 0; round != 10; ++round) {
    CHECK(work(10'000) == result(10'000));
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      CHECK(work(50'000 + round) == result(50'000 + round));
      // What is enqueued may never run there, where a worker was inside at the fork: as in stock.
      _Exit(0);
    }
    end_of_child(child);
  }
}

void fork_beside_work() {
  // The parent finalizes first, as programs must that want to use stock oneTBB in the child.
  for (int round = 0; round != 10; ++round) {
    {
      tbb::task_scheduler_handle handle{tbb::attach{}};
      CHECK(work(20'000) == result(20'000));
      CHECK(tbb::finalize(handle, std::nothrow));
    }
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      CHECK(work(30'000) == result(30'000));
      static_cast<void>(number_of_a_worker());
      std::exit(0);
    }
    CHECK(work(30'000) == result(30'000));
    end_of_child(child);
  }
}

void exit_during_work() {
  static std::atomic<int> ran{0};
  static tbb::task_arena arena;
  struct again {
    void operator()() const {
      ++ran;
      arena.enqueue(again{});
    }
  };
  for (int i = 0; i != 4; ++i) arena.enqueue(again{});
  await([&] { return ran > 100; });
  std::puts("ok");
  std::exit(0);
}

void static_destructor() {
  struct last_words {
    ~last_words() {
      if (work(40'000) != result(40'000)) std::_Exit(1);
    }
  };
  static last_words at_exit;
  CHECK(work(40'000) == result(40'000));
}
