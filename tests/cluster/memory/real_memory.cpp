// SPDX-License-Identifier: Apache-2.0
// Global memory on the ranks of a job, whatever started it: real_memory [ROUNDS]. Ends with 1 and a
// line where something is wrong.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "cluster/real_check.hpp"
#include "kasuri/global.hpp"
#include "kasuri/parallel.hpp"
#include "kasuri/sync.hpp"

namespace {

namespace global = kasuri::global;

using kasuri::test::check;

std::uint32_t hash(std::uint64_t x) { return static_cast<std::uint32_t>(kasuri::test::hash(x)); }

/// Pieces that are no whole blocks: neighbours share blocks and are written on different ranks.
void cells(const global::vector<std::uint32_t>& array, int rounds, const char* name) {
  const auto v = array.view();
  constexpr std::size_t piece = 777;
  for (int round = 1; round <= rounds; ++round) {
    const auto seed = static_cast<std::uint64_t>(round) << 32;
    const std::size_t wrong = global::run([=] {
      const auto each = [=](auto body) {
        global::parallel_for(std::size_t{0}, (v.size() + piece - 1) / piece, 1,
                             [=](std::size_t lo, std::size_t hi) {
                               for (std::size_t p = lo; p != hi; ++p)
                                 body(p * piece, std::min(piece, v.size() - p * piece));
                             });
      };
      each([=](std::size_t at, std::size_t n) {
        const auto x = global::checkout(v.subview(at, n), global::write);
        for (std::size_t i = 0; i != n; ++i) x[i] = hash(seed + at + i);
      });
      // Others than have written them, mostly, read and change them.
      each([=](std::size_t at, std::size_t n) {
        const std::size_t from = v.size() - at - n;
        const auto x = global::checkout(v.subview(from, n), global::read_write);
        for (std::size_t i = 0; i != n; ++i) x[i] = x[i] == hash(seed + from + i) ? ~x[i] : 0;
      });
      return global::transform_reduce(
          v, std::size_t{0}, [](std::size_t a, std::size_t b) { return a + b; },
          [](std::uint32_t x) { return std::size_t{x == 0}; });
    });
    check(wrong == 0, std::string(name) + ": " + std::to_string(wrong) + " elements in round " +
                          std::to_string(round));
    // Outside of the run every rank reads its own sample.
    for (std::size_t i = static_cast<std::size_t>(global::rank()); i < v.size(); i += 9973)
      check(global::get(v.begin() + static_cast<std::ptrdiff_t>(i)) == ~hash(seed + i),
            std::string(name) + ": an element behind the run");
  }
}

struct node {
  global::ptr<node> left, right;
  std::uint64_t value;
};

global::ptr<node> grow(std::uint64_t id, int depth) {
  const auto p = global::allocate<node>(1);
  node n{nullptr, nullptr, hash(id)};
  if (depth != 0) {
    const auto [a, b] = global::parallel_invoke([=] { return grow(2 * id, depth - 1); },
                                                [=] { return grow(2 * id + 1, depth - 1); });
    n.left = a;
    n.right = b;
  }
  global::put(p, n);
  return p;
}

/// The sum of the tree, which is gone then: freed on whatever rank comes to it.
std::uint64_t fell(global::ptr<node> p) {
  if (!p) return 0;
  const node n = global::get(p);
  global::deallocate(p, 1);
  const auto [a, b] =
      global::parallel_invoke([=] { return fell(n.left); }, [=] { return fell(n.right); });
  return a + b + n.value;
}

void trees(int rounds) {
  constexpr int depth = 9;
  std::uint64_t expected = 0;
  for (std::uint64_t id = 1; id < 2U << depth; ++id) expected += hash(id);
  for (int i = 0; i != rounds; ++i) {
    const std::uint64_t sum = global::run([] { return fell(grow(1, depth)); });
    check(sum == expected, "the sum of a tree of allocations");
  }
}

void words() {
  const global::vector<std::uint64_t> counts(5000);
  const auto v = counts.view();
  global::run([=] {
    global::parallel_for(0, 2000, 10, [=](int lo, int hi) {
      for (int i = lo; i != hi; ++i) {
        global::fetch_add(v.begin() + i % 7 * 700, 3);
        std::uint64_t seen = global::atomic_load(v.end() - 1);
        while (!global::compare_exchange(v.end() - 1, seen, seen + 1)) {
        }
      }
    });
  });
  std::uint64_t sum = 0;
  for (int i = 0; i != 7; ++i) sum += global::atomic_load(v.begin() + i * 700);
  check(sum == 6000 && global::atomic_load(v.end() - 1) == 2000, "words that all tasks count in");
}

/// All tasks change the same elements, of one type; what is beside them is written by others.
template <class T>
void words_of() {
  constexpr int tasks = 500;
  const global::vector<T> array(70'000);  // on all ranks
  const auto v = array.view();
  const auto at = [v](int i) { return v.begin() + i % 8 * 8192 + i % 2; };
  global::run([=] {
    global::parallel_for(0, tasks, 5, [=](int lo, int hi) {
      for (int i = lo; i != hi; ++i) {
        global::fetch_add(at(i), T(3));
        global::fetch_sub(at(i) + 2, T(1));
        global::fetch_max(at(0) + 4, static_cast<T>(i));
        global::fetch_min(at(7) + 4, static_cast<T>(i + 1));
        global::exchange(at(3) + 6, static_cast<T>(i));
        global::put(at(3) + 16 + i, static_cast<T>(7));
        if (i == 5 || i == 7) global::put(at(3) + i, static_cast<T>(i));
        T seen = global::atomic_load(at(5) + 8);
        while (!global::compare_exchange(at(5) + 8, seen, static_cast<T>(seen + 2))) {
        }
      }
    });
  });
  T sum{};
  T difference{};
  for (int i = 0; i != 8; ++i) {
    sum += global::atomic_load(at(i));
    difference += global::atomic_load(at(i) + 2);
  }
  check(sum == T(3 * tasks) && difference == static_cast<T>(-tasks), "sums of a type");
  check(global::atomic_load(at(0) + 4) == T(tasks - 1), "a maximum");
  check(global::atomic_load(at(7) + 4) == T(0), "a minimum, of zero and others");
  check(global::atomic_load(at(3) + 6) < T(tasks), "what was exchanged");
  check(global::get(at(3) + 16 + tasks - 1) == T(7), "what was put behind");
  check(global::get(at(3) + 5) == T(5) && global::get(at(3) + 7) == T(7), "what was put beside");
  check(global::atomic_load(at(5) + 8) == T(2 * tasks), "a count by compare_exchange");
}

void at_its_data(int rounds) {
  const global::vector<std::uint32_t> array(100'000);
  const auto v = array.view();
  for (int round = 1; round <= rounds; ++round) {
    const int right = global::run([=] {
      int good = 0;
      for (std::ptrdiff_t i = 0; i < 100'000; i += 9'999) {
        const auto p = v.begin() + i;
        const auto value =
            static_cast<std::uint32_t>(round) * 100'000 + static_cast<std::uint32_t>(i);
        const int rank = global::at_home(p, [p, value] {
          global::put(p, value);
          return global::rank();
        });
        good += rank == global::home_of(p) && global::get(p) == value ? 1 : 0;
      }
      return good;
    });
    check(right == 11, "work at its data: " + std::to_string(right));
    global::run([=] {
      global::parallel_for(0, 100, 1, [=](int lo, int) {
        const auto p = v.begin() + lo * 991;
        global::at_home(p, [p, lo] { global::put(p, static_cast<std::uint32_t>(lo)); });
      });
    });
    for (int i = global::rank(); i < 100; i += 7)
      check(global::get(v.begin() + i * 991) == static_cast<std::uint32_t>(i),
            "what work at its data has written");
  }
}

/// The program itself is a file that all ranks have.
void files() {
  std::ifstream in("/proc/self/exe", std::ios::binary);
  const std::vector<unsigned char> content{std::istreambuf_iterator<char>(in), {}};
  const global::file_view<unsigned char> file("/proc/self/exe");
  check(file.size() == content.size(), "the size of a file");
  const auto v = file.view();
  const std::uint64_t sum = global::run([=] {
    return global::transform_reduce(
        v, std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return a + b; },
        [](unsigned char c) { return std::uint64_t{c}; });
  });
  check(sum == std::accumulate(content.begin(), content.end(), std::uint64_t{0}),
        "the sum of a file's bytes");
  const std::size_t last = v.size() - 1;
  check(global::get(v.begin() + static_cast<std::ptrdiff_t>(last)) == content[last],
        "the last byte");
}

/// What a child has written elsewhere is seen behind its join, also where that is left by an
/// exception of the other side.
void joins_left_by_exceptions(int rounds) {
  if (global::num_ranks() == 1) return;  // the parent would wait for a child that is behind it
  const global::vector<std::uint32_t> array(100'000);
  const global::vector<std::uint64_t> flags(1);
  const auto v = array.view();
  const auto begun = flags.begin();
  for (int round = 1; round <= rounds; ++round) {
    const auto value = static_cast<std::uint32_t>(round);
    const auto caught = global::run([=] {
      const auto sum = [=] {  // of all, so that copies of all are here
        const auto x = global::checkout(v, global::read);
        return std::accumulate(x.begin(), x.end(), std::uint64_t{0});
      };
      std::uint64_t seen = sum();
      if (seen != (value - 1) * v.size()) return std::uint64_t{0};
      global::atomic_store(begun, 0);
      try {
        global::parallel_invoke(
            [=] {
              while (global::atomic_load(begun) == 0) {
              }
              throw std::runtime_error("the parent's side");
            },
            [=] {
              global::atomic_store(begun, 1);
              const auto x = global::checkout(v, global::write);
              std::ranges::fill(x, value);
            });
        return std::uint64_t{1};
      } catch (const std::runtime_error& e) {
        if (std::string(e.what()) != "the parent's side") return std::uint64_t{2};
      }
      seen = sum();
      return seen == value * v.size() ? std::uint64_t{3} : seen << 8;
    });
    check(caught == 3,
          "what is seen behind a join left by an exception: " + std::to_string(caught));
  }
}

void wrong_sizes() {
  const int refused = global::run([] {
    const auto a = global::allocate<int>(100);
    const auto b = global::allocate<int>(100);
    global::put(b, 17);
    int count = 0;
    // On whatever rank it comes to.
    const auto attempt = [=](std::size_t n) {
      try {
        global::deallocate(a, n);
        return 0;
      } catch (const global::error&) {
        return 1;
      }
    };
    const auto [x, y] =
        global::parallel_invoke([=] { return attempt(1000); }, [=] { return attempt(10); });
    count = x + y + (global::get(b) == 17 ? 1 : 0);
    global::deallocate(a, 100);
    global::deallocate(b, 100);
    return count;
  });
  check(refused == 3, "sizes that are refused");
}

void wide_grains() {
  const global::vector<std::uint64_t> counts(300);
  const auto v = counts.begin();
  for (const std::size_t grain : {std::size_t{7}, std::size_t{300}, ~std::size_t{0}}) {
    global::run([=] {
      global::parallel_for(static_cast<signed char>(-128), static_cast<signed char>(127), grain,
                           [=](signed char lo, signed char hi) {
                             for (int i = lo; i != hi; ++i) global::fetch_add(v + i + 128, 1);
                           });
    });
  }
  for (int i = 0; i != 300; ++i)
    check(global::atomic_load(v + i) == (i < 255 ? 3 : 0), "a loop over all of a small type");
}

/// Only with KASURI_CACHE_SIZE=1M. A task has most of the cache and waits for a second one, which
/// runs only if a third, which wants the room, lets its worker go.
void room_that_a_waiting_task_holds() {
  const char* size = std::getenv("KASURI_CACHE_SIZE");
  if (size == nullptr || std::string(size) != "1M" || global::num_ranks() == 1) return;
  constexpr std::size_t most = 600 * 1024;
  const global::vector<char> array(4 * most * static_cast<std::size_t>(global::num_ranks()));
  const auto v = array.view();
  const int right = global::run([=] {
    // In this process, on memory of the last rank.
    const std::size_t far = global::home_of(v.begin()) == global::rank() ? v.size() - 2 * most : 0;
    kasuri::latch may_end(1);
    std::atomic<int> count{0};
    kasuri::parallel_invoke(
        [&] {
          const auto x = global::checkout(v.subview(far, most), global::read);
          may_end.wait();
          count.fetch_add(x[0] == 0 ? 1 : 0, std::memory_order_relaxed);
        },
        [&] {
          kasuri::parallel_invoke(
              [&] {
                const auto x = global::checkout(v.subview(far + most, most), global::read);
                count.fetch_add(x[0] == 0 ? 1 : 0, std::memory_order_relaxed);
              },
              [&] { may_end.count_down(); });
        });
    return count.load(std::memory_order_relaxed);
  });
  check(right == 2, "room that a waiting task holds");
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
  cells(global::vector<std::uint32_t>(500'000), rounds, "blocked");
  cells(global::vector<std::uint32_t>(300'001, global::cyclic(1024)), rounds, "cyclic");
  const int ranks = global::num_ranks();
  cells(global::vector<std::uint32_t>(300'001, global::listed(3072,
                                                              [ranks](std::size_t i) {
                                                                return static_cast<int>(hash(i)) & 1
                                                                           ? ranks - 1
                                                                           : 0;
                                                              })),
        rounds, "listed");
  trees(rounds);
  words();
  words_of<std::int32_t>();
  words_of<std::uint32_t>();
  words_of<std::int64_t>();
  words_of<std::uint64_t>();
  words_of<float>();
  words_of<double>();
  at_its_data(rounds);
  files();
  joins_left_by_exceptions(rounds);
  wrong_sizes();
  wide_grains();
  room_that_a_waiting_task_holds();
  if (global::rank() == 0) std::printf("all right on %d ranks\n", global::num_ranks());
}
