// SPDX-License-Identifier: Apache-2.0
#include "report/measures.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <tuple>

namespace kasuri::report {
namespace {

double product_sum(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(),
                            a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())),
                            b.begin(), 0.0);
}

/// Takes up to `wanted` from what is left.
[[nodiscard]] double take(double wanted, double& left) {
  const double taken = std::clamp(wanted, 0.0, std::max(left, 0.0));
  left -= taken;
  return taken;
}

void by_processor_time(std::vector<hot_place>& all) {
  std::ranges::sort(all, std::greater{}, &hot_place::processor_s);
}

}  // namespace

measures::measures(const profile& p, const profile* one, const places& w)
    : of(p), on_one(one), where(w) {
  // Of a program that was killed before it came to its tasks: it would have got so many.
  workers_ = std::max(p.workers == 0 && !p.last ? p.machine.usable_cpus : p.workers, 1);
  capacity = workers_ * p.seconds;
  add_accounts();
}

measures::run_delays measures::find_run_delays() const {
  run_delays d;
  for (const os_thread& t : of.threads) {
    if (t.name == "kasuri-profile") continue;
    double off_core = 0;
    for (const account& a : of.accounts)
      if (a.tid == t.tid) off_core += a.off_core_s;
    d.in_tasks += std::min(off_core, t.run_delay_s);
    const double elsewhere = std::max(0.0, t.run_delay_s - off_core);
    if (!t.name.starts_with("kasuri-"))
      d.outside = std::max(d.outside, elsewhere);
    else if (std::ranges::find(of.accounts, t.tid, &account::tid) != of.accounts.end())
      d.idle += elsewhere;
  }
  return d;
}

// What the accounts say is cut to workers times seconds: with more threads than workers they add up
// to more, and what sleeps or waits is what there is too much of.
void measures::add_accounts() {
  double off_core = 0;
  double waiting = 0;
  for (const account& a : of.accounts) {
    work += a.work_s;
    runtime += a.overhead_s;
    blocked += a.blocked_s;
    waiting += a.waiting_s;
    off_core += a.off_core_s;
  }
  if (work + off_core > 0) on_core = work / (work + off_core);
  const double in_time = product_sum(of.series.serial, of.series.seconds);
  too_much = std::max(0.0, work + runtime + in_time - capacity);
  double left = capacity;
  work = take(work, left);
  runtime = take(runtime, left);
  serial = take(in_time, left);
  // Threads that were ready and did not run: behind other programs, or behind each other.
  const run_delays ready = find_run_delays();
  const double most_of_others = of.machine.others_s + of.machine.stolen_s;
  others = take(std::min(ready.in_tasks, most_of_others), left);
  crowded = take(ready.in_tasks - others, left);
  unannounced = std::max(0.0, off_core - ready.in_tasks);
  blocked = take(blocked + unannounced, left);
  // All wait where the only thread does that has something to do.
  const double alone = std::min({ready.outside, serial, most_of_others});
  serial -= alone;
  left += alone;
  others += take(alone * workers_, left);
  divide_idle_time(left, std::min(ready.idle, most_of_others));
}

void measures::divide_idle_time(double left, double behind_others) {
  double locks = 0;
  double barriers = 0;
  for (const lock& l : of.locks) locks += l.wait_s;
  for (const phase& p : of.phases) barriers += p.wait_s;
  lock_wait = take(locks, left);
  barrier_wait = take(barriers, left);
  // The series looks too seldom to see each sleeper that is called for and on its way.
  double late = 0;
  double wakes = 0;
  for (const account& a : of.accounts) {
    late += a.late_s;
    wakes += a.wakes;
  }
  late = std::max(late, product_sum(of.series.ready, of.series.seconds));
  const double not_ours =
      std::clamp(late - wakes * way_of_a_sleeper_s, 0.0, std::max(behind_others, 0.0));
  others += take(not_ours, left);
  delay = take(late - not_ours, left);
  asleep = take(workers_ * product_sum(of.series.asleep, of.series.seconds), left);
  no_work = left;
}

