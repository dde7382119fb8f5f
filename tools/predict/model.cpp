// SPDX-License-Identifier: Apache-2.0
#include "predict/model.hpp"

#include <algorithm>

#include "predict/tree_part.hpp"
#include "report/words.hpp"

namespace kasuri::predict {
namespace {

/// Seconds in which one thread ran outside of all parallel constructs. A tree of forks has the
/// code around them in it.
double serial_seconds(const report::measures& m, bool has_tree) {
  const auto& path = m.of.critical.path;
  const auto outside = std::ranges::find(path, 0, &report::path_part::site);
  return has_tree || outside == path.end() ? m.serial : outside->s;
}

double openmp_task_work(const report::measures& m) {
  double work = 0;
  for (const report::task_kind& t : m.of.tasks)
    if (t.kind == "task") work += t.work_s;
  return work;
}

}  // namespace

model::model(const report::measures& m, const target& t)
    : recorded_on_(m.workers()),
      recorded_(m.seconds() - m.others / m.workers()),
      work_(m.all_work()) {
  const bool has_tree = add_tree(m, t);
  parts_.push_back(std::make_unique<serial_part>(serial_seconds(m, has_tree)));
  add_phases(m);
  add_openmp_tasks(m);
  // The rest is no part: starting, waking, the end of the process. It does not shrink.
  rest_ = std::max(0.0, recorded_ - of_parts(recorded_on_).expected);
  if (m.part(m.others) > 0.05)
    doubts_.push_back(
        report::say("other programs had the processor for %.0f %% of the recorded run",
                    100 * m.part(m.others)));
  if (!m.of.last) doubts_.emplace_back("the recorded run did not come to its end");
  if (m.part(m.blocked) > 0.05)
    doubts_.emplace_back("tasks slept in the system; what they wait for may not get faster");
}

void model::add_phases(const report::measures& m) {
  double busy = 0;
  double lock_waits = 0;
  double held = 0;
  for (const report::phase& p : m.of.phases) {
    busy += p.busy_s;
    lock_waits += p.lock_s;
  }
  for (const report::lock& l : m.of.locks) held = std::max(held, l.held_s);
  // Tasks run within phases, and are a part of their own.
  const double own = busy > 0 ? std::max(0.0, 1 - openmp_task_work(m) / busy) : 0;
  for (const report::phase& p : m.of.phases) {
    const auto region = std::ranges::find(m.of.regions, p.region, &report::phase::site);
    const double members = region != m.of.regions.end() ? region->members : p.members;
    parts_.push_back(std::make_unique<phase_part>(
        phase_facts{.phase = p,
                    .where = m.where.of_site(p.site).text(),
                    .work = p.busy_s * own,
                    .held = lock_waits > 0 ? held * p.lock_s / lock_waits : 0,
                    .dynamic = p.max_s < 1.1 * p.mean_s,
                    .limit = members < m.workers() ? static_cast<int>(members) : 0}));
  }
}

void model::add_openmp_tasks(const report::measures& m) {
  const double work = openmp_task_work(m);
  if (work <= 0) return;
  // The longest chain of the program spends so long in them: the rest of it is in the other parts.
  double chain = 0;
  for (const report::path_part& p : m.of.critical.path)
    if (const auto site = m.of.sites.find(p.site);
        site != m.of.sites.end() && site->second.kind == "task")
      chain += p.s;
  parts_.push_back(std::make_unique<tasks_part>("OpenMP tasks", work, chain));
}

bool model::add_tree(const report::measures& m, const target& t) {
  std::optional<simulate::graph> g = graph_of_forks(m.of.forks, m.on_core);
  if (!g) return false;
  const double span = g->longest_path() * 1e-9;
  parts_.push_back(std::make_unique<tree_part>(*std::move(g), span, t.machine, t.costs));
  return true;
}

times model::of_parts(int workers) const {
  times all;
  for (const auto& p : parts_) all += p->on(workers);
  return all;
}

times model::on(int workers) const {
  times t = of_parts(workers);
  t.expected += rest_;
  t.most += rest_;
  return t;
}

}  // namespace kasuri::predict
