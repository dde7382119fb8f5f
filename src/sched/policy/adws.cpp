// SPDX-License-Identifier: Apache-2.0
// Almost deterministic work stealing (Shiina and Taura, SC '19; TPDS 33(12), 2022): the search.
//
// routing.cpp sends each side of a fork to where its interval begins, the same place in every
// sweep. Here the imbalance that is left is evened out nearby: a worker takes only from those that
// take part in the innermost fork that it takes part in itself, and of what was sent to them only
// what that fork or forks inside it sent. When the fork has joined, its parent's range applies.

#include <algorithm>

#include "platform/base/clock.hpp"
#include "sched/policy/make_policy.hpp"
#include "sched/pool/policy.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/steal.hpp"
#include "sched/rules/search_rules.hpp"
#include "sched/worker/range.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {
namespace {

// How long an idle worker leaves to others what was sent to them or lies in their deques. On a
// machine with more threads than processors they are late, mostly, not overloaded: a worker that
// helps itself then has undone the placement, and of the next sweep's too, since the data have
// moved. So a worker waits, and gives its processor away meanwhile. The outcome of the wait teaches
// it: when work of its own came, it was right, and the next one is longer; when it stole in the
// end, there is imbalance, and the next one is shorter. With steals in every sweep it soon waits
// for next to nothing.
constexpr double most_delay_us = 1000;
// Where each worker has a processor others are late by a wake-up at most. More would hide
// imbalance: in short sweeps work of its own always comes before the wait is over, and seems to
// prove it right.
constexpr double most_on_own_processor_us = 50;
constexpr double least_delay_us = 1;
// A look can take longer than that, when the processor was given to other programs; so at least:
constexpr unsigned least_looks = 4;

class adws_policy final : public policy {
 public:
  explicit adws_policy(bool crowded)
      : most_delay_(platform::ticks_of_us(crowded ? most_delay_us : most_on_own_processor_us)) {}

  look steal_near(worker& thief, pool& all) override { return rules::from_range(thief, all); }

  bool may_take(const worker& thief, const worker& victim) const override {
    return rules::may_take_in_range(thief, victim);
  }

  bool may_open(const worker& thief, const worker& victim) const override {
    return rules::may_open_in_range(thief, victim);
  }

  bool wakes(const worker& sleeper, const worker& by) const override {
    return rules::wakes_in_range(sleeper, by);
  }

  int depth_of(const worker& thief) const override { return rules::least_depth(thief); }

  bool holds_back(const worker& thief, std::uint64_t idle_for, unsigned looks) const override {
    const std::uint64_t f = std::min(thief.steal_delay, most_delay_);
    return idle_for < f || (looks < least_looks && f > most_delay_ / 2);
  }

  void has_found(worker& thief, bool own) const override {
    const std::uint64_t now = std::min(thief.steal_delay, most_delay_);
    thief.steal_delay = own ? now + now / 2 + 1 : std::max(now / 2, least_delay_);
  }

  bool routes() const override { return true; }

 private:
  const std::uint64_t most_delay_;
  const std::uint64_t least_delay_ = platform::ticks_of_us(least_delay_us);
};

}  // namespace

std::unique_ptr<policy> make_adws(bool crowded) { return std::make_unique<adws_policy>(crowded); }

}  // namespace kasuri::sched
