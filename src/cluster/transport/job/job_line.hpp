// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ranks of a job may all fail for one reason: the first says it, and the job ends with one
// line. A rank of kasuri run --cluster that platform::fatal() ends before it has joined its job
// says so in the same way, from the start of the process.

namespace kasuri::cluster {

struct job_control;

/// From now on what ends this process through platform::fatal() is said unless another rank that
/// has the same file has said why the job fails. `control` must live until another one or none is
/// named.
void say_failures_once(job_control* control);

}  // namespace kasuri::cluster
