// SPDX-License-Identifier: Apache-2.0
#pragma once

// The machines of the papers, as hwloc's synthetic descriptions.

#include <cstdlib>

#include "platform/cpu/topology.hpp"

namespace kasuri::test {

/// Two Xeon E5-2699 v3, each as two clusters.
inline constexpr const char* xeon =
    "Package:2 L3Cache:2(size=23592960) [NUMANode(memory=16GiB)] L2Cache:9(size=256KiB) "
    "L1dCache:1(size=32KiB) Core:1 PU:1";
/// Four Opteron 6172 of two dies each.
inline constexpr const char* opteron =
    "Package:4 L3Cache:2(size=5118KiB) [NUMANode(memory=16GiB)] L2Cache:6(size=512KiB) "
    "L1dCache:1(size=64KiB) Core:1 PU:1";
/// Xeon Phi 7120.
inline constexpr const char* phi =
    "Package:1 [NUMANode(memory=16GiB)] L2Cache:61(size=512KiB) L1dCache:1(size=32KiB) Core:1 PU:4";
/// A64FX.
inline constexpr const char* a64fx =
    "Package:1 L2Cache:4(size=8MiB) [NUMANode(memory=8GiB)] L1dCache:12(size=64KiB) Core:1 PU:1";

/// The machine of a description.
inline platform::topology machine_of(const char* synthetic) {
  ::setenv("HWLOC_SYNTHETIC", synthetic, 1);
  platform::topology read = platform::read_topology();
  ::unsetenv("HWLOC_SYNTHETIC");
  return read;
}

}  // namespace kasuri::test
