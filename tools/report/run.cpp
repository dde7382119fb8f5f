// SPDX-License-Identifier: Apache-2.0
#include "report/run.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

namespace kasuri::report {
namespace {

namespace fs = std::filesystem;

/// An interrupt from the terminal reaches the program too: the command waits for it, and reports.
class left_to_program {
 public:
  left_to_program() {
    for (std::size_t i = 0; i != std::size(signals); ++i)
      before_[i] = std::signal(signals[i], SIG_IGN);
  }
  ~left_to_program() { give_back(); }
  left_to_program(const left_to_program&) = delete;
  left_to_program& operator=(const left_to_program&) = delete;
  void give_back() {
    for (std::size_t i = 0; i != std::size(signals); ++i) std::signal(signals[i], before_[i]);
  }

 private:
  static constexpr int signals[] = {SIGINT, SIGQUIT};
  void (*before_[std::size(signals)])(int) = {};
};

void silence() {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) return;
  for (const int fd : {0, 1, 2}) dup2(null, fd);
}

[[noreturn]] void become(const run_options& o) {
  std::vector<std::string> words{o.kasuri, "run",   "--as",
                                 "report", "--set", "KASURI_PROFILE=" + o.profile.string()};
  words.insert(words.end(), o.options.begin(), o.options.end());
  words.emplace_back("--");
  words.insert(words.end(), o.program.begin(), o.program.end());
  std::vector<char*> line;
  for (std::string& word : words) line.push_back(word.data());
  line.push_back(nullptr);
  execv(o.kasuri.c_str(), line.data());
  constexpr int cannot_execute = 126;
  _exit(cannot_execute);
}

}  // namespace

int run_program(const run_options& o) {
  left_to_program signals;
  const pid_t child = fork();
  if (child < 0)
    throw std::system_error(errno, std::generic_category(), "no process for the program");
  if (child == 0) {
    signals.give_back();
    if (o.silent) silence();
    become(o);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int by_signal = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : by_signal + WTERMSIG(status);
}

std::vector<fs::path> profiles_at(const fs::path& profile) {
  std::vector<fs::path> all;
  const std::string name = profile.filename().string();
  const fs::path folder = profile.has_parent_path() ? profile.parent_path() : fs::path(".");
  std::error_code ignored;
  for (const fs::directory_entry& e : fs::directory_iterator(folder, ignored)) {
    const std::string own = e.path().filename().string();
    const bool of_process = own.starts_with(name + ".") &&
                            std::ranges::all_of(own.substr(name.size() + 1),
                                                [](char c) { return c >= '0' && c <= '9'; });
    if (own == name || of_process) all.push_back(e.path());
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace kasuri::report
