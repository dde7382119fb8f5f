/* SPDX-License-Identifier: Apache-2.0 */
#include "c_sync.h"

#include <string.h>

struct c_account c_static_account = {KASURI_MUTEX_INITIALIZER, KASURI_COND_INITIALIZER, 0, 0};

int c_add(struct c_account* account, int turns) {
  int error = KASURI_SUCCESS;
  for (int i = 0; i != turns && error == KASURI_SUCCESS; ++i) {
    error = kasuri_mutex_lock(&account->mutex);
    if (error != KASURI_SUCCESS) return error;
    ++account->value;
    error = kasuri_cond_broadcast(&account->changed);
    if (error == KASURI_SUCCESS) error = kasuri_mutex_unlock(&account->mutex);
  }
  return error;
}

int c_wait_for(struct c_account* account, long value) {
  int error = kasuri_mutex_lock(&account->mutex);
  if (error != KASURI_SUCCESS) return error;
  while (account->value < value && error == KASURI_SUCCESS)
    error = kasuri_cond_wait(&account->changed, &account->mutex);
  if (error != KASURI_SUCCESS) return error;
  return kasuri_mutex_unlock(&account->mutex);
}

/* Leaves the function with the line of a call that did not return what it should. */
#define EXPECT(code, call)                 \
  do {                                     \
    if ((call) != (code)) return __LINE__; \
  } while (0)

static int misuse_of_mutex_and_cond(void) {
  kasuri_mutex_t m = KASURI_MUTEX_INITIALIZER;
  kasuri_cond_t c;
  EXPECT(KASURI_SUCCESS, kasuri_cond_init(&c));
  EXPECT(KASURI_ERROR_INVALID, kasuri_mutex_init(NULL));
  EXPECT(KASURI_ERROR_INVALID, kasuri_mutex_destroy(NULL));
  EXPECT(KASURI_ERROR_INVALID, kasuri_mutex_lock(NULL));
  EXPECT(KASURI_ERROR_INVALID, kasuri_mutex_try_lock(NULL));
  EXPECT(KASURI_ERROR_INVALID, kasuri_mutex_unlock(NULL));
  EXPECT(KASURI_ERROR_PERMISSION, kasuri_mutex_unlock(&m));
  EXPECT(KASURI_ERROR_PERMISSION, kasuri_cond_wait(&c, &m));
  EXPECT(KASURI_SUCCESS, kasuri_mutex_lock(&m));
  EXPECT(KASURI_ERROR_BUSY, kasuri_mutex_try_lock(&m));
  EXPECT(KASURI_ERROR_BUSY, kasuri_mutex_destroy(&m));
  EXPECT(KASURI_SUCCESS, kasuri_mutex_unlock(&m));
  EXPECT(KASURI_SUCCESS, kasuri_mutex_destroy(&m));
  EXPECT(KASURI_ERROR_INVALID, kasuri_cond_init(NULL));
  EXPECT(KASURI_ERROR_INVALID, kasuri_cond_wait(NULL, &m));
  EXPECT(KASURI_ERROR_INVALID, kasuri_cond_wait(&c, NULL));
  EXPECT(KASURI_ERROR_INVALID, kasuri_cond_signal(NULL));
  EXPECT(KASURI_ERROR_INVALID, kasuri_cond_broadcast(NULL));
  EXPECT(KASURI_SUCCESS, kasuri_cond_destroy(&c));
  return 0;
}

int c_times(void) {
  kasuri_mutex_t m = KASURI_MUTEX_INITIALIZER;
  kasuri_cond_t c = KASURI_COND_INITIALIZER;
  kasuri_sem_t s;
  EXPECT(KASURI_SUCCESS, kasuri_sleep_ns(0));
  EXPECT(KASURI_SUCCESS, kasuri_sleep_ns(1000));
  EXPECT(KASURI_SUCCESS, kasuri_mutex_try_lock_for(&m, UINT64_MAX));
  EXPECT(KASURI_ERROR_TIMEOUT, kasuri_mutex_try_lock_for(&m, 1000));
  EXPECT(KASURI_ERROR_TIMEOUT, kasuri_cond_wait_for(&c, &m, 0));
  EXPECT(KASURI_ERROR_TIMEOUT, kasuri_cond_wait_for(&c, &m, 1000));
  EXPECT(KASURI_SUCCESS, kasuri_mutex_unlock(&m));
  EXPECT(KASURI_ERROR_PERMISSION, kasuri_cond_wait_for(&c, &m, 1000));
  EXPECT(KASURI_SUCCESS, kasuri_sem_init(&s, 1));
  EXPECT(KASURI_SUCCESS, kasuri_sem_try_acquire_for(&s, 0));
  EXPECT(KASURI_ERROR_TIMEOUT, kasuri_sem_try_acquire_for(&s, 1000));
  EXPECT(KASURI_ERROR_INVALID, kasuri_mutex_try_lock_for(NULL, 1));
  EXPECT(KASURI_ERROR_INVALID, kasuri_cond_wait_for(NULL, &m, 1));
  EXPECT(KASURI_ERROR_INVALID, kasuri_cond_wait_for(&c, NULL, 1));
  EXPECT(KASURI_ERROR_INVALID, kasuri_sem_try_acquire_for(NULL, 1));
  return 0;
}

