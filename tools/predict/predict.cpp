// SPDX-License-Identifier: Apache-2.0
#include "predict/predict.hpp"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>

#include "predict/outcome.hpp"
#include "predict/prediction.hpp"
#include "report/places.hpp"
#include "report/profile.hpp"
#include "simulate/machines.hpp"
#include "simulate/real_run.hpp"
#include "simulate/simulate.hpp"

namespace kasuri::predict {
namespace {

constexpr int status_usage = 2;
constexpr int most_workers = 4096;
constexpr int workers_by_default = 64;

/// A profile with all that refers to it.
struct recorded {
  explicit recorded(const std::string& file) : p(read(file)), where(p), m(p, nullptr, where) {}
  static report::profile read(const std::string& file) {
    try {
      return report::read_profile(file);
    } catch (const report::bad_profile& problem) {
      throw simulate::bad_value(file + ": " + problem.what() +
                                "; accepted: a file written with KASURI_PROFILE=FILE");
    }
  }
  report::profile p;
  report::places where;
  report::measures m;
};

/// The run with most workers comes last: it shows most of how the program divides.
std::deque<std::unique_ptr<recorded>> read_all(const predict_request& request) {
  std::deque<std::unique_ptr<recorded>> all;
  for (const std::string& file : request.profiles) all.push_back(std::make_unique<recorded>(file));
  std::ranges::stable_sort(all, {}, [](const auto& r) { return r->m.workers(); });
  for (const auto& r : all)
    if (r->p.workers == 0 && r->p.regions.empty())
      throw simulate::bad_value(r->p.program +
                                ": the profile has no parallel part; accepted: that of a program "
                                "that starts Kasuri's workers or opens a parallel region");
  return all;
}

std::vector<int> workers_of(const predict_request& request, const platform::topology& machine) {
  const int most = static_cast<int>(machine.pus.size());
  std::vector<int> all = request.workers;
  if (all.empty())
    for (int p = 1; p <= most; p *= 2) all.push_back(p);
  for (const int p : all)
    if (p < 1 || p > most)
      throw simulate::bad_value("--workers " + std::to_string(p) + ": accepted: 1 to " +
                                std::to_string(most) + ", the machine's");
  return all;
}

platform::topology machine_for(const predict_request& request) {
  if (!request.machine.empty()) return simulate::machine_of(request.machine);
  const int most = request.workers.empty() ? workers_by_default : std::ranges::max(request.workers);
  if (most < 1 || most > most_workers)
    throw simulate::bad_value("--workers " + std::to_string(most) + ": accepted: 1 to " +
                              std::to_string(most_workers));
  return simulate::machine_of(std::to_string(most) + "x1");
}

void run(const predict_request& request) {
  const auto runs = read_all(request);
  target t{.machine = machine_for(request), .costs = simulate::costs_of(request.machine)};
  simulate::with_costs(t.costs, request.costs);  // a wrong word is said first
  const std::vector<int> workers = workers_of(request, t.machine);
  if (request.calibrate) t.costs = simulate::calibrated(t.costs);
  t.costs = simulate::with_costs(t.costs, request.costs);
  std::vector<const report::measures*> measured;
  for (const auto& r : runs) measured.push_back(&r->m);
  const outcome all = prediction_from(measured, t, workers);
  if (request.json != "-") print(all);
  if (!request.json.empty()) write_json(request.json, all);
  if (!request.html.empty()) write_page(request.html, all);
}

}  // namespace

int predict_command(const predict_request& request) {
  try {
    run(request);
    return 0;
  } catch (const simulate::bad_value& problem) {
    std::fprintf(stderr, "kasuri: predict: %s\n", problem.what());
    return status_usage;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "kasuri: predict: %s\n", problem.what());
    return 1;
  }
}

}  // namespace kasuri::predict
