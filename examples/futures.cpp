// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>
#include <kasuri/promise.hpp>
#include <kasuri/when.hpp>

#include <cstdio>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

int parse(const std::string& text) { return static_cast<int>(text.size()); }
std::string load(int page) { return std::string(static_cast<std::size_t>(page), '.'); }

int continuations() {
  // Then:
  kasuri::future<int> size = kasuri::async([] {
                               return load(7);
                             }).then([](const std::string& text) {
                                 return parse(text);
                               }).then([](int n) { return kasuri::async([n] { return 2 * n; }); });
  // end
  return size.get();
}

int several() {
  // Several:
  std::vector<kasuri::future<int>> pages;
  for (int page = 0; page < 10; ++page)
    pages.push_back(kasuri::async([page] { return parse(load(page)); }));
  auto sum = kasuri::when_all(pages).then([](std::vector<kasuri::future<int>> all) {
    int total = 0;
    for (auto& each : all) total += each.get();  // ready; throws what its task threw
    return total;
  });
  // end
  return sum.get();
}

int shared() {
  // Shared:
  const kasuri::shared_future<int> size = kasuri::async([] { return parse(load(5)); }).share();
  kasuri::task_group readers;
  int doubled = 0;
  int tripled = 0;
  readers.run([&doubled, size] { doubled = 2 * size.get(); });
  readers.run([&tripled, size] { tripled = 3 * size.get(); });
  readers.wait();
  // end
  return doubled + tripled;
}

int promised() {
  // Promise:
  kasuri::promise<int> answer;
  auto next = answer.get_future().then([](int n) { return n + 1; });
  std::thread other([&answer] { answer.set_value(41); });  // any thread may bring it
  const int result = next.get();
  // end
  other.join();
  return result;
}

}  // namespace

int main() {
  // Future:
  auto total = kasuri::async([] {
    std::vector<int> v(1000);
    std::iota(v.begin(), v.end(), 1);
    return std::accumulate(v.begin(), v.end(), 0);
  });
  // end

  // Mutex:
  kasuri::mutex mutex;
  int turns = 0;
  kasuri::task_group group;
  for (int i = 0; i < 100; ++i) {
    group.run([&] {
      std::lock_guard lock(mutex);
      kasuri::this_task::yield();  // another worker may go on with this task, still holding it
      ++turns;
    });
  }
  group.wait();
  // end

  const int sum = total.get();
  std::printf("sum %d, %d turns\n", sum, turns);
  const bool composed =
      continuations() == 14 && several() == 45 && shared() == 25 && promised() == 42;
  return sum == 500'500 && turns == 100 && composed ? 0 : 1;
}
