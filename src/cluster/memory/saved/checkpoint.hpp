// SPDX-License-Identifier: Apache-2.0
#pragma once

// Collective: see kasuri/global/files/. Each begins with a meeting in which, as at the begin of a
// run, all see what any of them has written before; loading ends with another one.

#include <cstdint>
#include <span>
#include <string>

#include "cluster/memory/memory.hpp"
#include "kasuri/global/detail/saved_part.hpp"

namespace kasuri::cluster {

void save_checkpoint(memory& m, const std::string& path,
                     std::span<const global::detail::saved_part> parts);

/// False: there is no such file.
bool load_checkpoint(memory& m, const std::string& path,
                     std::span<const global::detail::saved_part> parts);

/// The bytes of a range as a file, without anything around them.
void write_range(memory& m, const std::string& path, std::uint64_t offset, std::uint64_t bytes);

}  // namespace kasuri::cluster
