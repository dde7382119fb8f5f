/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled as C11: that the header is C, and that its static initialisers are. */
#pragma once

#include <kasuri/kasuri.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What several threads work on, statically initialised. */
struct c_account {
  kasuri_mutex_t mutex;
  kasuri_cond_t changed;
  long value;
  int waiting;
};

extern struct c_account c_static_account;

/** Adds 1 `turns` times under the mutex. Returns the first error. */
int c_add(struct c_account* account, int turns);

/** Waits until the value is `value`. Returns the first error. */
int c_wait_for(struct c_account* account, long value);

/** Waits with a time, for what does not come. Returns 0, or the line of the first call that did not
 *  return what it should. */
int c_times(void);

/** Calls every function with what it must refuse. Returns 0, or the line of the first that did
 *  not. */
int c_misuse(void);

#ifdef __cplusplus
}
#endif