static int misuse_of_counters(void) {
  kasuri_sem_t s;
  kasuri_barrier_t b;
  kasuri_latch_t l;
  int last = 7;
  EXPECT(KASURI_ERROR_INVALID, kasuri_sem_init(NULL, 1));
  EXPECT(KASURI_SUCCESS, kasuri_sem_init(&s, UINT32_MAX));
  EXPECT(KASURI_ERROR_RANGE, kasuri_sem_release(&s, 1));
  EXPECT(KASURI_SUCCESS, kasuri_sem_init(&s, 1));
  EXPECT(KASURI_SUCCESS, kasuri_sem_acquire(&s));
  EXPECT(KASURI_ERROR_AGAIN, kasuri_sem_try_acquire(&s));
  EXPECT(KASURI_SUCCESS, kasuri_sem_release(&s, 1));
  EXPECT(KASURI_SUCCESS, kasuri_sem_try_acquire(&s));
  EXPECT(KASURI_ERROR_INVALID, kasuri_sem_acquire(NULL));
  EXPECT(KASURI_SUCCESS, kasuri_sem_destroy(&s));
  EXPECT(KASURI_ERROR_INVALID, kasuri_barrier_init(&b, 0));
  EXPECT(KASURI_ERROR_INVALID, kasuri_barrier_init(NULL, 1));
  EXPECT(KASURI_SUCCESS, kasuri_barrier_init(&b, 1));
  EXPECT(KASURI_SUCCESS, kasuri_barrier_wait(&b, &last));
  EXPECT(1, last);
  EXPECT(KASURI_SUCCESS, kasuri_barrier_wait(&b, NULL));
  EXPECT(KASURI_ERROR_INVALID, kasuri_barrier_wait(NULL, &last));
  EXPECT(KASURI_SUCCESS, kasuri_barrier_destroy(&b));
  EXPECT(KASURI_ERROR_INVALID, kasuri_latch_init(NULL, 1));
  EXPECT(KASURI_SUCCESS, kasuri_latch_init(&l, 2));
  EXPECT(KASURI_ERROR_RANGE, kasuri_latch_count_down(&l, 3));
  EXPECT(KASURI_ERROR_AGAIN, kasuri_latch_try_wait(&l));
  EXPECT(KASURI_SUCCESS, kasuri_latch_count_down(&l, 2));
  EXPECT(KASURI_SUCCESS, kasuri_latch_try_wait(&l));
  EXPECT(KASURI_SUCCESS, kasuri_latch_wait(&l));
  EXPECT(KASURI_ERROR_INVALID, kasuri_latch_wait(NULL));
  EXPECT(KASURI_SUCCESS, kasuri_latch_destroy(&l));
  EXPECT(KASURI_ERROR_INVALID, kasuri_blocking(NULL, NULL, NULL));
  return 0;
}

static int words_for_errors(void) {
  for (int e = KASURI_SUCCESS; e <= KASURI_ERROR_TIMEOUT; ++e) {
    if (strcmp(kasuri_strerror(e), "unknown error") == 0) return __LINE__;
    for (int other = 0; other != e; ++other)
      if (strcmp(kasuri_strerror(e), kasuri_strerror(other)) == 0) return __LINE__;
  }
  EXPECT(0, strcmp(kasuri_strerror(-1), "unknown error"));
  EXPECT(0, strcmp(kasuri_strerror(KASURI_ERROR_TIMEOUT + 1), "unknown error"));
  return 0;
}

int c_misuse(void) {
  int line = misuse_of_mutex_and_cond();
  if (line == 0) line = misuse_of_counters();
  if (line == 0) line = words_for_errors();
  return line;
}
