// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {
namespace {

constexpr double worth_saying = 0.05;

/// What the run is shorter by when nobody waits for the lock, which took `lost` seconds of the
/// workers. To suspend, to fall asleep and to wake others takes time too, which a run on one worker
/// does not spend.
double gain_without(const measures& m, double lost, const place& where) {
  const double longer = stretch_in_file(m, where);
  return m.gain_of((lost + longer) / m.workers(), longer);
}

std::optional<finding> own_lock(const measures& m) {
  const auto most = std::ranges::max_element(m.of.locks, {}, &lock::wait_s);
  if (most == m.of.locks.end()) return {};
  // Tasks that wait have left their workers, which may have had others to run.
  const double lost = std::min(most->wait_s, m.lock_wait);
  if (m.part(lost) < worth_saying) return {};
  finding f{.rule = "lock",
            .where = m.where.of_site(most->holder != 0 ? most->holder : most->site)};
  f.gain_s = gain_without(m, lost, f.where);
  f.sentence =
      say("The lock taken%s is held for %.0f %% of the time, and others wait for it for %s "
          "in all: %s.",
          at_place(f.where).c_str(), 100 * std::min(1.0, most->held_s / m.seconds()),
          duration(most->wait_s).c_str(), how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice = "Hold it for less, use several, or sum up by thread (a reduction).";
  return f;
}

/// A mutex of the C or C++ library: its waiters sleep in the kernel.
std::optional<finding> system_lock(const measures& m) {
  const auto sleeps = m.sleeps();
  const auto most = std::ranges::find(sleeps, "futex()", &slept_place::call);
  if (most == sleeps.end() || m.part(most->seconds) < worth_saying) return {};
  finding f{.rule = "lock", .where = most->where};
  f.gain_s = gain_without(m, most->seconds, f.where);
  f.sentence = say("Tasks sleep for %s in all for a mutex or condition of the system%s: %s.",
                   duration(most->seconds).c_str(), at_place(f.where).c_str(),
                   how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice =
      "Hold it for less or use several; kasuri::mutex lets the worker run other tasks "
      "meanwhile.";
  return f;
}

}  // namespace

std::optional<finding> lock_rule(const measures& m) {
  if (m.workers() < 2) return {};
  std::optional<finding> own = own_lock(m);
  std::optional<finding> of_system = system_lock(m);
  if (!own || (of_system && of_system->gain_s > own->gain_s)) return of_system;
  return own;
}

}  // namespace kasuri::report
