// SPDX-License-Identifier: Apache-2.0
#include "sched/policy/make_policy.hpp"
#include "sched/pool/policy.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/steal.hpp"
#include "sched/rules/search_rules.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {
namespace {

/// Any worker, all alike.
class random_policy final : public policy {
 public:
  look steal_near(worker& thief, pool& all) override { return rules::from_anyone(thief, all); }
};

}  // namespace

std::unique_ptr<policy> make_random() { return std::make_unique<random_policy>(); }

}  // namespace kasuri::sched
