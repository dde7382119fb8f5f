// SPDX-License-Identifier: Apache-2.0
// Exceptions that pass through libkasuri.so from tasks to who waits for them, and how many arrived.
// packaging/wheel/check compiles it, and runs it on an older C++ library than the compiler has.
#include <kasuri/kasuri.hpp>

#include <cstdio>
#include <stdexcept>

int main() {
  int caught = 0;
  for (int i = 0; i < 1000; ++i) {
    try {
      kasuri::parallel_invoke([] { throw std::runtime_error("of a task"); }, [] {});
    } catch (const std::runtime_error&) {
      ++caught;
    }
    auto result = kasuri::async([]() -> int { throw std::logic_error("in a future"); });
    try {
      result.get();
    } catch (const std::logic_error&) {
      ++caught;
    }
  }
  std::printf("%d caught\n", caught);
}
