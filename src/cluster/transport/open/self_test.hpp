// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kasuri::cluster {

class transport;

/// Collective: whether the network does what transport.hpp says, in a few milliseconds. Empty, or
/// the fault, the same text at all ranks.
std::string find_fault(transport& network);

}  // namespace kasuri::cluster
