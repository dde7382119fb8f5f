// SPDX-License-Identifier: Apache-2.0
#include "simulate/simulate.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "simulate/machines.hpp"
#include "simulate/real_run.hpp"
#include "simulate/report.hpp"
#include "simulate/virtual_pool.hpp"

namespace kasuri::simulate {
namespace {

template <class Value, std::size_t n>
struct choice {
  const char* option;
  struct {
    const char* name;
    Value value;
  } all[n];

  Value of(const std::string& name) const {
    std::string accepted;
    for (const auto& each : all) {
      if (each.name == name) return each.value;
      accepted += (accepted.empty() ? "" : ", ") + std::string(each.name);
    }
    throw bad_value(std::string(option) + " " + name + ": not known; accepted: " + accepted);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& each : all) found.emplace_back(each.name);
    return found;
  }
};

constexpr choice<policy, 5> policies{"--policy",
                                     {{"random", policy::random},
                                      {"near", policy::near},
                                      {"numa", policy::numa},
                                      {"custom", policy::custom},
                                      {"adws", policy::adws}}};
constexpr choice<data, 3> places{
    "--data",
    {{"first-touch", data::first_touch}, {"blocked", data::blocked}, {"one-node", data::one_node}}};
constexpr int repetitions = 15;
constexpr double least_time = 6e9;  // ns

/// How many workers the request means.
int workers_of(const request& r, const platform::topology& machine) {
  const int all = static_cast<int>(machine.pus.size());
  const int workers = r.workers.value_or(all);
  if (workers < 1 || workers > most_workers)
    throw bad_value("--workers " + std::to_string(workers) + ": accepted: 1 to " +
                    std::to_string(most_workers));
  return workers;
}

std::vector<std::string> policies_of(const request& r) {
  if (!r.policies.empty()) return r.policies;
  if (r.check) return {"random", "near", "adws"};
  return policies.names();
}

run_result simulated(const request& r, const graph& g, const platform::topology& machine,
                     const cost_model& costs, const std::string& name, int workers) {
  const run_options o{.by = policies.of(name),
                      .lies = places.of(r.data),
                      .workers = workers,
                      .sweeps = r.sweeps,
                      .seed = r.seed};
  return pool(g, machine, costs, o).run();
}

/// Simulated beside measured; times only where each worker has a CPU.
void check(const request& r, const graph& g, const cost_model& costs) {
  const int cpus = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  const platform::topology machine = machine_of("16x1");
  print_check_head(cpus);
  for (const std::string& name : policies_of(r)) {
    if (name == "numa" || name == "custom")
      throw bad_value("--check --policy " + name + ": accepted: random, near, adws");
    for (const int workers : {1, 2, 4, 8, 16}) {
      const run_result s = simulated(r, g, machine, costs, name, workers);
      const bool timed = workers <= cpus;
      const real_result m =
          run_really(g, name, workers, r.sweeps, timed ? repetitions : 1, timed ? least_time : 0);
      print_check(name, workers, s, m, timed);
    }
  }
}

void run(const request& r) {
  if (r.sweeps < 1 || r.sweeps > 1'000'000)
    throw bad_value("--sweeps " + std::to_string(r.sweeps) + ": accepted: 1 to 1000000");
  for (const std::string& name : r.policies) policies.of(name);
  places.of(r.data);
  const platform::topology machine = machine_of(r.machine);
  const int workers = workers_of(r, machine);
  cost_model costs = costs_of(r.machine);
  with_costs(costs, r.costs);  // a wrong word is said before anything takes its time
  const graph g = make_graph(r.graph);
  if (r.calibrate || r.check) costs = calibrated(costs);
  costs = with_costs(costs, r.costs);
  if (r.check) return check(r, g, costs);
  report all(r, g, costs, workers);
  for (const std::string& name : policies_of(r))
    all.add(name, simulated(r, g, machine, costs, name, workers));
  all.finish();
}

}  // namespace

std::map<std::string, std::vector<std::string>> simulate_choices() {
  return {{policies.option, policies.names()}, {places.option, places.names()}};
}

int simulate_command(const request& r) {
  try {
    run(r);
    return 0;
  } catch (const bad_value& problem) {
    std::fprintf(stderr, "kasuri: simulate: %s\n", problem.what());
    return 2;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "kasuri: simulate: %s\n", problem.what());
    return 1;
  }
}

}  // namespace kasuri::simulate
