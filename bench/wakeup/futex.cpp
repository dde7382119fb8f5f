// SPDX-License-Identifier: Apache-2.0
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "wakeup/problem.hpp"

namespace {

using namespace bench::wakeup;

/// The floor under every wake-up: one OS thread that waits for a word to change, with nothing
/// around it. Spinning it reads the word; asleep it waits in the kernel (futex).
class waiter {
 public:
  explicit waiter(bool asleep) : asleep_(asleep), thread_([this] { serve(); }) {}
  ~waiter() {
    post(nullptr, stop);
    thread_.join();
  }
  waiter(const waiter&) = delete;
  waiter& operator=(const waiter&) = delete;

  double start(start_signal& signal) {
    post(&signal, ++posted_);
    return signal.wait();
  }

 private:
  static constexpr int stop = -1;

  void post(start_signal* signal, int turn) {
    signal_ = signal;
    turn_.store(turn, std::memory_order_release);  // pairs with the acquire load in serve
    if (asleep_) futex(FUTEX_WAKE_PRIVATE, 1);
  }

  /// The kernel compares the word with `value` again before it puts the thread to sleep.
  void futex(int operation, int value) {
    syscall(SYS_futex, reinterpret_cast<int*>(&turn_), operation, value, nullptr, nullptr, 0);
  }

  void serve() {
    for (int seen = 0;;) {
      if (asleep_) futex(FUTEX_WAIT_PRIVATE, seen);
      const int turn = turn_.load(std::memory_order_acquire);  // pairs with the store in post
      if (turn == stop) return;
      if (turn == seen) continue;
      seen = turn;
      signal_->give();
    }
  }

  const bool asleep_;
  int posted_ = 0;
  start_signal* signal_ = nullptr;
  std::atomic<int> turn_ = 0;
  std::thread thread_;
};

struct futex_system {
  static constexpr const char* name = "futex";
  static std::string version() { return ""; }
  explicit futex_system(int) {}
  template <class F>
  void run(F&& f) {
    f();
  }
};

}  // namespace

int main(int argc, char** argv) {
  const auto solve = [](problem& p) {
    waiter other(p.asleep);
    return sample(p, [&other](start_signal& signal) { return other.start(signal); });
  };
  return bench::run<futex_system, problem>(argc, argv, {{"spinning", solve}, {"asleep", solve}});
}
