// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the calls that save and load have in common about what they are given.

#include <cstdint>
#include <span>
#include <string>

#include "cluster/memory/memory.hpp"
#include "cluster/transport/collective_call.hpp"
#include "kasuri/global/detail/saved_part.hpp"

namespace kasuri::cluster {

/// Of a path and what is written there, to be compared with that of other ranks: the bytes of all
/// parts, and a number that other paths, names and places have not.
collective_call call_for(collective_call::kind what, const std::string& path,
                         std::span<const global::detail::saved_part> parts);

/// Throws global::error where names are unfit, or an array is in no allocation, or cannot be had
/// for the purpose.
void expect_fit(memory& m, const std::string& call, const std::string& path,
                std::span<const global::detail::saved_part> parts, access mode);

/// The region that an array of at least one byte lies in.
const region& region_of(memory& m, const global::detail::saved_part& array, access mode);

}  // namespace kasuri::cluster
