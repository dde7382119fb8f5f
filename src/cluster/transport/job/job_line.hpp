// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ranks of a job may all fail for one reason: the first says it, and the job ends with one
// line. What ends a rank of kasuri run --cluster through platform::fatal() before it has joined its
// job is said so from the start of the process.

namespace kasuri::cluster {

struct job_control;

/// From now on what ends this process through platform::fatal() is said unless another rank that
/// has the same file has said why the job fails. `control` must live until another one or none is
/// named.
void say_failures_once(job_control* control);

}  // namespace kasuri::cluster
