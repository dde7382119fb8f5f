// SPDX-License-Identifier: Apache-2.0
#include "predict/prediction.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "predict/stretch.hpp"
#include "simulate/machines.hpp"

namespace kasuri::predict {
namespace {

outcome predict_all(const model& how, const stretch& more, const std::vector<int>& workers) {
  outcome all{.recorded_on = how.recorded_on(), .recorded = how.recorded(), .work = how.work()};
  const double recorded_factor = more.on(how.recorded_on()).expected;
  const auto on = [&](int p) {
    const stretch_band f = more.on(p);
    times t = how.on(p);
    t.least *= f.least / recorded_factor;
    t.expected *= f.expected / recorded_factor;
    t.most *= f.most / recorded_factor;
    return t;
  };
  all.on_one = on(1).expected;
  for (const int p : workers) all.predictions.push_back({p, on(p), how.largest_part(p)});
  return all;
}

std::vector<std::string> notes_on(const model& how, const stretch& more, std::size_t runs) {
  std::vector<std::string> notes = how.doubts();
  if (runs == 1)
    notes.emplace_back(
        "one run does not show whether memory will be the limit; give one on fewer "
        "workers too");
  else if (more.seen())
    notes.emplace_back("the work took longer on more workers; the band has that go on and stop");
  notes.emplace_back(
      "code that asks for the number of threads, or searches, may do other work there");
  return notes;
}

}  // namespace

outcome prediction_from(const std::vector<const report::measures*>& runs, const target& t,
                        const std::vector<int>& workers) {
  std::vector<measured_work> works;
  for (const report::measures* m : runs) works.push_back({m->workers(), m->of.critical.work_s});
  const stretch more(works);
  const report::measures& last = *runs.back();
  const model how(last, t);
  outcome all = predict_all(how, more, workers);
  all.program = std::filesystem::path(last.of.program).filename().string();
  for (const report::measures* m : runs) all.measured.push_back({m->workers(), m->seconds()});
  all.notes = notes_on(how, more, runs.size());
  return all;
}

nlohmann::json replayed_speedups(const report::measures& m) {
  nlohmann::json rows = nlohmann::json::array();
  if (m.of.workers == 0 && m.of.regions.empty()) return rows;
  const int most = std::max(64, 2 * m.workers());
  const target t{.machine = simulate::machine_of(std::to_string(most) + "x1"), .costs = {}};
  std::vector<int> workers;
  for (int p = 1; p <= most; p *= 2) workers.push_back(p);
  std::vector<const report::measures*> runs{&m};
  std::unique_ptr<report::measures> one;
  if (m.on_one != nullptr && m.workers() > 1) {
    one = std::make_unique<report::measures>(*m.on_one, nullptr, m.where);
    runs.insert(runs.begin(), one.get());
  }
  const outcome all = prediction_from(runs, t, workers);
  // Relative to the run on one worker, as what was measured is.
  const double on_one = one != nullptr ? one->seconds() : all.on_one;
  for (const prediction& p : all.predictions)
    if (p.wall.expected > 0)
      rows.push_back({{"workers", p.workers}, {"speedup", on_one / p.wall.expected}});
  return rows;
}

}  // namespace kasuri::predict
