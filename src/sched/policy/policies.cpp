// SPDX-License-Identifier: Apache-2.0
#include "sched/pool/policy.hpp"

#include "sched/policy/search_rules.hpp"
#include "sched/pool/pool.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {
namespace {

/// Any worker, all alike.
class random_policy final : public policy {
 public:
  look steal_near(worker& thief, pool& all) override {
    return rules::from_anyone(thief, all);
  }
};

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

std::unique_ptr<policy> make_policy(std::string_view name, bool crowded) {
  if (name == "near") return std::make_unique<near_policy>();
  if (name == "random") return std::make_unique<random_policy>();
  if (name == "adws") return make_adws(crowded);
  return nullptr;
}

}  // namespace kasuri::sched
