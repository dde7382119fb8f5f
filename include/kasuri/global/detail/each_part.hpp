// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>

#include "kasuri/global/algorithm/policy.hpp"
#include "kasuri/global/ptr.hpp"
#include "kasuri/global/tasks/at_home.hpp"

namespace kasuri::global::detail {

/// Calls f(part) for each part of a container that has one at each rank, side by side, each at its
/// home. By a task of a run.
/// @param begin  of the first part, a global address
/// @param bytes  of a part
template <class F>
void each_part(std::uint64_t begin, std::uint64_t bytes, std::size_t parts, F f) {
  each_leaf(0, parts, 1, [=](std::size_t part, std::size_t) {
    at_home(ptr<std::uint64_t>::at(begin + part * bytes), [=] { f(part); });
  });
}

}  // namespace kasuri::global::detail
