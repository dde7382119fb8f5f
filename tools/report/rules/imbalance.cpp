// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {

namespace {

/// The loop that the runtime dealt out and that the phase, at that place, is; null: none is known.
const dealt_loop* loop_of(const measures& m, const phase& p, const place& at) {
  const auto found = std::ranges::find_if(m.of.loops, [&](const dealt_loop& l) {
    const place& its = m.where.of_site(l.site);
    return l.site == p.site || l.site == p.region ||
           (!at.file.empty() && its.file == at.file && its.line == at.line);
  });
  return found == m.of.loops.end() ? nullptr : &*found;
}

/// Whether its chunks are dealt out while it runs.
bool is_dealt(const dealt_loop* l) {
  return l != nullptr && (l->schedule.starts_with("dynamic") || l->schedule.starts_with("guided"));
}

/// A phase is known by the place of its loop, or, where that is not known, by that of its barrier.
std::string what_is(const phase& p, const dealt_loop* l) {
  if (p.kind == "region") return "region";
  if (p.kind != "loop") return "part of the region that ends";
  if (l == nullptr) return "loop that ends";
  return l->schedule == "sections" ? "sections" : "loop";
}

/// `always`: the same thread is the slowest nearly each time.
const char* advice_on(const measures& m, const phase& p, const dealt_loop* l, bool always) {
  // Tasks that the members ran meanwhile count as theirs.
  const bool of_tasks = p.kind != "loop" && std::ranges::any_of(m.of.tasks, [](const task_kind& t) {
                          return t.kind == "task" && t.count > 0;
                        });
  if (of_tasks) return "Create long tasks first, and divide those that run at the end.";
  if (is_dealt(l)) return "Its chunks are dealt out already: make them smaller.";
  return always ? "Use schedule(dynamic) or (guided), or parts of equal work."
                : "Use smaller parts: schedule(dynamic) with a smaller chunk.";
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
  const dealt_loop* const loop = loop_of(m, *most, f.where);
  f.sentence =
      say("In the %s%s %s works %.1f times as long as the mean, and the others "
          "wait for it: %s.",
          what_is(*most, loop).c_str(), at_place(f.where).c_str(), who.c_str(),
          most->max_s / most->mean_s, how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice = advice_on(m, *most, loop, always);
  return f;
}

}  // namespace kasuri::report
