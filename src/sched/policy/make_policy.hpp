// SPDX-License-Identifier: Apache-2.0
#pragma once

// The factories of the policies; make_policy.cpp finds one by its name among the settings.
// docs/contributing/policy.md says how to add one.

#include <memory>
#include <string_view>

#include "sched/pool/policy.hpp"

namespace kasuri::sched {

/// The policy of that name, or null. `crowded`: there are more workers than processors for them.
std::unique_ptr<policy> make_policy(std::string_view name, bool crowded);

std::unique_ptr<policy> make_near();
std::unique_ptr<policy> make_random();
std::unique_ptr<policy> make_adws(bool crowded);

}  // namespace kasuri::sched
