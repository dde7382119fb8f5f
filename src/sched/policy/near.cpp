// SPDX-License-Identifier: Apache-2.0
#include "sched/policy/make_policy.hpp"
#include "sched/pool/policy.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/steal.hpp"
#include "sched/rules/search_rules.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {
namespace {

/// Along the machine tree: first the workers that share most with the thief.
class near_policy final : public policy {
 public:
  look steal_near(worker& thief, pool& all) override {
    return rules::from_levels(thief, all, 0, thief.levels_of_node);
  }

  look steal_far(worker& thief, pool& all) override {
    const look l = rules::from_levels(thief, all, thief.levels_of_node, thief.victims.size());
    if (l.found != nullptr) return l;
    const look other = rules::from_unplaced(thief, all);
    return {other.found, l.saw_work || other.saw_work};
  }
};

}  // namespace

std::unique_ptr<policy> make_near() { return std::make_unique<near_policy>(); }

}  // namespace kasuri::sched
