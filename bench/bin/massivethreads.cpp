// SPDX-License-Identifier: Apache-2.0
#include "common/massivethreads.hpp"

#include "bin/problem.hpp"
#include "common/thread_model.hpp"

namespace {

constexpr auto fork_join = [](const auto& f, const auto& g) {
  return bench::thread_model::fork_join<bench::massivethreads_system>(f, g);
};

}  // namespace

int main(int argc, char** argv) {
  using namespace bench;
  return run<massivethreads_system, bin::problem>(argc, argv, bin::variants(fork_join));
}
