// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "cluster/transport/collective_call.hpp"

namespace kasuri::cluster {

class transport;

/// Bytes that a rank may hand to the others when it announces a call.
inline constexpr std::size_t most_announced = 128;

/// Collective: the beginning of each collective call of the program. All ranks learn what each of
/// them calls, in one exchange whose size does not depend on it, so that ranks which are in
/// different calls meet here still; then the job ends with a line that names two of them and their
/// calls. Hands out everybody's `mine`, at most most_announced bytes, in the order of ranks.
/// @param call  its number is counted here
void meet(transport& network, collective_call call, std::span<const std::byte> mine = {},
          std::span<std::byte> all = {});

}  // namespace kasuri::cluster
