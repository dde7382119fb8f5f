// SPDX-License-Identifier: Apache-2.0
// What the tests ask of the stand-in for OpenBLAS.
#pragma once

struct stand_in {
  int served;  // it has a callback
  int errors;  // jobs with a number that is another's, its own threads', or out of range
  int warnings;
  int in_callback, own_calls;  // calls so far
  int most_running;            // jobs at once
  int threads;
};

/// A call of as many jobs as it uses threads. False: a job is missing.
int stand_in_call(void);
struct stand_in stand_in_look(void);
void stand_in_use(int threads);

/// In the child of a fork: the parent's jobs are not there.
void stand_in_forget_jobs(void);
