// SPDX-License-Identifier: Apache-2.0
// Loops and locks of the library for predict_table.py: loops WAY [PERCENT].

#include <array>
#include <cstdlib>
#include <cstring>
#include <kasuri/kasuri.hpp>
#include <mutex>

#include "../programs/program.h"

namespace {

std::uint64_t spun(long seed, long us) {
  auto x = static_cast<std::uint64_t>(seed);
  SPIN_US(x, us);
  return x;
}

std::array<std::uint64_t, 4096> results;

void spin(int i, long us) { results[static_cast<std::size_t>(i)] += spun(i, us); }

void even(long rounds) {
  for (long k = 0; k < rounds; ++k) kasuri::parallel_for(0, 200, [](int i) { spin(i, 100); });
}

void fine(long rounds) {
  for (long k = 0; k < 20 * rounds; ++k) kasuri::parallel_for(0, 1000, [](int i) { spin(i, 1); });
}

void rising(long rounds) {
  for (long k = 0; k < rounds; ++k) kasuri::parallel_for(0, 200, [](int i) { spin(i, i); });
}

void one_long(long rounds) {
  for (long k = 0; k < rounds; ++k)
    kasuri::parallel_for(0, 64, [](int i) { spin(i, i == 0 ? 4000 : 125); });
}

void nested(long rounds) {
  for (long k = 0; k < rounds; ++k)
    kasuri::parallel_for(
        0, 4, [](int i) { kasuri::parallel_for(0, 100, [i](int j) { spin(100 * i + j, 50); }); });
}

void reduce(long rounds) {
  for (long k = 0; k < rounds; ++k)
    results[0] += kasuri::parallel_reduce(
        0, 1000, std::uint64_t{0}, [](int i) { return spun(i, 20); },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

void locked(long rounds) {
  kasuri::mutex one;
  for (long k = 0; k < rounds; ++k)
    kasuri::parallel_for(0, 400, [&](int i) {
      spin(i, 20);
      const std::lock_guard hold(one);
      spin(4095, 30);
    });
}

void serial_between(long rounds) {
  for (long k = 0; k < rounds; ++k) {
    spin(0, 4000);
    kasuri::parallel_for(0, 160, [](int i) { spin(i, 100); });
  }
}

void halve(int from, int to) {
  if (to - from == 1) return spin(from, 100);
  const int middle = (from + to) / 2;
  kasuri::parallel_invoke([=] { halve(from, middle); }, [=] { halve(middle, to); });
}

void tree(long rounds) {
  for (long k = 0; k < rounds; ++k) halve(0, 200);
}

// The second side has three quarters of the work.
void lopsided_part(int from, long us) {
  if (us < 100) return spin(from & 4095, us);
  kasuri::parallel_invoke([=] { lopsided_part(2 * from, us / 4); },
                          [=] { lopsided_part(2 * from + 1, us - us / 4); });
}

void lopsided(long rounds) {
  for (long k = 0; k < rounds; ++k) lopsided_part(1, 20000);
}

void group(long rounds) {
  for (long k = 0; k < rounds; ++k) {
    kasuri::task_group g;
    for (int i = 0; i < 200; ++i) g.run([i] { spin(i, 100); });
    g.wait();
  }
}

struct way {
  const char* name;
  void (*run)(long rounds);
};
constexpr way ways[] = {{"even", even},     {"fine", fine},
                        {"rising", rising}, {"one_long", one_long},
                        {"nested", nested}, {"reduce", reduce},
                        {"locked", locked}, {"serial_between", serial_between},
                        {"tree", tree},     {"lopsided", lopsided},
                        {"group", group}};

}  // namespace

int main(int argc, char** argv) {
  const program p = {false, argc > 2 ? std::atol(argv[2]) : 100};
  for (const way& w : ways) {
    if (argc < 2 || std::strcmp(argv[1], w.name) != 0) continue;
    w.run(scaled(p, 30));
    std::uint64_t sum = 0;
    for (const std::uint64_t r : results) sum += r;
    std::printf("%016" PRIx64 "\n", sum);
    return 0;
  }
  std::fprintf(stderr, "%s: the first argument is \"%s\"; accepted:", argv[0],
               argc > 1 ? argv[1] : "");
  for (const way& w : ways) std::fprintf(stderr, " %s", w.name);
  std::fprintf(stderr, "\n");
  return 2;
}
