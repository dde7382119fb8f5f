// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {

namespace {

/// Whether the loop at that place has its chunks dealt out while it runs.
bool is_dealt(const measures& m, const phase& p, const place& at) {
  return std::ranges::any_of(m.of.loops, [&](const dealt_loop& l) {
    const place& its = m.where.of_site(l.site);
    return (l.schedule.starts_with("dynamic") || l.schedule.starts_with("guided")) &&
           (l.site == p.site || l.site == p.region ||
            (!at.file.empty() && its.file == at.file && its.line == at.line));
  });
}

}  // namespace

std::optional<finding> imbalance_rule(const measures& m) {
  const auto lost = [](const phase& p) { return p.max_s - p.mean_s; };
  const auto most = std::ranges::max_element(m.of.phases, {}, lost);
  if (m.workers() < 2 || most == m.of.phases.end()) return {};
  if (lost(*most) < least_gain * m.seconds() || most->mean_s <= 0) return {};
  if (most->kind != "loop" && dependences_rule(m)) return {};  // it says why
  finding f{.rule = "imbalance", .where = m.where.of_site(most->site)};
  if (f.where.file.empty() && !m.where.of_site(most->region).file.empty())
    f.where = m.where.of_site(most->region);
  f.gain_s = m.gain_of(lost(*most));
  const double instances = std::accumulate(most->worst.begin(), most->worst.end(), 0.0);
  const auto worst = std::ranges::max_element(most->worst);
  const bool always = worst != most->worst.end() && *worst > 0.7 * instances;
  // One that waits for a processor now and then is late as well, by chance.
  if (!always && m.part_of_others() > 0.05) return {};
  const std::string who =
      always ? say("thread %td", worst - most->worst.begin()) : std::string("the slowest thread");
  // Tasks that the members ran meanwhile count as theirs.
  const bool of_tasks =
      most->kind != "loop" && std::ranges::any_of(m.of.tasks, [](const task_kind& t) {
        return t.kind == "task" && t.count > 0;
      });
  const char* const what = most->kind == "loop"     ? "loop that ends"
                           : most->kind == "region" ? "region"
                                                    : "part of the region that ends";
  f.sentence =
      say("In the %s%s %s works %.1f times as long as the mean, and the others "
          "wait for it: %s.",
          what, at_place(f.where).c_str(), who.c_str(), most->max_s / most->mean_s,
          how_much_faster(m.seconds(), f.gain_s).c_str());
  if (of_tasks)
    f.advice = "Create long tasks first, and divide those that run at the end.";
  else if (is_dealt(m, *most, f.where))
    f.advice = "Its chunks are dealt out already: make them smaller.";
  else
    f.advice = always ? "Use schedule(dynamic) or (guided), or parts of equal work."
                      : "Use smaller parts: schedule(dynamic) with a smaller chunk.";
  return f;
}

}  // namespace kasuri::report
