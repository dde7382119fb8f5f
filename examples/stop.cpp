// SPDX-License-Identifier: Apache-2.0
#include <kasuri/algorithm.hpp>
#include <kasuri/kasuri.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

// A user gives up in the middle of a long loop.
bool give_up_a_loop() {
  std::vector<char> picture(1'000'000);
  const auto draw = [&](int line) { picture[static_cast<std::size_t>(line)] = 'x'; };
  // Loop:
  std::stop_source user;
  std::atomic<int> drawn{0};
  const bool is_whole = kasuri::parallel_for(user.get_token(), 0, 1'000'000, [&](int line) {
    draw(line);
    if (++drawn == 1000) user.request_stop();  // the user closes the window
  });
  if (!is_whole) std::printf("stopped after %d of 1000000 lines\n", drawn.load());
  // end
  return !is_whole && drawn >= 1000;
}

// As good an estimate of pi as the time allows.
bool use_the_time() {
  // Time:
  std::atomic<long> inside{0}, thrown{0};
  const bool is_whole = kasuri::run(kasuri::stop_after(5ms), [&] {
    kasuri::parallel_for(1, 1'000'000, [&](int i) {
      if (kasuri::this_task::canceled()) return;
      const double x = std::fmod(i * 0.754877666, 1), y = std::fmod(i * 0.569840291, 1);
      inside += x * x + y * y < 1 ? 1 : 0;
      ++thrown;
    });
  });
  std::printf("%s: pi is about %.3f\n", is_whole ? "in time" : "at the end of the time",
              4.0 * static_cast<double>(inside) / static_cast<double>(thrown + 1));
  // end
  return inside <= thrown && (!is_whole || thrown == 999'999);
}

bool sum_in_time() {
  // Sum:
  const kasuri::stop_condition patience = kasuri::stop_after(1h);
  const std::optional<long> sum =
      kasuri::parallel_reduce(patience, 1, 1001, 0L, [](int i) { return long{i}; }, std::plus<>());
  if (sum) std::printf("the sum is %ld\n", *sum);
  // end
  return sum == 500500;
}

// An algorithm runs to its end once it has begun: here its predicate ends it.
bool search_until_stopped() {
  std::vector<int> numbers(100'000, 1);
  numbers.back() = 7;
  std::stop_source user;
  // Search:
  const std::optional<bool> found = kasuri::run(user.get_token(), [&] {
    return kasuri::any_of(kasuri::par, numbers,
                          [](int n) { return kasuri::this_task::canceled() || n == 7; });
  });
  std::printf("%s\n", !found ? "stopped" : *found ? "found" : "there is none");
  // end
  return found == true;
}

bool serve_until_stopped() {
  // Wait:
  std::stop_source server;
  kasuri::semaphore requests(3);
  kasuri::latch all_served(3);
  kasuri::task_group tasks;
  tasks.run([&] {
    while (requests.acquire(server.get_token())) all_served.count_down();
    std::printf("the server is stopped\n");
  });
  all_served.wait();
  server.request_stop();
  tasks.wait();
  // end
  return requests.is_idle();
}

int main() {
  return kasuri::run([] {
    return give_up_a_loop() && use_the_time() && sum_in_time() && search_until_stopped() &&
                   serve_until_stopped()
               ? 0
               : 1;
  });
}
