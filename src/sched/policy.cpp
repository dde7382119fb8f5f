// SPDX-License-Identifier: Apache-2.0
#include "sched/policy.hpp"

#include "sched/pool.hpp"
#include "sched/search_rules.hpp"
#include "sched/worker.hpp"

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
    // Those without a place in the thief's tree: guests, spares; all of them for such a thief.
    look last = l;
    const auto n = static_cast<std::size_t>(all.workers());
    for (std::size_t i = thief.next_random() % n, left = n; left != 0; --left, i = (i + 1) % n) {
      worker* victim = all.at(static_cast<int>(i));
      if (victim == nullptr || victim == &thief) continue;
      if (thief.cell >= 0 && victim->cell >= 0) continue;
      const look other = take_from(thief, *victim);
      last.saw_work |= other.saw_work;
      if (other.found == nullptr) continue;
      last.found = other.found;
      break;
    }
    return last;
  }
};

}  // namespace

std::unique_ptr<policy> make_policy(std::string_view name) {
  if (name == "near") return std::make_unique<near_policy>();
  if (name == "random") return std::make_unique<random_policy>();
  if (name == "adws") return make_adws();
  return nullptr;
}

}  // namespace kasuri::sched
