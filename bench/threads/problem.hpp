// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "common/memory.hpp"
#include "common/thread_model.hpp"
#include "fib/problem.hpp"

/// User-level threads through the C API: what creation, join and yield cost.
///   create_join   create a thread child first and join it, again and again
///   fib           a thread for every call
///   yield         two threads that do nothing but yield to each other
///   many          all created, then all joined: time and peak memory of each
namespace bench::threads {

struct problem {
  static constexpr const char* name = "threads";
  using answer = long;

  explicit problem(const arguments& args) : variant(args.variant), n(default_size(args)) {}

  static long default_size(const arguments& args) {
    if (args.variant == "fib") return args.size_or(34, 26);
    if (args.variant == "many") return args.size_or(1'000'000, 20'000);
    return args.size_or(2'000'000, 200'000);
  }

  problem rehearsal() const {
    problem small = *this;
    small.n = variant == "fib" ? 20 : 1000;
    small.counted = true;
    return small;
  }

  void prepare() { memory.start(); }

  /// The timed threads of create_join and many are empty; the rehearsal's count themselves.
  std::string wrong(long result) const {
    if (!counted && (variant == "create_join" || variant == "many")) return "";
    const long expected = variant == "fib" ? fib::number(n) : variant == "yield" ? 2 * n : n;
    if (result == expected) return "";
    return std::to_string(result) + ", expected " + std::to_string(expected);
  }

  std::vector<metric> metrics(double seconds, long) const {
    if (variant == "fib") {
      const auto threads = static_cast<double>(fib::number(n + 1) - 1);
      return {{"time-per-thread", "ns", seconds * 1e9 / threads}};
    }
    const double ns = seconds * 1e9 / static_cast<double>(n);
    if (variant == "yield") return {{"time-per-yield", "ns", ns / 2}};
    if (variant == "create_join") return {{"time-per-thread", "ns", ns}};
    return {{"time-per-thread", "ns", ns},
            {"peak-growth-per-thread", "bytes", memory.bytes() / static_cast<double>(n)}};
  }

  std::string variant;
  long n;
  bool counted = false;
  memory_growth memory;
};

/// The four variants, for any thread system.
template <class System>
struct solver {
  struct yielder {
    long turns;
    long taken = 0;
  };

  /// One piece of code for both threads, as in most programs: a processor predicts returns by it.
  [[gnu::noinline]] static void* yield_in_turn(void* argument) {
    auto& self = *static_cast<yielder*>(argument);
    for (; self.taken < self.turns; ++self.taken) System::yield();
    return nullptr;
  }

  static long yield(problem& p) {
    yielder child{p.n};
    yielder parent{p.n};
    typename System::thread other;
    System::create(other, &yield_in_turn, &child);
    yield_in_turn(&parent);
    System::join(other);
    return child.taken + parent.taken;
  }

  template <class Loop>
  static long run_threads(const problem& p, const Loop& loop) {
    std::atomic<long> ran = 0;
    loop(p.n, p.counted ? &thread_model::counting_thread : &thread_model::empty_thread, &ran);
    return ran.load(std::memory_order_relaxed);  // the loop has joined its threads
  }

  static std::vector<bench::variant<problem>> variants() {
    return {{"create_join",
             [](problem& p) { return run_threads(p, thread_model::create_and_join<System>); }},
            {"fib", [](problem& p) { return thread_model::fib<System>::of(p.n); }},
            {"yield", &solver::yield},
            {"many",
             [](problem& p) { return run_threads(p, thread_model::create_then_join<System>); }}};
  }
};

}  // namespace bench::threads
