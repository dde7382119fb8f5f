// SPDX-License-Identifier: Apache-2.0
// heat: diffusion of heat in a plate; docs/how-to/heat.md.
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>

#include "common/command_line.hpp"
#include "common/picture.hpp"
#include "common/pool_start.hpp"
#include "common/progress.hpp"
#include "heat/plate.hpp"
#include "heat/sweeps.hpp"

namespace heat {
namespace {

struct request {
  std::size_t size = 1024;
  long steps = 200;
  int workers = 0;
  std::size_t blocks = 64;
  int imbalance = 1;
  std::string policy = apps::default_policy;
  std::string kind = "invoke";
  std::string output;
  std::size_t pixels = 1024;
  bool locality = false;
  bool check = false;
};

struct outcome {
  double seconds = 0;
  std::uint64_t on_same_worker = 0;
  std::uint64_t steals = 0;
};

void add_options(CLI::App& app, request& r) {
  app.add_option("--size", r.size, "Points in each direction (1024).")
      ->check(apps::whole_number(1, 65536));
  app.add_option("--steps", r.steps, "Time steps (200).")->check(apps::whole_number(0, 1000000000));
  app.add_option("--workers", r.workers, "Workers; without it KASURI_NUM_WORKERS decides.")
      ->check(apps::whole_number(1, 2048));
  app.add_option("--blocks", r.blocks, "Blocks of rows, a task each (64).")
      ->check(apps::whole_number(1, 65536));
  app.add_option("--imbalance", r.imbalance,
                 "Times that blocks of the first half are computed, against once (1).")
      ->check(apps::whole_number(1, 1000));
  app.add_option("--loop", r.kind,
                 "invoke: parallel_invoke of halves; for: parallel_for over the blocks (invoke).")
      ->check(apps::one_of({"invoke", "for"}));
  app.add_option("--policy", r.policy,
                 "Placement policy; default leaves it to KASURI_SCHED, serial runs without Kasuri.")
      ->check(apps::one_of(apps::policies()));
  app.add_option("--output", r.output, "Write a picture of the plate to this file.")
      ->check(apps::file_name({".png"}));
  app.add_option("--pixels", r.pixels, "Side of the picture (1024).")
      ->check(apps::whole_number(16, 16384));
  app.add_flag("--locality", r.locality,
               "Report the share of blocks on the worker of the sweep before; and steals.")
      ->disable_flag_override();
  app.add_flag("--check", r.check, "Run the serial program too, and compare.")
      ->disable_flag_override();
}

outcome run(plate& p, const request& r, loop kind) {
  sweeps all(p, r.blocks, r.imbalance, kind);
  apps::progress bar(r.steps);
  const bool parallel = kind != loop::serial;
  const std::uint64_t steals = parallel ? apps::steals_so_far() : 0;
  const auto begin = std::chrono::steady_clock::now();
  for (long i = 1; i <= r.steps; ++i) {
    all.sweep();
    bar.at(i);
  }
  outcome o;
  o.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  o.on_same_worker = all.on_same_worker();
  o.steals = parallel ? apps::steals_so_far() - steals : 0;
  return o;
}

void report(const request& r, const plate& p, const outcome& o) {
  const auto steps = static_cast<double>(r.steps);
  std::printf("heat       %.9f a point\n", p.total() / static_cast<double>(p.size() * p.size()));
  std::printf("checksum   %016" PRIx64 "\n", p.checksum());
  std::printf("time       %.3f s, %.2f steps/s\n", o.seconds, steps / o.seconds);
  if (!r.locality) return;
  const double met_before = static_cast<double>(r.blocks) * std::max(steps - 1, 1.0);
  std::printf("locality   %.4f\n", static_cast<double>(o.on_same_worker) / met_before);
  std::printf("steals     %" PRIu64 ", %.2f a step\n", o.steals,
              static_cast<double>(o.steals) / std::max(steps, 1.0));
}

/// Whether the serial program ends with the same bits.
bool same_as_serial(const request& r, const plate& p) {
  plate other(r.size);
  request balanced = r;
  balanced.imbalance = 1;  // repetitions change no result
  run(other, balanced, loop::serial);
  const bool same = p.same_bits(other);
  std::printf("check      %s (serial checksum %016" PRIx64 ")\n",
              same ? "bit-identical to the serial program" : "DIFFERS from the serial program",
              other.checksum());
  return same;
}

void write_picture(const plate& p, const request& r) {
  apps::picture image(r.pixels);
  for (std::size_t row = 0; row < r.pixels; ++row) {
    for (std::size_t column = 0; column < r.pixels; ++column) {
      const double value = p.at(row * p.size() / r.pixels, column * p.size() / r.pixels);
      image.at(row, column) = apps::picture::colour(value);
    }
  }
  image.write_png(r.output);
}

int work(const request& r) {
  plate p(r.size);
  outcome o;
  if (r.policy == apps::serial_policy) {
    o = run(p, r, loop::serial);
  } else {
    apps::start_pool(r.policy, r.workers);
    apps::run_in_pool([&] { o = run(p, r, r.kind == "for" ? loop::flat : loop::recursive); });
  }
  report(r, p, o);
  if (!r.output.empty()) write_picture(p, r);
  return !r.check || same_as_serial(r, p) ? 0 : apps::status_differs;
}

}  // namespace
}  // namespace heat

int main(int argc, char** argv) {
  heat::request r;
  CLI::App app("Diffusion of heat in a plate: a 5-point stencil over blocks of rows.", "heat");
  heat::add_options(app, r);
  if (const std::optional<int> status = apps::parse(app, argc, argv)) return *status;
  if (const std::optional<int> status = apps::refuse_with_serial(app, r.policy)) return *status;
  if (r.blocks > r.size) {
    return apps::usage_error(app, "--blocks: " + std::to_string(r.blocks) +
                                      ": more than rows; "
                                      "accepted: 1 to " +
                                      std::to_string(r.size));
  }
  try {
    return heat::work(r);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heat: %s\n", error.what());
    return apps::status_differs;
  }
}
