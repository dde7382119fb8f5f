// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <atomic>
#include <cstdio>
#include <stdexcept>

// Search: the first task that finds what is wanted stops the others.
long find_divisor(long n) {
  // Cancel:
  std::atomic<long> found{0};
  kasuri::task_group group;
  for (long start = 2; start < 1000; start += 100) {
    group.run([&, start] {
      for (long d = start; d < start + 100 && !kasuri::this_task::canceled(); ++d) {
        if (n % d == 0) {
          found = d;
          group.cancel();
        }
      }
    });
  }
  group.wait();
  // end
  return found;
}

bool exception_arrives() {
  // Throw:
  kasuri::task_group group;
  group.run([] { throw std::runtime_error("no such file"); });
  try {
    group.wait();
  } catch (const std::runtime_error& error) {
    std::printf("a task failed: %s\n", error.what());
    return true;
  }
  // end
  return false;
}

int main() {
  const long n = 601 * 10'007L;
  const long divisor = find_divisor(n);
  std::printf("%ld is divided by %ld\n", n, divisor);
  return divisor == 601 && exception_arrives() ? 0 : 1;
}
