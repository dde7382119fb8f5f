// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/bench.hpp"

/// Two tasks that pass something to and fro:
///   mutex      both lock, count and unlock: nanoseconds per turn under contention
///   condition  strict alternation under a mutex and a condition variable: per hand-over
///   barrier    both meet at a barrier: per meeting
namespace bench::handover {

struct problem {
  static constexpr const char* name = "handover";
  using answer = long;

  explicit problem(const arguments& args)
      : variant(args.variant), turns(args.size_or(200'000, 20'000)) {}
  problem rehearsal() const {
    problem small = *this;
    small.turns = 500;
    return small;
  }
  void prepare() {}
  std::string wrong(long counted) const {
    if (counted == 2 * turns) return "";
    return std::to_string(counted) + " turns, expected " + std::to_string(2 * turns);
  }
  /// At the barrier two meetings make up one turn of each: as many meetings as turns.
  std::vector<metric> metrics(double seconds, long counted) const {
    return {{"time-per-handover", "ns", seconds * 1e9 / static_cast<double>(counted)}};
  }

  std::string variant;
  long turns;  ///< of each of the two
};

/// The three variants for a set of primitives:
///   mutex (lock, unlock), condition_variable (wait(lock), notify_one), barrier(n) with
///   arrive_and_wait, and both(f, g) that runs f and g as two tasks and waits for them.
template <class System>
struct solver {
  static long contend(problem& p) {
    typename System::mutex lock;
    long counted = 0;
    const auto side = [&] {
      for (long i = 0; i < p.turns; ++i) {
        lock.lock();
        ++counted;
        lock.unlock();
      }
    };
    System::both(side, side);
    return counted;
  }

  static long alternate(problem& p) {
    typename System::mutex lock;
    typename System::condition_variable changed;
    long counted = 0;
    const auto side = [&](long parity) {
      for (long i = 0; i < p.turns; ++i) {
        typename System::unique_lock held(lock);
        while (counted % 2 != parity) changed.wait(held);
        ++counted;
        changed.notify_one();
      }
    };
    System::both([&] { side(0); }, [&] { side(1); });
    return counted;
  }

  /// Each side counts on its own and checks the other's count after every meeting.
  static long meet(problem& p) {
    typename System::barrier meeting(2);
    long turns[2] = {0, 0};
    bool together = true;
    const auto side = [&](int own) {
      for (long i = 0; i < p.turns; ++i) {
        ++turns[own];
        meeting.arrive_and_wait();
        if (own == 0 && turns[1] != i + 1) together = false;
        meeting.arrive_and_wait();
      }
    };
    System::both([&] { side(0); }, [&] { side(1); });
    return together ? turns[0] + turns[1] : 0;
  }

  static std::vector<variant<problem>> variants() {
    return {{"mutex", &contend}, {"condition", &alternate}, {"barrier", &meet}};
  }
};

}  // namespace bench::handover
