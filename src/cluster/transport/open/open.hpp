// SPDX-License-Identifier: Apache-2.0
#pragma once

// The network of this process: which there is, says the environment.

#include <memory>

namespace kasuri::cluster {

class transport;

/// The transport of this process, ready and tested: a rank's of a job that `kasuri run --cluster`
/// or an mpiexec started, else that of a job of one. Collective over the job; its destructor is
/// collective, too, and a process that ends without it has died. Divides the CPUs of a host among
/// its ranks, as the default of KASURI_NUM_WORKERS. Ends the process with a line on settings that
/// cannot be met, on ranks that run different programs, and on a network that fails its test.
std::unique_ptr<transport> open_transport();

}  // namespace kasuri::cluster