std::vector<share> measures::shares() const {
  return {{"work", work},
          {"serial work", serial},
          {"waiting for locks", lock_wait},
          {"waiting at barriers", barrier_wait},
          {"no work", no_work},
          {"program asleep", asleep},
          {"late", delay},
          {"runtime", runtime},
          {"asleep in the system", blocked},
          {"own threads share processors", crowded},
          {"other programs", others}};
}

double measures::speedup() const {
  if (seconds() <= 0) return 0;
  const double one = on_one == nullptr ? 0 : measures(*on_one, nullptr, where).seconds();
  return (one > 0 ? one : all_work()) / seconds();
}

double measures::times_slept() const {
  double times = 0;
  for (const account& a : of.accounts) times -= a.parks;
  for (const os_thread& t : of.threads)
    if (std::ranges::find(of.accounts, t.tid, &account::tid) != of.accounts.end())
      times += t.switches;
  return std::max(0.0, times);
}

std::vector<slept_place> measures::sleeps() const {
  std::map<std::pair<std::string, std::string>, slept_place> sums;
  for (const system_wait& w : of.waits) {
    if (!w.in_pool) continue;
    const place& at = where.at(w.caller);
    const std::string line = at.file.empty() ? at.module.substr(0, at.module.find('+')) : at.text();
    slept_place& sum = sums[{w.call, line}];
    sum.call = w.call;
    if (sum.seconds == 0) sum.where = at;
    sum.seconds += w.s;
  }
  std::vector<slept_place> all;
  double seen = 0;
  for (auto& [key, s] : sums) {
    seen += s.seconds;
    all.push_back(std::move(s));
  }
  // The looks say where, the accounts how long: a look takes who is on the way out of a short sleep
  // for awake.
  const double slept = std::min(unannounced, blocked);
  if (seen > 0 && seen < slept)
    for (slept_place& s : all) s.seconds *= slept / seen;
  std::ranges::sort(all, std::greater{}, &slept_place::seconds);
  return all;
}

std::vector<hot_place> measures::hot(bool in_constructs) const {
  using key = std::tuple<std::string, int, std::string, std::string>;
  std::map<key, hot_place> sums;
  for (const sample& s : of.samples) {
    if ((s.site != 0 || s.in_pool) != in_constructs) continue;
    const place& at = where.at(s.pc);
    hot_place& sum = sums[{at.file, at.line, at.function, at.module}];
    sum.where = at;
    sum.processor_s += s.processor_s - s.waited_s;
    sum.alone_s += s.alone_s;
    sum.blamed_s += s.blamed_s;
  }
  std::vector<hot_place> all;
  for (auto& [k, h] : sums) all.push_back(std::move(h));
  by_processor_time(all);
  return all;
}

std::vector<hot_place> measures::hot_functions(bool in_constructs) const {
  std::vector<hot_place> all;
  for (const hot_place& h : hot(in_constructs)) {
    const auto same = std::ranges::find_if(all, [&](const hot_place& k) {
      return k.where.function == h.where.function && k.where.file == h.where.file &&
             k.where.module == h.where.module;
    });
    if (same == all.end()) {
      all.push_back(h);
      continue;
    }
    same->processor_s += h.processor_s;
    same->alone_s += h.alone_s;
    same->blamed_s += h.blamed_s;
  }
  by_processor_time(all);
  return all;
}

std::vector<std::string> measures::doubts() const {
  std::vector<std::string> why;
  char text[200];
  if (part_of_others() > 0.05) {
    std::snprintf(text, sizeof text, "other programs had the processor for %.0f %% of the time",
                  100 * part_of_others());
    why.emplace_back(text);
  }
  if (!of.last)
    why.emplace_back("the program did not come to its end; this is what was known before");
  if (part(too_much) > 0.01) {
    std::snprintf(text, sizeof text,
                  "what the workers ran adds up to %.0f %% more than the time that they had",
                  100 * part(too_much));
    why.emplace_back(text);
  }
  if (of.watcher_s > 0.05 * of.seconds) {
    std::snprintf(text, sizeof text, "the recording took %.0f %% of a processor",
                  100 * of.watcher_s / of.seconds);
    why.emplace_back(text);
  }
  return why;
}

}  // namespace kasuri::report
