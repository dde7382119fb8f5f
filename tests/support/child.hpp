// SPDX-License-Identifier: Apache-2.0
// A test's other process: the same program, started again with another environment and limits, to
// run one function by name. What it wrote to stderr and how it ended come back.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace kasuri::test {

struct child_result {
  int status = 0;  // of waitpid
  std::string err;

  int exit_code() const { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
  int signal() const { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
  long lines() const {
    long n = 0;
    for (const char c : err) n += c == '\n';
    return n;
  }
};

struct child_setup {
  std::vector<std::pair<std::string, std::string>> environment;
  rlim_t address_space = RLIM_INFINITY;  // bytes
};

/// Becomes `PROGRAM --child name`, with this very program; an emulated one by its emulator.
[[noreturn]] inline void start_again(const char* name) {
  constexpr const char* emulator = KASURI_TEST_EMULATOR;
  if (*emulator != '\0') {
    char program[4096] = {};
    if (::readlink("/proc/self/exe", program, sizeof program - 1) > 0)
      ::execlp(emulator, emulator, program, "--child", name, nullptr);
  } else {
    ::execl("/proc/self/exe", "child", "--child", name, nullptr);
  }
  ::_exit(127);
}

/// Runs `PROGRAM --child name`, a minute at most.
inline child_result run_child(const std::string& name, const child_setup& setup = {}) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {-1, "no pipe"};
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    for (const auto& [key, value] : setup.environment) ::setenv(key.c_str(), value.c_str(), 1);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    if (setup.address_space != RLIM_INFINITY) {
      const rlimit limit{setup.address_space, setup.address_space};
      ::setrlimit(RLIMIT_AS, &limit);
    }
    ::alarm(60);
    start_again(name.c_str());
  }
  ::close(ends[1]);
  child_result r;
  char buffer[4096];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    r.err.append(buffer, static_cast<std::size_t>(n));
  ::close(ends[0]);
  ::waitpid(pid, &r.status, 0);
  return r;
}

}  // namespace kasuri::test
