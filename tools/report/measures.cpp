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
  workers_ = std::max(p.workers, 1);
  capacity = workers_ * p.seconds;
  add_accounts();
}

// What the accounts say is cut to workers times seconds: with more threads than workers they add up
// to more, and what sleeps or waits is what there is too much of.
void measures::add_accounts() {
  double off_core = 0;
  double run_delay = 0;
  double waiting = 0;
  for (const account& a : of.accounts) {
    work += a.work_s;
    runtime += a.overhead_s;
    blocked += a.blocked_s;
    waiting += a.waiting_s;
    off_core += a.off_core_s;
  }
  for (const os_thread& t : of.threads)
    if (t.name != "kasuri-profile") run_delay += t.run_delay_s;
  if (work + off_core > 0) on_core = work / (work + off_core);
  const double in_time = product_sum(of.series.serial, of.series.seconds);
  too_much = std::max(0.0, work + runtime + in_time - capacity);
  double left = capacity;
  work = take(work, left);
  runtime = take(runtime, left);
  serial = take(in_time, left);
  // Threads that were ready and did not run: behind other programs, or behind each other.
  const double ready = std::min(off_core, run_delay);
  others = take(std::min(ready, of.machine.others_s + of.machine.stolen_s), left);
  crowded = take(ready - others, left);
  blocked = take(blocked + off_core - ready, left);
  divide_idle_time(left);
}

void measures::divide_idle_time(double left) {
  double locks = 0;
  double barriers = 0;
  for (const lock& l : of.locks) locks += l.wait_s;
  for (const phase& p : of.phases) barriers += p.wait_s;
  lock_wait = take(locks, left);
  barrier_wait = take(barriers, left);
  delay = take(product_sum(of.series.ready, of.series.seconds), left);
  asleep = take(workers_ * product_sum(of.series.asleep, of.series.seconds), left);
  // A sleeper that is called for has no work until it has come. The series looks too seldom for
  // that.
  constexpr double way_of_a_sleeper_s = 30e-6;
  double wakes = 0;
  for (const account& a : of.accounts) wakes += a.wakes;
  delay += take(std::max(0.0, wakes * way_of_a_sleeper_s - delay), left);
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
  if (on_one != nullptr && of.seconds > 0) return on_one->seconds / of.seconds;
  return of.seconds > 0 ? all_work() / of.seconds : 0;
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
  if (part(others) > 0.05) {
    std::snprintf(text, sizeof text, "other programs had the processor for %.0f %% of the time",
                  100 * part(others));
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
