// SPDX-License-Identifier: Apache-2.0
// A program as users write it, of which rank 1 leaves too early: leaver exit (before the computation),
// kill (in the middle of it), none.
#include <kasuri/global.hpp>

#include <csignal>
#include <cstdlib>
#include <string_view>

namespace global = kasuri::global;

int main(int, char** argv) {
  const std::string_view how = argv[1];
  global::start();
  global::vector<int> numbers(100'000, global::blocked);
  const bool leaves = global::rank() == 1;
  if (how == "exit" && leaves) std::exit(5);
  const auto view = numbers.view();
  const int wanted = how == "kill" ? 1 : -1;
  const long sum = global::run([view, wanted] {
    global::parallel_for(0, 100'000, 1000, [view, wanted](long lo, long hi) {
      auto part = global::checkout(view.subview(lo, hi - lo), global::write);
      for (long i = lo; i < hi; ++i) part[i - lo] = static_cast<int>(i % 10);
      if (global::rank() == wanted) std::raise(SIGKILL);
    });
    return 1L;
  });
  return sum == 1 ? 0 : 1;
}
