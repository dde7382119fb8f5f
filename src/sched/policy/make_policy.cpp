// SPDX-License-Identifier: Apache-2.0
#include "sched/policy/make_policy.hpp"

namespace kasuri::sched {

std::unique_ptr<policy> make_policy(std::string_view name, bool crowded) {
  if (name == "near") return make_near();
  if (name == "random") return make_random();
  if (name == "adws") return make_adws(crowded);
  return nullptr;
}

}  // namespace kasuri::sched
