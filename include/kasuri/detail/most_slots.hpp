// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kasuri::detail {

/// More slots than any pool has: the most workers and spares that the settings accept.
inline constexpr int most_slots = 3072;

}  // namespace kasuri::detail
