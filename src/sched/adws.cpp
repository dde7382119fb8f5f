// SPDX-License-Identifier: Apache-2.0
// Almost deterministic work stealing (Shiina and Taura, SC '19; TPDS 33(12), 2022): the search.
//
// routing.cpp sends each side of a fork to where its interval begins, the same place in every sweep. Here
// the imbalance that is left is evened out nearby: a worker takes only from those that take part in
// the innermost fork that it takes part in itself, and of what was sent to them only what that fork or
// forks inside it sent. When the fork has joined, its parent's range applies.

#include "sched/policy.hpp"
#include "sched/pool.hpp"
#include "sched/search_rules.hpp"

namespace kasuri::sched {
namespace {

class adws_policy final : public policy {
 public:
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

  int depth_of(const worker& thief) const override {
    return thief.fork == nullptr ? 0 : thief.fork->depth;
  }

  bool routes() const override { return true; }
};

}  // namespace

std::unique_ptr<policy> make_adws() { return std::make_unique<adws_policy>(); }

}  // namespace kasuri::sched
