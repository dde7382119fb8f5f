// SPDX-License-Identifier: Apache-2.0
#include <kasuri/arena.hpp>
#include <kasuri/kasuri.hpp>

#include <atomic>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

// A library of which many copies at once would be too much for the memory.
long decode(int page) { return 3L * page; }

bool bound_a_part() {
  // Bound:
  kasuri::arena decoders(2);  // at most two workers decode at once
  std::vector<long> pages(100);
  kasuri::parallel_for(0, 100, [&](int i) {
    const long text = decoders.execute([i] { return decode(i); });
    pages[static_cast<std::size_t>(i)] = text + 1;  // outside again: on all workers
  });
  // end
  return pages[33] == 100;
}

bool bound_loops() {
  // Loops:
  kasuri::arena half(2);
  const long sum = half.execute(
      [] { return kasuri::parallel_reduce(0, 1000, 0L, std::identity(), std::plus()); });
  // end
  return sum == 499500;
}

bool use_groups() {
  std::atomic<int> saved{0};
  const auto save = [&saved](const std::string&) { ++saved; };
  // Groups:
  kasuri::arena disk(1);
  kasuri::task_group writes(disk);  // its tasks run in the arena
  for (int i = 0; i != 10; ++i) writes.run([&save, i] { save("page " + std::to_string(i)); });
  disk.enqueue([&save] { save("index"); });  // nobody waits but the end of the arena
  writes.wait();                             // from anywhere; throws what a task threw
  // end
  return saved >= 10;
}

bool answer_first() {
  std::atomic<int> answers{0};
  std::atomic<int> swept{0};
  const auto sweep = [&swept] { ++swept; };
  const auto answer = [&answers](int) { ++answers; };
  // Priorities:
  kasuri::arena background(1, kasuri::priority::low);
  background.enqueue(sweep);
  kasuri::task_group requests(kasuri::priority::high);
  for (int i = 0; i != 100; ++i) requests.run([&answer, i] { answer(i); });
  requests.wait();
  // end
  return answers == 100;
}

bool throws_through() {
  kasuri::arena one(1);
  try {
    one.execute([] { throw std::runtime_error("no such page"); });
  } catch (const std::runtime_error&) {
    return true;
  }
  return false;
}

int main() {
  const bool right =
      bound_a_part() && bound_loops() && use_groups() && answer_first() && throws_through();
  std::printf("%s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
