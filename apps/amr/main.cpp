// SPDX-License-Identifier: Apache-2.0
// amr: advection on a tree-based adaptive mesh; docs/how-to/amr.md.
#include <algorithm>
#include <array>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "amr/fork_trace.hpp"
#include "amr/measures.hpp"
#include "amr/output.hpp"
#include "amr/simulation.hpp"
#include "common/command_line.hpp"
#include "common/pool_start.hpp"
#include "common/progress.hpp"

namespace amr {
namespace {

struct request {
  std::array<int, 2> levels = {5, 12};
  long steps = 500;
  int workers = 0;
  int cut_off = 2048;
  std::string policy = apps::default_policy;
  long relocate_every = 0;
  std::string forks;
  std::string output;
  std::size_t pixels = 1024;
  bool locality = false;
  bool check = false;
};

/// What one program did, serial or parallel.
struct outcome {
  measures before;
  measures after;
  double seconds = 0;
  long balance_rounds = 0;
  std::size_t bytes = 0;
  std::uint64_t steals = 0;
  std::array<visits, phases> seen{};
  double leaves_on_own_node = 0;
};

// Of this application alone: what forks carry.
constexpr const char* custom_policy = "custom";
constexpr const char* numa_policy = "numa";

std::vector<std::string> policies() {
  std::vector<std::string> names = apps::policies();
  names.insert(names.end(), {custom_policy, numa_policy});
  return names;
}

advice advice_of(const std::string& policy) {
  if (policy == custom_policy) return advice::hints;
  return policy == numa_policy ? advice::nodes : advice::shares;
}

void start_pool(const request& r) {
  const bool own = advice_of(r.policy) != advice::shares;
  apps::start_pool(own ? "near" : r.policy, r.workers);
  if (r.policy == custom_policy) steal_largest_own();
}

void add_options(CLI::App& app, request& r) {
  app.add_option("--levels", r.levels, "Coarsest and finest level of refinement (5 12).")
      ->check(apps::whole_number(1, 24));
  app.add_option("--steps", r.steps, "Time steps (500).")->check(apps::whole_number(0, 1000000000));
  app.add_option("--workers", r.workers, "Workers; without it KASURI_NUM_WORKERS decides.")
      ->check(apps::whole_number(1, 2048));
  app.add_option("--cut-off", r.cut_off, "Nodes up to which a subtree is visited serially (2048).")
      ->check(apps::whole_number(1, 1000000000));
  app.add_option("--policy", r.policy,
                 "Placement policy; default leaves it to KASURI_SCHED, serial runs without Kasuri.")
      ->check(apps::one_of(policies()));
  app.add_option("--relocate", r.relocate_every,
                 "Every so many steps, copy the tree to the memory of the workers that visit it.")
      ->check(apps::whole_number(1, 1000000000));
  app.add_option("--trace-forks", r.forks,
                 "Write the tasks of a phase with their work, as JSON lines, to this file.")
      ->check(apps::file_name({".jsonl"}));
  app.add_option("--output", r.output, "Write the mesh and the field to this file.")
      ->check(apps::file_name({".png", ".vtk"}));
  app.add_option("--pixels", r.pixels, "Side of the picture (1024).")
      ->check(apps::whole_number(16, 16384));
  app.add_flag("--locality", r.locality,
               "Report the share of nodes on the worker of the phase before, by phase; and steals.")
      ->disable_flag_override();
  app.add_flag("--check", r.check, "Run the serial program too, and compare.")
      ->disable_flag_override();
}

problem problem_of(const request& r) {
  problem p;
  p.least_level = r.levels[0];
  p.most_level = r.levels[1];
  p.cut_off = r.cut_off;
  return p;
}

void advance(simulation& s, const request& r) {
  apps::progress bar(r.steps);
  for (long i = 1; i <= r.steps; ++i) {
    s.step();
    if (r.relocate_every != 0 && i % r.relocate_every == 0) s.relocate_blocks();
    bar.at(i);
  }
}

outcome run(const request& r, bool parallel, bool writes_files) {
  simulation s(problem_of(r), parallel, advice_of(r.policy));
  outcome o;
  o.before = measure(s);
  const std::uint64_t steals = parallel ? apps::steals_so_far() : 0;
  const auto begin = std::chrono::steady_clock::now();
  advance(s, r);
  o.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  o.steals = parallel ? apps::steals_so_far() - steals : 0;
  o.after = measure(s);
  o.balance_rounds = s.balance_rounds();
  o.bytes = s.bytes();
  o.seen = s.seen();
  o.leaves_on_own_node = s.share_on_own_node();
  if (writes_files && !r.output.empty()) write_output(s, r.output, r.pixels);
  if (writes_files && !r.forks.empty()) write_forks(s.root(), r.cut_off, r.forks);
  return o;
}

void report(const request& r, const outcome& o) {
  const measures& m = o.after;
  std::printf("mesh       %" PRIu64 " cells, %" PRIu64 " nodes, finest level %d, %s, %.1f MiB\n",
              m.cells, m.nodes, m.finest, m.balanced ? "balanced" : "NOT BALANCED",
              static_cast<double>(o.bytes) / (1 << 20));
  std::printf("mass       %.12f, change %.1e\n", m.mass, m.mass - o.before.mass);
  std::printf("error      %.6f (from the exact solution, L1)\n", m.error);
  std::printf("balance    %ld rounds that split cells\n", o.balance_rounds);
  std::printf("checksum   %016" PRIx64 "\n", m.checksum);
  std::printf("time       %.3f s, %.2f steps/s\n", o.seconds,
              static_cast<double>(r.steps) / o.seconds);
}

double share(const visits& v) {
  return v.all == 0 ? 0 : static_cast<double>(v.same_worker) / static_cast<double>(v.all);
}

void report_locality(const request& r, const outcome& o) {
  visits sum;
  for (const visits& each : o.seen) {
    sum.all += each.all;
    sum.same_worker += each.same_worker;
  }
  std::printf("locality   %.4f", share(sum));
  for (std::size_t i = 0; i < phases; ++i)
    std::printf("%s %s %.4f", i == 0 ? " :" : ",", phase_names[i], share(o.seen[i]));
  std::printf("\nsteals     %" PRIu64 ", %.2f a step\n", o.steals,
              static_cast<double>(o.steals) / static_cast<double>(std::max(r.steps, 1L)));
  if (kasuri::numa::nodes().size() > 1)
    std::printf("nodes      %.4f of cells in memory of their worker's NUMA node\n",
                o.leaves_on_own_node);
}

bool compare(const measures& seen, const measures& serial) {
  const bool same =
      seen.checksum == serial.checksum && seen.cells == serial.cells && seen.nodes == serial.nodes;
  std::printf("check      %s (serial checksum %016" PRIx64 ")\n",
              same ? "bit-identical to the serial program" : "DIFFERS from the serial program",
              serial.checksum);
  return same;
}

int work(const request& r) {
  outcome o;
  if (r.policy == apps::serial_policy) {
    o = run(r, false, true);
  } else {
    start_pool(r);
    apps::run_in_pool([&] { o = run(r, true, true); });
  }
  report(r, o);
  if (r.locality) report_locality(r, o);
  const bool same = !r.check || compare(o.after, run(r, false, false).after);
  return same && o.after.balanced ? 0 : apps::status_differs;
}

}  // namespace
}  // namespace amr

int main(int argc, char** argv) {
  amr::request r;
  CLI::App app("Advection of a disc on a quadtree that is refined where the field changes.", "amr");
  amr::add_options(app, r);
  if (const std::optional<int> status = apps::parse(app, argc, argv)) return *status;
  if (const std::optional<int> status = apps::refuse_with_serial(app, r.policy)) return *status;
  if (r.levels[0] > r.levels[1]) {
    return apps::usage_error(app, "--levels: " + std::to_string(r.levels[0]) + " " +
                                      std::to_string(r.levels[1]) +
                                      ": out of order; accepted: the coarser level first");
  }
  try {
    return amr::work(r);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "amr: %s\n", error.what());
    return apps::status_differs;
  }
}
