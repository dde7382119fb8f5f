// SPDX-License-Identifier: Apache-2.0
#pragma once

// To add a policy: a file here with its class (pool/policy.hpp is the interface, search_rules.hpp
// has rounds over victims) and its factory; a line below and one in make_policy.cpp; its name among
// the settings (platform/settings_table.cpp).

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
