// SPDX-License-Identifier: Apache-2.0
#include "predict/model.hpp"

#include <algorithm>
#include <cstdint>

#include "predict/tree_part.hpp"
#include "report/words.hpp"

namespace kasuri::predict {
namespace {

// Less than this part of the processors taken by other programs is as none.
constexpr double quiet = 0.03;

double openmp_task_work(const report::measures& m) {
  double work = 0;
  for (const report::task_kind& t : m.of.tasks)
    if (t.kind == "task") work += t.work_s;
  return work;
}

/// Seconds, of all workers, in which other programs had their processors: as the report has it.
/// Without accounts and a series there is nothing to have it from: the thread that waited longest
/// for a processor says it.
double taken_by_others(const report::measures& m) {
  if (!m.of.accounts.empty() || !m.of.series.seconds.empty()) return m.others;
  double longest = 0;
  for (const report::os_thread& t : m.of.threads)
    if (t.name != "kasuri-profile") longest = std::max(longest, t.run_delay_s);
  const double beside = m.of.machine.others_s + m.of.machine.stolen_s;
  return std::max(m.others, std::min({longest, m.seconds(), beside}));
}

/// ... as a part of all the time that the workers had.
double part_of_others(const report::measures& m) {
  return m.capacity > 0 ? taken_by_others(m) / m.capacity : 0;
}

/// Of the time that members are said to have been busy, what they had a processor for. Beside
/// other programs the one has what those took in it.
double part_on_core(const report::measures& m) {
  double busy = 0;
  double ran = 0;
  for (const report::phase& p : m.of.phases) busy += p.busy_s;
  if (m.of.accounts.empty()) busy = m.of.critical.work_s;
  for (const report::account& a : m.of.accounts) ran += a.work_s + a.blocked_s;
  if (m.of.accounts.empty())
    for (const report::os_thread& t : m.of.threads)
      if (t.name != "kasuri-profile") ran += t.processor_s;
  const bool is_quiet = part_of_others(m) <= quiet;
  return is_quiet || busy <= 0 || ran <= 0 ? 1 : std::min(1.0, ran / busy);
}

/// Of the time that locks are held, what their holders had a processor for.
double held_on_core(const report::measures& m) {
  if (part_of_others(m) <= quiet) return 1;
  if (!m.of.accounts.empty()) return m.on_core;
  double ran = 0;
  for (const report::os_thread& t : m.of.threads)
    if (t.name != "kasuri-profile") ran += t.processor_s;
  return std::min(1.0, ran / (ran + taken_by_others(m)));
}

/// Of the time outside of all regions and of the pool, what the first thread had a processor for or
/// slept. Beside other programs its path has what it waited for a processor whenever it had given
/// one away.
double outside_on_core(const report::measures& m) {
  double ran = 0;
  for (const report::os_thread& t : m.of.threads)
    if (static_cast<std::uint64_t>(t.tid) == m.of.process) ran = t.processor_s;
  double slept = 0;
  for (const report::system_wait& w : m.of.waits)
    if (!w.in_pool) slept += w.s;
  for (const report::account& a : m.of.accounts)
    if (a.role == "guest") ran -= a.processor_s;
  return std::max(0.0, ran) + slept;
}

/// Seconds in which one thread ran outside of all parallel constructs. A tree of forks has the
/// code around them in it: what is in no tree and no region is outside then.
double serial_seconds(const report::measures& m, double in_tree) {
  double seconds = m.serial;
  const auto& path = m.of.critical.path;
  const auto outside = std::ranges::find(path, 0, &report::path_part::site);
  if (in_tree > 0) {
    double in_regions = 0;
    for (const report::phase& r : m.of.regions) in_regions += r.busy_s;
    seconds = std::max(0.0, m.of.critical.work_s - in_tree - in_regions);
  } else if (outside != path.end()) {
    seconds = outside->s;
  }
  if (part_of_others(m) <= quiet) return seconds;
  if (m.of.accounts.empty()) return seconds * part_on_core(m);
  return std::min(seconds, outside_on_core(m));
}

/// The workers that took part: of a program of OpenMP alone its largest team. One of one thread has
/// no pool.
int workers_of(const report::measures& m, bool has_tree) {
  double members = 0;
  for (const report::phase& r : m.of.regions) members = std::max(members, r.members);
  return has_tree || members < 1 ? m.workers() : static_cast<int>(members);
}

}  // namespace

model::model(const report::measures& m, const target& t)
    : work_(m.of.critical.work_s * part_on_core(m)) {
  const double in_tree = add_tree(m, t);
  recorded_on_ = workers_of(m, in_tree > 0);
  // What others took is an estimate: no run is shorter than its work on all workers.
  recorded_ = std::min(m.of.seconds, std::max((m.capacity - taken_by_others(m)) / m.workers(),
                                              work_ / recorded_on_));
  parts_.push_back(std::make_unique<serial_part>(serial_seconds(m, in_tree)));
  add_phases(m);
  add_openmp_tasks(m);
  // The rest is no part: starting, waking, the end of the process. It does not shrink.
  // Beside other programs it cannot be told from what they took.
  const double taken = part_of_others(m);
  if (taken <= quiet)
    rest_ = std::max(0.0, recorded_ - of_parts(recorded_on_).expected);
  else
    doubts_.push_back(
        report::say("other programs had the processor for %.0f %% of the recorded run: what it "
                    "takes to start and to wake is left out",
                    100 * taken));
  double mutex_waits = 0;
  for (const report::lock& l : m.of.locks)
    if (l.kind == "mutex") mutex_waits += l.wait_s;
  if (m.part(mutex_waits) > 0.02)
    doubts_.emplace_back(
        "tasks wait for a kasuri::mutex, which is seen only where they do: on more workers they "
        "will wait more");
  if (!m.of.last) doubts_.emplace_back("the recorded run did not come to its end");
  if (m.part(m.blocked) > 0.05)
    doubts_.emplace_back("tasks slept in the system; what they wait for may not get faster");
}

namespace {

/// The loop whose members took chunks as they came and which that phase has been; null: none is
/// known. GCC's static loops are in no row.
const report::dealt_loop* dynamic_loop(const report::profile& of, const report::phase& p) {
  const auto is_it = [&](const report::dealt_loop& l) {
    return (l.schedule == "dynamic" || l.schedule == "guided") && l.count == p.count &&
           l.body_s > 0.8 * p.busy_s && l.body_s < 1.05 * p.busy_s;
  };
  const auto found = std::ranges::find_if(of.loops, is_it);
  return found == of.loops.end() ? nullptr : &*found;
}

/// The part that a phase has of the lock that is held longest: by the waits for locks in it, or,
/// where nobody had to wait, by its work.
lock_use lock_in(const report::profile& of, const report::phase& p, double on_core) {
  // Of a kasuri::mutex only the contended acquires are known.
  const report::lock* most = nullptr;
  for (const report::lock& l : of.locks)
    if (l.kind != "mutex" && (most == nullptr || l.held_s > most->held_s)) most = &l;
  if (most == nullptr) return {};
  double waits = 0;
  double busy = 0;
  for (const report::phase& q : of.phases) {
    waits += q.lock_s;
    busy += q.busy_s;
  }
  const double share = waits > 0 ? p.lock_s / waits : busy > 0 ? p.busy_s / busy : 0;
  return {most->count * share, most->held_s * share * on_core};
}

}  // namespace

void model::add_phases(const report::measures& m) {
  double busy = 0;
  for (const report::phase& p : m.of.phases) busy += p.busy_s;
  // Tasks run within phases, and are a part of their own.
  const double own = busy > 0 ? std::max(0.0, 1 - openmp_task_work(m) / busy) : 0;
  const double on_core = part_on_core(m);
  bool is_unknown = false;
  for (const report::phase& p : m.of.phases) {
    const auto region = std::ranges::find(m.of.regions, p.region, &report::phase::site);
    const double members = region != m.of.regions.end() ? region->members : p.members;
    const report::dealt_loop* const loop = dynamic_loop(m.of, p);
    const bool is_even = p.members > 1 && p.max_s < 1.1 * p.mean_s;
    is_unknown |= loop == nullptr && p.members <= 1 && p.busy_s * own > 0.05 * recorded_;
    double chunks = 0;
    // The last chunks of a guided loop are single iterations; of one thread's no others are known.
    const bool has_even_chunks = loop != nullptr && loop->schedule == "dynamic" && p.members > 1;
    if (loop != nullptr) chunks = has_even_chunks ? loop->chunks : loop->iterations;
    parts_.push_back(std::make_unique<phase_part>(
        phase_facts{.phase = p,
                    .where = m.where.of_site(p.site).text(),
                    .work = p.busy_s * own * on_core,
                    .lock = lock_in(m.of, p, held_on_core(m)),
                    .dynamic = loop != nullptr || is_even,
                    .chunks = chunks,
                    .limit = members < recorded_on_ ? static_cast<int>(members) : 0}));
  }
  if (is_unknown)
    doubts_.emplace_back(
        "of loops and singles on one thread it is not seen who would do what: they count as even; "
        "give a profile of two workers");
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
  const double on_core = part_on_core(m);
  parts_.push_back(std::make_unique<tasks_part>("OpenMP tasks", work * on_core, chain * on_core));
}

namespace {

/// The kind that takes most of the time among forks, threads and group tasks that are so short that
/// the machine's part in one counts; null where all of these together take little.
const report::task_kind* too_short_to_tell(const report::measures& m) {
  constexpr double shortest_fork = 12e-9;
  constexpr double shortest_task = 200e-9;
  constexpr double worth_saying = 0.2;  // of the work
  const report::task_kind* most = nullptr;
  double work = 0;
  for (const report::task_kind& t : m.of.tasks) {
    const double shortest = t.kind == "fork" ? shortest_fork : shortest_task;
    if (t.kind == "task" || t.count == 0 || t.work_s > t.count * shortest) continue;
    work += t.work_s;
    if (most == nullptr || t.work_s > most->work_s) most = &t;
  }
  return work < worth_saying * m.of.critical.work_s ? nullptr : most;
}

}  // namespace

double model::add_tree(const report::measures& m, const target& t) {
  std::optional<simulate::graph> g = graph_of_forks(m.of.forks);
  if (!g) return 0;
  if (const report::task_kind* const most = too_short_to_tell(m))
    doubts_.push_back(
        report::say("%s%s takes about %s: what so short ones cost on more workers depends on "
                    "the caches, and is not predicted",
                    most->kind == "fork"     ? "a side of a fork"
                    : most->kind == "thread" ? "a thread"
                                             : "a task",
                    report::at_place(m.where.of_site(most->site)).c_str(),
                    report::duration(most->work_s / most->count).c_str()));
  const double span = g->longest_path() * 1e-9;
  const double work = g->total_work() * 1e-9;
  // Threads and futures that nobody measured waits for stand in a row in the tree; the path knows
  // better.
  const bool is_in_a_row = span > 0.5 * work && m.span() < 0.5 * span;
  if (is_in_a_row) {
    parts_.push_back(std::make_unique<tasks_part>("tasks", work, m.span()));
    return work;
  }
  parts_.push_back(std::make_unique<tree_part>(*std::move(g), span, t.machine, t.costs));
  return work;
}

times model::of_parts(int workers) const {
  times all;
  for (const auto& p : parts_) all += p->on(workers);
  return all;
}

std::string model::largest_part(int workers) const {
  std::string name = "start and end";
  double most = rest_;
  for (const auto& p : parts_) {
    const double seconds = p->on(workers).expected;
    if (seconds <= most) continue;
    most = seconds;
    name = p->name();
  }
  return name;
}

times model::on(int workers) const {
  times t = of_parts(workers);
  t.expected += rest_;
  t.most += rest_;
  return t;
}

}  // namespace kasuri::predict
