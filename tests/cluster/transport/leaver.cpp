// SPDX-License-Identifier: Apache-2.0
// A program as users write it, of which rank 1 leaves too early: leaver exit (before the
// computation), kill (in the middle of it), busy (in a piece of it), fault (the same, by an
// address), none.
#include <kasuri/global.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace global = kasuri::global;

int main(int, char** argv) {
  const std::string_view how = argv[1];
  global::start();
  global::vector<int> numbers(100'000, global::blocked);
  const bool leaves = global::rank() == 1;
  if (how == "exit" && leaves) std::exit(5);
  if (how == "kill" && leaves) {
    std::thread([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      std::raise(SIGKILL);
    }).detach();
  }
  const auto view = numbers.view();
  const bool kill = how == "kill";
  const bool busy = how == "busy";
  const bool fault = how == "fault";
  const long sum = global::run([view, kill, busy, fault] {
    global::parallel_for(0, 100'000, 1000, [view, kill, busy, fault](long lo, long hi) {
      if (kill && lo == 0) std::this_thread::sleep_for(std::chrono::hours(1));
      if (busy && global::rank() == 1) std::raise(SIGKILL);
      if (fault && global::rank() == 1) std::raise(SIGSEGV);
      auto part = global::checkout(view.subview(lo, hi - lo), global::write);
      for (long i = lo; i < hi; ++i) part[i - lo] = static_cast<int>(i % 10);
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
    });
    return 1L;
  });
  return sum == 1 ? 0 : 1;
}
