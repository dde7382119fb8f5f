// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/memory/base/byte_set.hpp"
#include "cluster/memory/base/requests.hpp"
#include "cluster/memory/base/transfers.hpp"
#include "cluster/memory/cache/site.hpp"

namespace kasuri::cluster {

/// Begins to bring home the dirty bytes of a locked block, but for `left` (null: all of them), and
/// adds them to `told`.
void put_dirty(const cache_site& at, std::uint64_t index, const byte_set* left,
               transfers& under_way, std::vector<global_range>& told);

}  // namespace kasuri::cluster
