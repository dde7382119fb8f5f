// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

/// Collective: what went wrong at the first rank where something did, as that one says it with its
/// rank in front; empty where all of them say that nothing did.
std::string first_failure(transport& network, const std::string& mine);

/// What f() throws, in words; empty where it throws nothing.
std::string failure_of(const std::function<void()>& f);

/// Throws what failure_of() takes: "cannot VERB 'PATH': REASON", the reason that of errno.
[[noreturn]] void fail_by_system(const std::string& verb, const std::string& path);

}  // namespace kasuri::cluster
