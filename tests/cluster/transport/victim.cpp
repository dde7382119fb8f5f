// SPDX-License-Identifier: Apache-2.0
// A job whose rank 1 comes to an untimely end, while the others do something:
//   victim END OTHERS
//   END     kill, abort, exit, static (exit with the transport in a static variable), quick
//           (_exit(0)), none (an orderly end, with status 3 at rank 1), linger (no end at all)
//   OTHERS  barrier, nap, compute
// With VICTIM_PIDS=FILE the line "rank N is PID" of each rank goes to that file, which no launcher
// can lose.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "cluster/transport/open/open.hpp"
#include "cluster/transport/transport.hpp"

namespace {

using kasuri::cluster::transport;

std::unique_ptr<transport> kept;

void come_to_an_end(std::string_view how) {
  if (how == "kill") ::raise(SIGKILL);
  if (how == "abort") std::abort();
  if (how == "exit") {
    static_cast<void>(kept.release());  // its destructor does not run
    std::exit(5);
  }
  if (how == "static") std::exit(5);
  if (how == "quick") ::_exit(0);
}

void wait_for_ever(std::string_view how) {
  if (how == "barrier") kept->barrier();
  while (how == "nap") kept->nap(1'000'000'000);
  volatile bool for_ever = true;
  while (for_ever) kept->progress();
}

bool tell_pid() {
  const std::string line =
      "rank " + std::to_string(kept->rank()) + " is " + std::to_string(::getpid()) + '\n';
  const char* name = std::getenv("VICTIM_PIDS");
  const int file = name == nullptr ? STDOUT_FILENO
                                   : ::open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  return ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

}  // namespace

int main(int, char** argv) {
  kept = kasuri::cluster::open_transport();
  if (!tell_pid()) return 1;
  kept->barrier();
  const std::string_view end = argv[1];
  if (end == "none") {
    const int status = kept->rank() == 1 ? 3 : 0;
    kept.reset();
    return status;
  }
  if (kept->rank() == 1) {
    ::usleep(100'000);
    come_to_an_end(end);
  }
  wait_for_ever(argv[2]);
}
