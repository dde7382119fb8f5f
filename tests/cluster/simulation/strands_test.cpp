// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "cluster/transport/simulated/simulated.hpp"

namespace kasuri::cluster {
namespace {

/// Runs `body` on a strand of its own and waits for its end.
struct nested {
  virtual_time* time;
  strand* back;
  int depth;
  long result;

  static void run(void* argument) {
    auto& self = *static_cast<nested*>(argument);
    if (self.depth == 0) {
      self.time->spend(5);
      self.result = 1;
    } else {
      nested a{self.time, self.time->current(), self.depth - 1, 0};
      self.time->switch_to(self.time->create(&run, &a));
      nested b{self.time, self.time->current(), self.depth - 1, 0};
      self.time->switch_to(self.time->create(&run, &b));
      self.result = a.result + b.result;
    }
    self.time->finish_into(self.back);
  }
};

TEST(Strands, RunOneWithinTheOther) {
  simulation_options o;
  o.ranks = 5;
  simulation s(o);
  std::vector<long> results(5);
  s.run([&](int rank, transport& net) {
    nested root{&s.time(), s.time().current(), 8, 0};
    s.time().switch_to(s.time().create(&nested::run, &root));
    results[static_cast<std::size_t>(rank)] = root.result;
    EXPECT_EQ(&net, current_process->network);
    net.barrier();
  });
  EXPECT_EQ(results, std::vector<long>(5, 256));
}

TEST(Strands, KeepTheExceptionThatTheyHandle) {
  simulation_options o;
  o.ranks = 3;
  simulation s(o);
  s.run([](int rank, transport& net) {
    try {
      throw std::runtime_error(std::to_string(rank));
    } catch (const std::exception&) {
      net.spend(100 + static_cast<std::uint64_t>(rank));  // others handle theirs meanwhile
      try {
        throw;
      } catch (const std::exception& e) {
        EXPECT_EQ(e.what(), std::to_string(rank));
      }
    }
    net.barrier();
  });
}

}  // namespace
}  // namespace kasuri::cluster
