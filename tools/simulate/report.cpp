// SPDX-License-Identifier: Apache-2.0
#include "simulate/report.hpp"

#include <cstdio>
#include <fstream>
#include <iostream>

namespace kasuri::simulate {
namespace {

double share(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

report::report(const request& r, const graph& g, const cost_model& costs, int workers)
    : request_(r), serial_(g.total_work() * r.sweeps), workers_(workers), table_(r.json != "-") {
  json_ = {{"machine", r.machine},
           {"workers", workers},
           {"graph", g.name()},
           {"tasks", g.forks() + 1},
           {"blocks", g.blocks()},
           {"sweeps", r.sweeps},
           {"seed", r.seed},
           {"data", r.data},
           {"work_ns", serial_},
           {"longest_path_ns", g.longest_path() * r.sweeps},
           {"costs_ns",
            {{"spawn", costs.spawn},
             {"steal", costs.steal},
             {"probe", costs.probe},
             {"wake", costs.wake},
             {"kept", costs.kept},
             {"local", costs.local},
             {"remote", costs.remote}}},
           {"policies", nlohmann::ordered_json::array()}};
  if (!table_) return;
  std::printf(
      "%s on %s, %d workers: %zu tasks, %d blocks, %d sweeps; work %.3f ms, "
      "longest path %.3f ms\n",
      g.name().c_str(), r.machine.c_str(), workers, g.forks() + 1, g.blocks(), r.sweeps,
      serial_ * 1e-6, g.longest_path() * r.sweeps * 1e-6);
  std::printf("%-8s %12s %9s %8s %10s %10s %10s %8s %8s %8s\n", "policy", "time ms", "speed-up",
              "busy %", "steals", "far", "sent", "worker %", "node %", "remote %");
}

void report::add(const std::string& policy, const run_result& s) {
  const double speed_up = serial_ / s.time;
  const double busy = s.busy / (s.time * workers_);
  const double worker = share(s.same_worker, s.revisits);
  const double node = share(s.same_node, s.revisits);
  const double remote = share(s.remote, s.accesses);
  json_["policies"].push_back({{"policy", policy},
                               {"time_ns", s.time},
                               {"speed_up", speed_up},
                               {"utilisation", busy},
                               {"steals_near", s.steals_near},
                               {"steals_far", s.steals_far},
                               {"probes", s.probes},
                               {"sent", s.sent},
                               {"routed", s.routed},
                               {"same_worker", worker},
                               {"same_node", node},
                               {"remote", remote},
                               {"events", s.events}});
  if (!table_) return;
  std::printf("%-8s %12.3f %9.2f %8.1f %10llu %10llu %10llu %8.1f %8.1f %8.1f\n", policy.c_str(),
              s.time * 1e-6, speed_up, busy * 100,
              static_cast<unsigned long long>(s.steals_near + s.steals_far),
              static_cast<unsigned long long>(s.steals_far),
              static_cast<unsigned long long>(s.sent), worker * 100, node * 100, remote * 100);
  std::fflush(stdout);
}

void report::finish() {
  if (request_.json.empty()) return;
  if (request_.json == "-") {
    std::cout << json_.dump(2) << std::endl;
    return;
  }
  std::ofstream to(request_.json, std::ios::trunc);
  to << json_.dump(2) << '\n';
  to.close();
  if (to) return;
  throw bad_value("--json " + request_.json + ": cannot be written; accepted: a file, or -");
}

void print_check_head(int cpus) {
  std::printf("%d CPUs: with more workers only counts can be compared, not times\n", cpus);
  std::printf("%-8s %8s %14s %13s %10s %20s %18s\n", "policy", "workers", "simulated ms",
              "measured ms", "ratio", "same worker %", "forks sent");
}

void print_check(const std::string& policy, int workers, const run_result& s, const real_result& m,
                 bool timed) {
  std::printf("%-8s %8d %14.3f ", policy.c_str(), workers, s.time * 1e-6);
  if (timed)
    std::printf("%13.3f %10.3f ", m.time * 1e-6, s.time / m.time);
  else
    std::printf("%13s %10s ", "-", "-");
  std::printf("%9.1f / %8.1f %8llu / %7.0f\n", 100 * share(s.same_worker, s.revisits),
              100 * m.same_worker, static_cast<unsigned long long>(s.routed), m.routed);
  std::fflush(stdout);
}

}  // namespace kasuri::simulate
