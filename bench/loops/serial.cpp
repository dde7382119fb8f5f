// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "loops/problem.hpp"

int main(int argc, char** argv) {
  using namespace bench::loops;
  const auto scan = [](const auto* in, auto* out, std::size_t n) {
    return kernel::scan(in, out, 0, n, 0);
  };
  return bench::run<bench::chosen_system, problem>(
      argc, argv,
      every_loop([](std::uint32_t* cells, std::size_t n) { kernel::add(cells, 0, n); },
                 [](const auto* in, std::size_t n) { return kernel::sum(in, 0, n); }, scan));
}
