// SPDX-License-Identifier: Apache-2.0
// heat_cluster: diffusion of heat in a plate whose rows lie on the ranks;
// docs/how-to/cluster-apps.md.
#include <algorithm>
#include <bit>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <kasuri/global/checkout.hpp>
#include <kasuri/global/memory_counters.hpp>
#include <kasuri/global/run.hpp>
#include <kasuri/global/start.hpp>
#include <kasuri/global/vector.hpp>

#include "cluster/ranks.hpp"
#include "common/command_line.hpp"
#include "common/progress.hpp"
#include "heat/plate.hpp"
#include "heat_cluster/diffusion.hpp"

namespace heat_cluster {
namespace {

struct request {
  std::size_t size = 2048;
  long steps = 100;
  std::size_t blocks = 64;
  bool check = false;
  apps::ranks_request ranks;
};

void add_options(CLI::App& app, request& r) {
  app.add_option("--size", r.size, "Points in each direction (2048).")
      ->check(apps::whole_number(1, 65536));
  app.add_option("--steps", r.steps, "Time steps (100).")->check(apps::whole_number(0, 1000000000));
  app.add_option("--blocks", r.blocks, "Blocks of rows, a task each (64).")
      ->check(apps::whole_number(1, 65536));
  app.add_flag("--check", r.check, "Run the serial program too, and compare every bit.")
      ->disable_flag_override();
  app.add_option("--workers", r.ranks.workers,
                 "Workers of each process; without it KASURI_NUM_WORKERS decides.")
      ->check(apps::whole_number(1, 2048));
}

/// All steps; the last field is `now` when their number is even.
void all_sweeps(field now, field next, division d, long steps, apps::progress* bar) {
  start(now, d);
  for (long i = 1; i <= steps; ++i) {
    sweep(now, next, d);
    std::swap(now, next);
    bar->at(i);
  }
}

/// Points that differ from the serial program's; called as root.
std::size_t differing_points(field f, const heat::plate& serial) {
  std::size_t found = 0;
  for (std::size_t row = 0; row < f.size; ++row) {
    const auto x = global::checkout(f.rows(row, row + 1), global::read);
    for (std::size_t column = 0; column < f.size; ++column) {
      const auto expected = std::bit_cast<std::uint64_t>(serial.at(row, column));
      found += std::bit_cast<std::uint64_t>(x[column]) == expected ? 0 : 1;
    }
  }
  return found;
}

/// Sum of all points, row by row; called as root.
double total(field f) {
  double sum = 0;
  for (std::size_t row = 0; row < f.size; ++row)
    for (const double x : global::checkout(f.rows(row, row + 1), global::read)) sum += x;
  return sum;
}

/// Only rank 0, where the root runs, computes it.
std::unique_ptr<heat::plate> serial_plate(const request& r) {
  auto plate = std::make_unique<heat::plate>(apps::speaks() ? r.size : 1);
  for (long i = 0; i < r.steps && apps::speaks(); ++i) {
    plate->update(0, r.size);
    plate->advance();
  }
  return plate;
}

/// Bytes that the ranks fetched, against the rows at the seams between their parts.
void report_traffic(const request& r, std::uint64_t fetched) {
  const int seams = global::num_ranks() - 1;
  if (seams == 0 || r.steps == 0) return;
  const double a_sweep = static_cast<double>(fetched) / static_cast<double>(r.steps);
  const double halo = 2.0 * seams * static_cast<double>(r.size * sizeof(double));
  apps::say("fetched    %.0f bytes a sweep, %.2f times the rows at the seams\n", a_sweep,
            a_sweep / halo);
}

int work(const request& r) {
  apps::start_ranks(r.ranks);
  const global::vector<double> first(r.size * r.size, global::blocked);
  const global::vector<double> second(r.size * r.size, global::blocked);
  const field now{first.view(), r.size};
  const field next{second.view(), r.size};
  const division d{r.size, std::min(r.blocks, r.size)};
  using clock = std::chrono::steady_clock;
  const std::uint64_t fetched_before = global::count_memory().fetched_bytes;
  const clock::time_point begin = clock::now();
  {
    apps::progress bar(r.steps);
    global::run([=, steps = r.steps, at = &bar] { all_sweeps(now, next, d, steps, at); });
  }
  const double seconds = std::chrono::duration<double>(clock::now() - begin).count();
  report_traffic(r, apps::sum_over_ranks(global::count_memory().fetched_bytes - fetched_before));
  const field last = r.steps % 2 == 0 ? now : next;
  const double sum = global::run([last] { return total(last); });
  apps::say("heat       %.9f a point\n", sum / static_cast<double>(r.size * r.size));
  apps::report_times({seconds});
  apps::say("speed      %.2f steps/s\n", static_cast<double>(r.steps) / seconds);
  if (!r.check) return 0;
  const std::unique_ptr<heat::plate> serial = serial_plate(r);
  const std::size_t wrong =
      global::run([last, plate = serial.get()] { return differing_points(last, *plate); });
  apps::say("check      %s\n",
            wrong == 0 ? "bit-identical to the serial program" : "DIFFERS from the serial program");
  return wrong == 0 ? 0 : apps::status_differs;
}

}  // namespace
}  // namespace heat_cluster

int main(int argc, char** argv) {
  heat_cluster::request r;
  CLI::App app("Diffusion of heat in a plate whose rows lie in blocks on the ranks.",
               "heat_cluster");
  heat_cluster::add_options(app, r);
  if (const std::optional<int> status = apps::parse(app, argc, argv)) return *status;
  return apps::guarded("heat_cluster", [&] { return heat_cluster::work(r); });
}
