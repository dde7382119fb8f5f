// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <atomic>
#include <cstdio>
#include <numeric>
#include <vector>

namespace {

long sum(const std::vector<long>& part) { return std::accumulate(part.begin(), part.end(), 0L); }

long at_places(const std::vector<long>& left, const std::vector<long>& right) {
  // places:
  auto [a, b] =
      kasuri::parallel_invoke([&] { return sum(left); },
                              kasuri::at(kasuri::near(right.data()), [&] { return sum(right); }));

  std::atomic<long> both{0};
  kasuri::task_group group;
  group.run(kasuri::at(kasuri::on_node(1), [&] { both += sum(left); }));
  group.run(kasuri::at(kasuri::on_worker(3), [&] { both += sum(right); }));
  group.wait();
  // end
  return a + b == both ? a + b : -1;
}

long by_shares(const std::vector<std::vector<long>>& parts) {
  std::atomic<long> all{0};
  // shares:
  double work = 0;
  for (const auto& part : parts) work += static_cast<double>(part.size());
  kasuri::task_group group(kasuri::total_work{work});
  for (const auto& part : parts)
    group.run(kasuri::share(static_cast<double>(part.size()), [&] { all += sum(part); }));
  group.wait();
  // end
  return all;
}

long by_work(const std::vector<long>& row_starts) {
  std::atomic<long> elements{0};
  const auto rows = row_starts.size() - 1;
  // loop:
  const auto work = [&](std::size_t i, std::size_t j) { return row_starts[j] - row_starts[i]; };
  kasuri::parallel_for(std::size_t{0}, rows, kasuri::work_by{work},
                       [&](std::size_t row) { elements += row_starts[row + 1] - row_starts[row]; });
  // end
  return elements;
}

// steal:
struct hint {
  long size;
};

long count(long n) {
  if (n < 2) return 1;
  auto [a, b] =
      kasuri::parallel_invoke([=] { return count(n / 2); },
                              kasuri::hinted(hint{n - n / 2}, [=] { return count(n - n / 2); }));
  return a + b;
}

bool largest_first(kasuri::steal_round& round, void*) {
  int best = -1;
  hint most{0};
  for (int victim = 0; victim != round.workers(); ++victim) {
    hint h{0};
    if (round.peek(victim, &h, sizeof h) == sizeof h && h.size > most.size) {
      most = h;
      best = victim;
    }
  }
  return best >= 0 && round.steal(best, nullptr, nullptr);
}
// end

}  // namespace

int main() {
  const std::vector<long> ones(1000, 1);
  const std::vector<long> twos(3000, 2);
  const long placed = kasuri::run([&] { return at_places(ones, twos); });
  const long shared = kasuri::run([&] { return by_shares({ones, twos}); });
  const long looped = kasuri::run([] { return by_work({0, 5, 5, 1000, 1001}); });
  kasuri::set_steal_function(largest_first);
  const long counted = kasuri::run([] { return count(100000); });
  std::printf("%ld %ld %ld %ld\n", placed, shared, looped, counted);
  return placed == 7000 && shared == 7000 && looped == 1001 && counted == 100000 ? 0 : 1;
}
