// SPDX-License-Identifier: Apache-2.0
#include <kasuri/channel.hpp>
#include <kasuri/kasuri.hpp>

#include <atomic>
#include <cstdio>

int main() {
  std::atomic<long> sum{0};
  constexpr int producers = 1000;
  constexpr int consumers = 1000;
  constexpr int each = 100;

  // Channel:
  kasuri::channel<int> numbers(64);  // full at 64: send waits for room then
  kasuri::task_group receivers;
  for (int c = 0; c < consumers; ++c) {
    receivers.run([&] {
      long mine = 0;
      for (const int n : numbers) mine += n;  // until it is closed and empty
      sum += mine;
    });
  }
  kasuri::task_group senders;
  for (int p = 0; p < producers; ++p) {
    senders.run([&] {
      for (int i = 1; i <= each; ++i)
        if (!numbers.send(i)) return;  // closed early: nobody receives any more
    });
  }
  senders.wait();
  numbers.close();
  receivers.wait();
  // end

  const long expected = long{producers} * each * (each + 1) / 2;
  std::printf("%d messages, sum %ld\n", producers * each, sum.load());
  return sum == expected ? 0 : 1;
}
