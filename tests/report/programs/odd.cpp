// SPDX-License-Identifier: Apache-2.0
// Programs that do not end as most do, or have little to report: `odd WHAT`.
#include <kasuri/kasuri.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace {

long fib(int n) {
  if (n < 2) return n;
  if (n < 12) return fib(n - 1) + fib(n - 2);
  const auto [a, b] =
      kasuri::parallel_invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

/// Some tasks, for so long.
long compute(int milliseconds) {
  using clock = std::chrono::steady_clock;
  const auto end = clock::now() + std::chrono::milliseconds(milliseconds);
  long sum = 0;
  while (clock::now() < end) sum += kasuri::run([] { return fib(22); });
  return sum;
}

/// The profile that is recorded of this process, if one is, says how many workers it has.
bool is_recorded() {
  const char* const path = std::getenv("KASURI_PROFILE");
  if (path == nullptr) return true;
  std::ostringstream profile;
  profile << std::ifstream(path).rdbuf();
  const std::string workers = "\"workers\":" + std::to_string(kasuri::num_workers());
  return profile.str().find(workers) != std::string::npos;
}

/// On a busy machine the recording's thread may come late.
void compute_until_recorded() {
  compute(200);
  while (!is_recorded()) compute(20);
}

int crash() {
  compute_until_recorded();
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
  return 1;
}

/// Says that it computes, and does until it is killed.
int until_killed() {
  compute_until_recorded();
  std::puts("computes");
  std::fflush(stdout);
  compute(60'000);
  return 1;
}

int with_child() {
  compute(100);
  const pid_t child = fork();
  if (child == 0) _exit(compute(100) > 0 ? 0 : 1);
  int status = 1;
  if (child < 0 || waitpid(child, &status, 0) != child) return 1;
  compute(100);
  return status == 0 ? 0 : 1;
}

int become(char* self, const char* program) {
  compute(100);
  if (std::strcmp(program, "itself") == 0)
    execl(self, self, "short", nullptr);
  else
    execl(program, program, nullptr);
  return 1;
}

/// One task after the other, each on whichever worker.
int serial() {
  for (int i = 0; i != 3; ++i)
    kasuri::run([] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); });
  return compute(1) > 0 ? 0 : 1;
}

int run(char* self, const char* what) {
  if (std::strcmp(what, "nothing") == 0) return 0;
  if (std::strcmp(what, "short") == 0) return compute(50) > 0 ? 0 : 1;
  if (std::strcmp(what, "crash") == 0) return crash();
  if (std::strcmp(what, "until_killed") == 0) return until_killed();
  if (std::strcmp(what, "fork") == 0) return with_child();
  if (std::strcmp(what, "serial") == 0) return serial();
  if (std::strcmp(what, "status") == 0) return compute(60) > 0 ? 7 : 1;
  if (std::strcmp(what, "exec_itself") == 0) return become(self, "itself");
  if (std::strcmp(what, "exec_other") == 0) return become(self, "/bin/true");
  std::fprintf(stderr,
               "odd: %s; accepted: nothing, short, crash, until_killed, fork, serial, status, "
               "exec_itself, exec_other\n",
               what);
  return 2;
}

}  // namespace

int main(int argc, char** argv) { return run(argv[0], argc > 1 ? argv[1] : "nothing"); }
