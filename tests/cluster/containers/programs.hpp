// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program of each seed, run on 1 to 5 ranks of the simulated network. What went wrong, or "".

#include <cstdint>
#include <string>

namespace kasuri::test {

struct outcome {
  std::string complaint;
  std::uint64_t vain = 0;     // attempts that were made while another task made the same key
  std::uint64_t refused = 0;  // insertions into a full map
};

outcome run_map_program(std::uint64_t seed);
outcome run_bag_program(std::uint64_t seed);

}  // namespace kasuri::test
