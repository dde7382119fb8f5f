// SPDX-License-Identifier: Apache-2.0
#include <kasuri/adapters/stdexec.hpp>

#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

int main() {
  // Senders:
  const auto pool = kasuri::senders::get_scheduler();
  std::vector<double> squares(1000);
  auto work = stdexec::schedule(pool) | stdexec::then([] { return 0.5; }) |
              stdexec::bulk(stdexec::par, squares.size(),
                            [&squares](std::size_t i, double scale) {
                              squares[i] = scale * static_cast<double>(i * i);
                            }) |
              stdexec::then([&squares](double scale) { return squares[10] / scale; });
  const auto [tenth] = kasuri::senders::sync_wait(std::move(work)).value();
  // end
  std::printf("%g\n", tenth);
  return tenth == 100 ? 0 : 1;
}
