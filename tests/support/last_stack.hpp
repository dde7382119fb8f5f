// SPDX-License-Identifier: Apache-2.0
#pragma once

// A process that has no memory left for the stack of a thread that waits.

#include <atomic>
#include <kasuri/kasuri.hpp>
#include <new>

namespace kasuri::test {

/// Starts tasks that wait, each on a stack of its own, until one is refused, and calls f on the
/// stack of that one, which is the last. Then all go on. False unless each of them went on or was
/// refused.
template <class F>
inline bool on_the_last_stack(F f) {
  async([] {}).get();  // the pool's own thread has what it needs
  std::atomic<int> got{0}, refused{0};
  int started = 0;
  run([&] {
    semaphore s(0);
    task_group g;
    for (; refused.load() == 0; ++started)
      g.run(
          [&] {
            try {
              s.acquire();
              got.fetch_add(1);
            } catch (const std::bad_alloc&) {
              refused.fetch_add(1);
              f();
            }
          },
          spawn::child_first);
    s.release(static_cast<std::size_t>(started));
    g.wait();
  });
  return refused.load() == 1 && got.load() + 1 == started;
}

}  // namespace kasuri::test
