// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "common/bench.hpp"

/// Messages, each a number, through one channel that holds 64:
///   alone  one task sends one and receives it, and so on: nobody waits
///   pair   a sender and a receiver
///   crowd  1000 senders and 1000 receivers (100 and 100 in the small size)
namespace bench::channel {

struct problem {
  static constexpr const char* name = "channel";
  using answer = long;

  explicit problem(const arguments& args)
      : variant(args.variant),
        messages(args.size_or(1'000'000, 100'000)),
        ends(variant == "crowd" ? (messages >= 1'000'000 ? 1000 : 100) : 1) {}
  problem rehearsal() const {
    problem small = *this;
    small.messages = 100L * ends;
    return small;
  }
  void prepare() {}
  /// @param sum  the receivers have added up all numbers; each sender sends 1, 2 ...
  std::string wrong(long sum) const {
    const long each = messages / ends;
    const long expected = ends * (each * (each + 1) / 2);
    if (sum == expected) return "";
    return "the sum is " + std::to_string(sum) + ", expected " + std::to_string(expected);
  }
  std::vector<metric> metrics(double seconds, long) const {
    const auto sent = static_cast<double>(messages / ends * ends);
    return {{"time-per-message", "ns", seconds * 1e9 / sent}};
  }

  std::string variant;
  long messages;  ///< in all
  long ends;      ///< senders, and receivers
};

/// For a set of primitives:
///   channel(capacity) with send(n), receive(n) (false: closed and empty) and close()
///   tasks(count, f)   runs f(0) ... f(count - 1), which wait for each other, to their ends
template <class System>
struct solver {
  static constexpr std::size_t capacity = 64;

  static long alone(problem& p) {
    typename System::channel to(capacity);
    long sum = 0;
    System::tasks(1, [&](long) {
      for (long i = 1; i <= p.messages; ++i) {
        to.send(i);
        long n = 0;
        if (to.receive(n)) sum += n;
      }
    });
    return sum;
  }

  static long stream(problem& p) {
    typename System::channel to(capacity);
    std::atomic<long> sum{0};
    std::atomic<long> sending{p.ends};
    System::tasks(2 * p.ends, [&](long end) {
      if (end >= p.ends) {
        for (long i = 1; i <= p.messages / p.ends; ++i) to.send(i);
        if (--sending == 0) to.close();
        return;
      }
      long mine = 0;
      for (long n; to.receive(n);) mine += n;
      sum += mine;
    });
    return sum;
  }

  static std::vector<variant<problem>> variants() {
    return {{"alone", &alone}, {"pair", &stream}, {"crowd", &stream}};
  }
};

}  // namespace bench::channel
