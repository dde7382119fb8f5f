// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where an OS thread may run, and where memory lies.

#include <cstddef>
#include <span>
#include <string>

namespace kasuri::platform {

/// Binds the calling thread to these CPUs of the kernel's numbering; false when refused.
bool bind_to_cpus(std::span<const int> cpus) noexcept;

/// The name of this machine.
std::string host_name();

/// How pages are spread over the NUMA nodes that the process may use.
enum class page_placement {
  environment,  // as the process' policy has it: in general by who touches them first
  nearest,      // near the calling thread
  blocked,      // one consecutive part to each node
  interleaved,  // page by page in turns
};

/// Pages of their own, zeroed; null when there are none. A placement that the kernel refuses or that
/// means nothing here (one node) is left to the environment. `pinned`: kept in memory; null when the
/// system lets this process pin no more.
void* map_pages(std::size_t bytes, page_placement placement, bool pinned) noexcept;
void unmap_pages(void* pages, std::size_t bytes) noexcept;

}  // namespace kasuri::platform
