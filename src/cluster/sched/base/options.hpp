// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kasuri::cluster {

struct scheduler_options {
  bool adws = false;  // forks are divided between the ranks
  std::uint64_t seed = 1;
  unsigned eager_probes = 12;  // in a row before a nap
  std::uint64_t shortest_nap_ns = 50'000;
  std::uint64_t longest_nap_ns = 5'000'000;
  std::uint64_t patience_ns = 100'000;  // under adws: so long at least it waits for what is its own
  bool checked = false;  // every fork is shown to memory, which asks for the calling task
  bool probes = true;    // tests switch it off
};

}  // namespace kasuri::cluster
