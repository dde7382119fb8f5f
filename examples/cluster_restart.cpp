// SPDX-License-Identifier: Apache-2.0
#include <kasuri/global.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace global = kasuri::global;

constexpr std::size_t cells = 100'000;
constexpr std::size_t leaf = 4096;

double first_temperature(std::size_t i) { return i < cells / 2 ? 100 : 0; }

// The new temperature of a cell of a rod, of its own and its neighbours'.
double next(double left, double own, double right) { return own + 0.25 * (left - 2 * own + right); }

void begin(global::view<double> t) {
  global::parallel_for(std::size_t{0}, cells, leaf, [=](std::size_t lo, std::size_t hi) {
    auto out = global::checkout(t.subview(lo, hi - lo), global::write);
    for (std::size_t i = lo; i != hi; ++i) out[i - lo] = first_temperature(i);
  });
}

void step(global::view<const double> from, global::view<double> to) {
  global::parallel_for(std::size_t{0}, cells, leaf, [=](std::size_t lo, std::size_t hi) {
    const std::size_t low = lo == 0 ? 0 : lo - 1;
    const std::size_t high = hi == cells ? cells : hi + 1;
    auto [in, out] =
        global::checkout_all(global::request(from.subview(low, high - low), global::read),
                             global::request(to.subview(lo, hi - lo), global::write));
    for (std::size_t i = lo; i != hi; ++i) {
      const double own = in[i - low];
      out[i - lo] =
          next(i == 0 ? own : in[i - 1 - low], own, i + 1 == cells ? own : in[i + 1 - low]);
    }
  });
}

// The same without ranks, to compare with.
std::vector<double> expected(int steps) {
  std::vector<double> t(cells);
  for (std::size_t i = 0; i != cells; ++i) t[i] = first_temperature(i);
  std::vector<double> to(cells);
  for (int s = 0; s != steps; ++s, std::swap(t, to))
    for (std::size_t i = 0; i != cells; ++i)
      to[i] = next(t[i == 0 ? 0 : i - 1], t[i], t[i + 1 == cells ? i : i + 1]);
  return t;
}

// cluster_restart [FILE [STEPS]]: goes on from FILE, if it is there, until so many steps are done.
int main(int argc, char** argv) {
  const std::string file = argc > 1 ? argv[1] : "heat.checkpoint";
  const int steps = argc > 2 ? std::atoi(argv[2]) : 60;

  global::vector<double> temperature(cells);
  global::vector<double> spare(cells);
  // Loop:
  int done = 0;
  if (!global::load_checkpoint(file, {{"temperature", temperature}, {"done", done}}))
    global::run([t = temperature.view()] { begin(t); });
  const int found = done;
  while (done < steps) {
    global::run([from = temperature.view(), to = spare.view()] { step(from, to); });
    std::swap(temperature, spare);
    ++done;
    if (done % 20 == 0 || done == steps)
      global::save_checkpoint(file, {{"temperature", temperature}, {"done", done}});
  }
  // end

  const std::vector<double> right = expected(done);
  std::size_t wrong = 0;
  for (std::size_t lo = 0; lo < cells; lo += leaf) {
    const std::size_t n = lo + leaf < cells ? leaf : cells - lo;
    const auto part = global::checkout(temperature.view().subview(lo, n), global::read);
    for (std::size_t i = 0; i != n; ++i) wrong += part[i] != right[lo + i] ? 1 : 0;
  }
  if (global::rank() == 0)
    std::printf("steps %d to %d on %d ranks: %zu cells wrong\n", found, done, global::num_ranks(),
                wrong);
  return wrong == 0 ? 0 : 1;
}
