// SPDX-License-Identifier: Apache-2.0
// Arenas, and what a program sees of oneTBB's threads.
#include <oneapi/tbb.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "cases.hpp"

void arenas() {
  std::vector<std::unique_ptr<tbb::task_arena>> all;
  for (int i = 0; i != 6; ++i) {
    all.push_back(std::make_unique<tbb::task_arena>(
        1 + i % 3, i % 2, static_cast<tbb::task_arena::priority>((1 + i % 3) * (INT_MAX / 4))));
  }
  for (int round = 0; round != 50; ++round) {
    for (auto& arena : all) {
      std::atomic<int> in{0};
      std::atomic<int> most{0};
      std::atomic<int> seen{0};
      arena->execute([&] {
        tbb::parallel_for(0, 64, [&](int) {
          const int now = ++in;
          for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
          }
          ++seen;
          --in;
        });
      });
      CHECK(seen == 64 && most <= arena->max_concurrency());
    }
  }
}

void enqueue() {
  std::atomic<int> ran{0};
  tbb::task_arena arena;
  for (int i = 0; i != 200; ++i) arena.enqueue([&] { ++ran; });
  await([&] { return ran == 200; });  // the caller does nothing for it
  // Also where no parallelism is allowed.
  tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  for (int i = 0; i != 20; ++i) {
    std::atomic<bool> done{false};
    arena.enqueue([&] { done = true; });
    await([&] { return done.load(); });
  }
  tbb::task_arena alone(1, 1);
  std::atomic<bool> done{false};
  alone.enqueue([&] { done = true; });
  await([&] { return done.load(); });
}

void indices() {
  tbb::task_arena arena(4);
  std::vector<std::atomic<int>> inside(64);
  arena.execute([&] {
    tbb::parallel_for(0, 5000, [&](int) {
      const int index = tbb::this_task_arena::current_thread_index();
      CHECK(index >= 0 && index < tbb::this_task_arena::max_concurrency());
      CHECK(++inside[static_cast<std::size_t>(index)] == 1);
      for (volatile int i = 0; i != 200; i = i + 1) {
      }
      CHECK(tbb::this_task_arena::current_thread_index() == index);
      --inside[static_cast<std::size_t>(index)];
    });
  });
}

void isolate() {
  static thread_local int depth = 0;
  std::atomic<int> sum{0};
  tbb::parallel_for(0, 200, [&](int) {
    CHECK(depth == 0);
    tbb::this_task_arena::isolate([&] {
      ++depth;
      tbb::parallel_for(0, 20, [&](int i) { sum += i; });
      --depth;
    });
  });
  CHECK(sum == 200 * 190);
}

namespace {

/// Counts entries and exits of each thread.
class counting_observer : public tbb::task_scheduler_observer {
 public:
  explicit counting_observer(tbb::task_arena& a) : tbb::task_scheduler_observer(a) {
    observe(true);
  }
  ~counting_observer() override { observe(false); }
  void on_scheduler_entry(bool worker) override { count(1, worker); }
  void on_scheduler_exit(bool worker) override { count(-1, worker); }

  bool all_have_left() {
    const std::lock_guard hold(lock_);
    for (const auto& [thread, inside] : inside_)
      if (inside != 0) return false;
    return true;
  }

 private:
  void count(int more, bool) {
    const std::lock_guard hold(lock_);
    int& now = inside_[std::this_thread::get_id()];
    now += more;
    CHECK(now == 0 || now == 1);
  }

  std::mutex lock_;
  std::map<std::thread::id, int> inside_;
};

}  // namespace

void observers() {
  for (int round = 0; round != 30; ++round) {
    tbb::task_arena arena(4);
    arena.initialize();
    counting_observer watch(arena);
    arena.execute([] { tbb::parallel_for(0, 2000, [](int) {}); });
    await([&] { return watch.all_have_left(); });
  }
}

void thread_locals() {
  // What a body finds in a thread-local is what a body of the same thread has left there.
  static thread_local std::uint64_t mine = 0;
  static std::atomic<std::uint64_t> all{0};
  tbb::enumerable_thread_specific<std::uint64_t> locals(std::uint64_t{0});
  tbb::combinable<std::uint64_t> parts([] { return std::uint64_t{0}; });
  tbb::enumerable_thread_specific<std::uint64_t, tbb::cache_aligned_allocator<std::uint64_t>,
                                  tbb::ets_key_per_instance>
  by_key(std::uint64_t{0});
  for (int round = 0; round != 20; ++round) {
    tbb::parallel_for(0, 10'000, [&](int i) {
      const std::uint64_t before = mine;
      locals.local() += static_cast<std::uint64_t>(i);
      parts.local() += static_cast<std::uint64_t>(i);
      by_key.local() += 1;
      CHECK(mine == before);
      ++mine;
      CHECK(by_key.local() == mine);
      ++all;
    });
  }
  CHECK(all == 200'000);
  std::uint64_t sum = 0;
  for (const std::uint64_t each : locals) sum += each;
  CHECK(sum == 20ull * 9999 * 5000);
  CHECK(parts.combine(std::plus<>()) == sum);
  CHECK(by_key.combine(std::plus<>()) == 200'000);
  CHECK(locals.size() <= 1 + std::max(2u, std::thread::hardware_concurrency()) * 4);
}

void limits() {
  for (std::size_t most : {1u, 2u, 3u, 7u}) {
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, most);
    std::mutex lock;
    std::map<std::thread::id, int> threads;
    std::atomic<std::size_t> in{0};
    std::atomic<std::size_t> most_in{0};
    tbb::parallel_for(0, 3000, [&](int) {
      const std::size_t now = ++in;
      for (std::size_t before = most_in;
           before < now && !most_in.compare_exchange_weak(before, now);) {
      }
      --in;
    });
    CHECK(most_in <= std::max<std::size_t>(most, 1));
  }
  // More threads than cores, which wait for each other: each must run.
  constexpr int parties = 6;
  tbb::global_control more(tbb::global_control::max_allowed_parallelism, parties);
  tbb::task_arena arena(parties);
  for (int round = 0; round != 5; ++round) {
    std::atomic<int> here{0};
    arena.execute([&] {
      tbb::parallel_for(
          0, parties,
          [&](int) {
            ++here;
            await([&] { return here == parties; });
          },
          tbb::static_partitioner());
    });
    CHECK(here == parties);
  }
}
