// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/base/carried.hpp"
#include "cluster/transport/collective_call.hpp"

namespace kasuri::cluster {

class transport;

/// Collective: the beginning of each collective call of the program. Ranks that are in different
/// calls meet here still; then the job ends with a line that names two of them and their calls.
/// @param call  its number is counted here
/// @param load  goes along, if it is the same call everywhere; may be null, at all ranks
void meet(transport& network, collective_call call, carried* load = nullptr);

}  // namespace kasuri::cluster
