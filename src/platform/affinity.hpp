// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where an OS thread may run.

#include <span>
#include <string>

namespace kasuri::platform {

/// Binds the calling thread to these CPUs of the kernel's numbering; false when refused.
bool bind_to_cpus(std::span<const int> cpus) noexcept;

/// The name of this machine.
std::string host_name();

}  // namespace kasuri::platform
