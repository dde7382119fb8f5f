// SPDX-License-Identifier: Apache-2.0
// fmm: gravity of many bodies by the fast multipole method; docs/how-to/cluster-apps.md.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <kasuri/global/run.hpp>
#include <kasuri/global/vector.hpp>

#include "cluster/ranks.hpp"
#include "common/command_line.hpp"
#include "fmm/forces.hpp"

namespace fmm {
namespace {

struct request {
  std::size_t particles = 1'000'000;
  int order = 7;
  double theta = 0.5;
  std::uint32_t leaf = 64;
  std::uint32_t task = 4096;
  std::uint64_t seed = 1;
  std::size_t samples = 200;
  std::string distribution = "cube";
  bool check = false;
  apps::ranks_request ranks;
};

void add_options(CLI::App& app, request& r) {
  app.add_option("--particles", r.particles, "Bodies (1000000).")
      ->check(apps::whole_number(2, 2'000'000'000));
  app.add_option("--order", r.order, "Of the expansions (7).")
      ->check(apps::whole_number(1, highest_order));
  app.add_option("--theta", r.theta,
                 "Two cells are far when their radii are below theta times their distance (0.5).")
      ->check(apps::real_number(0.05, 0.95));
  app.add_option("--leaf", r.leaf, "Most bodies of a leaf (64).")
      ->check(apps::whole_number(1, 65536));
  app.add_option("--task", r.task, "Most bodies of a subtree that one worker treats (4096).")
      ->check(apps::whole_number(1, 65536));
  app.add_option("--distribution", r.distribution, "Of the bodies (cube).")
      ->check(apps::one_of({"cube", "sphere", "plummer"}));
  app.add_option("--seed", r.seed, "Of the random places (1).")
      ->check(apps::whole_number(0, 4294967295));
  app.add_option("--samples", r.samples, "Bodies whose forces --check compares (200).")
      ->check(apps::whole_number(1, 1000000));
  app.add_flag("--check", r.check,
               "Compare with direct summation; fails where the relative error exceeds theta to the "
               "power of the order.")
      ->disable_flag_override();
  apps::add_ranks_options(app, r.ranks);
}

distribution named(const std::string& name) {
  return name == "sphere"    ? distribution::sphere
         : name == "plummer" ? distribution::plummer
                             : distribution::cube;
}

/// Bodies in the order of their keys, and the cube around them.
cube make_sorted_bodies(global::view<body> bodies, const request& r) {
  const global::vector<body> spare(r.particles, global::blocked);
  return global::run([bodies, to = spare.view(), d = named(r.distribution), seed = r.seed] {
    make_bodies(bodies, d, seed);
    const cube around = cube_around(bodies);
    sort_bodies(bodies, to, around);
    return around;
  });
}

bool report_accuracy(const tree& t, global::view<point> forces, const request& r) {
  const std::size_t samples = std::min(r.samples, r.particles);
  const accuracy a = global::run([=] { return compare_with_direct(t, forces, samples); });
  const double relative = std::sqrt(a.error / a.square);
  const double accepted = std::max(std::pow(r.theta, r.order), 1e-13);
  const bool right = relative <= accepted;
  apps::say("check      relative force error %.2e of %zu bodies, %s %.2e\n", relative, samples,
            right ? "within" : "WRONG: not within", accepted);
  return right;
}

int work(const request& r) {
  apps::start_ranks(r.ranks);
  const global::vector<body> bodies(r.particles, global::blocked);
  const global::vector<point> forces(r.particles, global::blocked);
  const parameters p{r.order, r.theta, r.leaf, r.task};

  const global::view<body> sorted = bodies.view();
  cube around{};
  std::uint32_t cells = 0;
  const auto sort_time = apps::timed_rounds(
      1, [] {},
      [&] {
        around = make_sorted_bodies(sorted, r);
        cells = global::run([=] { return count_cells(sorted, p); });
      });
  const global::vector<cell> cell_memory(cells, global::blocked);
  const global::vector<double> multipoles(cells * kept_terms(r.order), global::blocked);
  const tree t{around, sorted, cell_memory.view(), multipoles.view(), p};
  const auto build_time = apps::timed_rounds(1, [] {}, [&] { global::run([=] { build(t); }); });
  const global::view<point> out = forces.view();
  const auto seconds = apps::metered_rounds(
      r.ranks.repeat, [] {},
      [&](apps::part all) { global::run([=] { find_forces(t, out, all); }); });

  apps::say("bodies     %zu in %u cells, order %d, theta %g\n", r.particles, cells, r.order,
            r.theta);
  apps::say("sort       %.4f s\nbuild      %.4f s\n", sort_time.front(), build_time.front());
  apps::report_times(seconds);
  return !r.check || report_accuracy(t, out, r) ? 0 : apps::status_differs;
}

}  // namespace
}  // namespace fmm

int main(int argc, char** argv) {
  fmm::request r;
  CLI::App app("Gravity of many bodies by the fast multipole method.", "fmm");
  fmm::add_options(app, r);
  if (const std::optional<int> status = apps::parse(app, argc, argv)) return *status;
  return apps::guarded("fmm", [&] { return fmm::work(r); });
}
