// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stacks whose size somebody else says, each a mapping of its own with a guard page. Those of the
// pool (stack.hpp) have one size for the process.

#include <cstddef>

#include "context/stack.hpp"

namespace kasuri::context {

/// With at least so many usable bytes; null when the system has no memory for it. Thread-safe.
[[nodiscard]] stack* make_stack(std::size_t bytes) noexcept;

/// Gives its memory back. Nobody stands on it.
void end_stack(stack* s) noexcept;

}  // namespace kasuri::context
