// SPDX-License-Identifier: Apache-2.0
// A program that is compiled without exceptions: what works, and, with an argument, what ends it.

#include <kasuri/algorithm.hpp>
#include <kasuri/global.hpp>
#include <kasuri/kasuri.hpp>
#include <kasuri/model/kasuri.hpp>
#include <kasuri/model/serial.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#if defined(__cpp_exceptions)
#error "compile it with -fno-exceptions"
#endif

namespace {

using namespace std::chrono_literals;

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::printf("fails: %s\n", what);
}

int fib(int n) {
  if (n < 2) return n;
  auto [a, b] = kasuri::parallel_invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

void forks_and_groups() {
  expect(fib(20) == 6765, "parallel_invoke");
  std::atomic<int> ran{0};
  kasuri::task_group group;
  for (int i = 0; i != 100; ++i) group.run([&] { ++ran; });
  group.run([&] { ++ran; }, kasuri::spawn::child_first);
  group.wait();
  group.cancel();
  group.run([&] { ++ran; });
  group.wait();
  expect(ran == 101, "task_group");
}

void results() {
  auto f = kasuri::async([] { return std::string("kasuri"); });
  auto size = std::move(f).then([](std::string s) { return s.size(); });
  expect(size.get() == 6, "async, then");
  kasuri::promise<int> p;
  auto both = kasuri::when_all(p.get_future(), kasuri::async([] { return 2; }));
  p.set_value(40);
  auto [a, b] = both.get();
  expect(a.get() + b.get() == 42, "promise, when_all");
  {
    kasuri::promise<int> broken;  // told to nobody: nobody asks
  }
  kasuri::channel<int> numbers(2);
  kasuri::task_group sender;
  sender.run([&] {
    for (int i = 0; i != 10 && numbers.send(i); ++i) {
    }
    numbers.close();
  });
  int sum = 0;
  for (const int n : numbers) sum += n;
  sender.wait();
  expect(sum == 45, "channel");
}

void loops() {
  std::vector<int> v(100'000);
  kasuri::parallel_for(std::size_t{0}, v.size(),
                       [&](std::size_t i) { v[i] = static_cast<int>(i * 7919 % v.size()); });
  std::vector<std::string> words;
  for (const int n : v) words.push_back(std::to_string(n));
  kasuri::sort(kasuri::par, v);
  kasuri::parallel_stable_sort(words.begin(), words.end());
  expect(std::is_sorted(v.begin(), v.end()), "sort");
  expect(std::is_sorted(words.begin(), words.end()), "parallel_stable_sort");
  const int last = static_cast<int>(v.size()) - 1;
  expect(kasuri::parallel_reduce(0, 101, 0, std::identity(), std::plus<>()) == 5050,
         "parallel_reduce");
  std::vector<int> sums(v.size());
  kasuri::parallel_scan(v.begin(), v.end(), sums.begin(), 0,
                        [](int a, int b) { return std::max(a, b); });
  expect(sums.back() == last, "parallel_scan");
  expect(kasuri::any_of(kasuri::par, v, [&](int n) { return n == last; }), "any_of");
  std::atomic<int> carried{0};
  int next = 0;
  kasuri::pipeline(
      4, [&] { return next != 50 ? std::optional(next++) : std::nullopt; },
      kasuri::parallel([](int n) { return n; }), kasuri::in_order([&](int) { ++carried; }));
  expect(carried == 50, "pipeline");
  kasuri::combinable<int> parts;
  kasuri::parallel_for(0, 1000, [&](int) { ++parts.local(); });
  expect(parts.combine(std::plus<>()) == 1000, "combinable");
}

void stops() {
  expect(kasuri::parallel_for(kasuri::stop_after(1h), 0, 1000, [](int) {}), "a loop to its end");
  expect(!kasuri::parallel_for(kasuri::stop_after(2ms), 0, 1000,
                               [](int) {
                                 while (!kasuri::this_task::canceled()) {
                                 }
                               }),
         "a loop that is stopped");
  expect(
      !kasuri::parallel_reduce(kasuri::stop_after(-1s), 0, 10, 0, std::identity(), std::plus<>()),
      "a reduction that is stopped");
  kasuri::semaphore none(0);
  expect(!none.acquire(kasuri::stop_after(1ms)), "a wait that is stopped");
  kasuri::latch called(1);
  const kasuri::timer t = kasuri::run_after(1ms, [&] { called.count_down(); });
  called.wait();
}

/// What would throw. Returns where the program did not end.
int misuse(const char* which) {
  const auto is = [which](const char* name) { return std::strcmp(which, name) == 0; };
  if (is("argument")) kasuri::barrier(0).is_idle();
  if (is("header")) kasuri::parallel_for(-1, 5u, [](unsigned) {});
  if (is("future")) kasuri::future<int>().get();
  if (is("broken")) {
    kasuri::future<int> f;
    {
      kasuri::promise<int> p;
      f = p.get_future();
    }
    f.get();
  }
  if (is("task")) {
    kasuri::task_group group;
    for (int i = 0; i != 100; ++i) group.run([] { kasuri::latch(1).count_down(2); });
    group.wait();
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) return misuse(argv[1]);
  kasuri::run([] {
    forks_and_groups();
    results();
    loops();
    stops();
  });
  results();
  return failures == 0 ? 0 : 1;
}
