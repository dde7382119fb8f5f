// SPDX-License-Identifier: Apache-2.0
// Containers in global memory on the ranks of a job, whatever started it. Ends with 1 and a line
// where something is wrong.

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

#include "cluster/real_check.hpp"
#include "kasuri/global.hpp"

namespace {

namespace global = kasuri::global;

using global::insertion;
using kasuri::test::check;
using kasuri::test::hash;

/// All tasks count the same few keys; threads of a process, too.
void counts(int round) {
  constexpr std::uint64_t keys = 300;
  constexpr std::uint64_t words = 4000;
  const global::hash_map<std::uint64_t, std::uint32_t> map(keys + 100);  // and attempts in vain
  const auto v = map.view();
  const std::uint64_t made = global::run([=] {
    const auto count = global::allocate<std::uint64_t>(1);
    global::atomic_store(count, 0);
    global::parallel_for(std::uint64_t{0}, words, 20, [=](std::uint64_t lo, std::uint64_t hi) {
      std::uint64_t made_here = 0;
      for (; lo != hi; ++lo) {
        const std::uint64_t key = hash(lo + static_cast<std::uint64_t>(round)) % keys;
        made_here += v.add(key, 1) == insertion::made ? 1 : 0;
        if (!v.contains(key)) made_here += 1'000'000;
      }
      if (made_here != 0) global::fetch_add(count, made_here);
    });
    return global::atomic_load(count);
  });
  std::array<std::uint32_t, keys> expected{};
  std::size_t different = 0;
  for (std::uint64_t i = 0; i != words; ++i)
    different += expected[hash(i + static_cast<std::uint64_t>(round)) % keys]++ == 0 ? 1 : 0;
  check(made == different, "keys that were made: " + std::to_string(made));
  check(v.size() == different, "the size of a map");
  for (std::uint64_t key = static_cast<std::uint64_t>(global::rank()); key < keys; key += 7)
    check(v.find(key).value_or(0) == expected[key], "the count of a key");
  const std::uint64_t sum = global::run([=] {
    const auto total = global::allocate<std::uint64_t>(1);
    global::atomic_store(total, 0);
    v.for_each([=](std::uint64_t, std::uint32_t n) { global::fetch_add(total, n); },
               {.cutoff = 50, .checkout = 20});
    return global::atomic_load(total);
  });
  check(sum == words, "the sum of all counts: " + std::to_string(sum));
}

struct record {
  std::array<std::uint64_t, 11> numbers;
};

record record_of(std::uint64_t seed) {
  record r{};
  for (std::uint64_t i = 0; i != r.numbers.size(); ++i) r.numbers[i] = hash(seed + i);
  return r;
}

/// Values of many bytes are seen whole while others insert; a map that is too small refuses.
void records() {
  const global::hash_map<std::array<char, 20>, record> map(500);
  const auto v = map.view();
  const std::uint64_t wrong = global::run([=] {
    const auto bad = global::allocate<std::uint64_t>(2);
    global::atomic_store(bad, 0);
    global::atomic_store(bad + 1, 0);
    global::parallel_for(0, 3000, 10, [=](int lo, int hi) {
      for (int i = lo; i != hi; ++i) {
        const std::uint64_t which = hash(static_cast<std::uint64_t>(i)) % 700;
        std::array<char, 20> key{};
        std::snprintf(key.data(), key.size(), "key %d", static_cast<int>(which));
        const insertion what = v.insert(key, record_of(which));
        const auto found = v.find(key);
        if (found.has_value() == (what == insertion::full)) global::fetch_add(bad, 1);
        if (found && found->numbers != record_of(which).numbers) global::fetch_add(bad, 1000);
        if (what == insertion::made) global::fetch_add(bad + 1, 1);
      }
    });
    return global::atomic_load(bad) + (global::atomic_load(bad + 1) == v.size() ? 0 : 1'000'000);
  });
  // A key that was refused may have come in by another task before it was looked for.
  check(wrong < 1000, "records in a map: " + std::to_string(wrong));
  check(v.size() <= v.capacity() && v.size() + 100 > v.capacity(), "the size of a full map");
}

void bags(int rounds) {
  const global::bag<std::uint64_t> bag;
  const auto v = bag.view();
  for (int round = 1; round <= rounds; ++round) {
    constexpr std::uint64_t some = 5000;
    global::run([=] {
      global::parallel_for(std::uint64_t{0}, some, 50, [=](std::uint64_t lo, std::uint64_t hi) {
        for (; lo != hi; ++lo) v.add(lo);
      });
    });
    check(v.size() == some, "the size of a bag");
    const global::vector<std::uint64_t> all = global::to_vector(bag);
    const bool right = global::run([v = all.view()] {
      global::sort(v);
      return global::transform_reduce(
                 v, std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return a + b; },
                 [](std::uint64_t x) { return x; }) == some * (some - 1) / 2 &&
             global::get(v.begin() + 77) == 77 && global::get(v.end() - 1) == some - 1;
    });
    check(right, "what is in a bag");
    const global::vector<std::uint32_t> seen(some);
    global::run([v, s = seen.view()] {
      v.drain([s](std::uint64_t x) {
        global::fetch_add(s.begin() + static_cast<std::ptrdiff_t>(x), 1);
      });
    });
    for (std::ptrdiff_t i = global::rank(); i < static_cast<std::ptrdiff_t>(some); i += 13)
      check(global::atomic_load(seen.begin() + i) == 1, "what is drained from a bag");
    check(v.size() == 0, "a drained bag");
  }
}

/// Each rank for itself, beside the others.
void outside_of_runs() {
  const global::hash_map<int, std::int64_t> map(1000);
  const global::bag<int> bag;
  const int ranks = global::num_ranks();
  check(map.view().insert(global::rank(), 5) == insertion::made, "a key of a rank");
  (void)map.view().add(-1, 2);
  for (int i = 0; i != 10; ++i) bag.view().add(i);
  global::run([] {});
  check(bag.view().size() == static_cast<std::size_t>(10 * ranks), "what all ranks put in a bag");
  check(map.view().size() == static_cast<std::size_t>(ranks) + 1, "the keys of all ranks");
  check(map.view().find(-1) == 2 * ranks, "what all ranks have added");
  global::run([] {});
  bag.view().clear();
  global::run([] {});
  check(bag.view().size() == 0, "a bag that each rank has cleared");
}

/// The names of what is refused.
void in_tasks() {
  const int refused = global::run([] {
    int count = 0;
    try {
      const global::hash_map<int, int> map(5);
    } catch (const global::error& e) {
      count += std::string(e.what()).starts_with("global::hash_map: used inside a task") ? 1 : 0;
    }
    try {
      const global::bag<int> bag;
    } catch (const global::error& e) {
      count += std::string(e.what()).starts_with("global::bag: used inside a task") ? 1 : 0;
    }
    return count;
  });
  check(refused == 2, "containers made inside a task");
}

}  // namespace

int main() {
  for (int round = 0; round != 5; ++round) counts(round);
  records();
  bags(3);
  outside_of_runs();
  in_tasks();
  if (global::rank() == 0) std::printf("all right on %d ranks\n", global::num_ranks());
}
