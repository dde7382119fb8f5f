/* SPDX-License-Identifier: Apache-2.0 */
/* Threads at places, with hints, and a steal function, in C. */
#include <kasuri/kasuri.h>

#include <stdio.h>

// threads:
static void* square(void* arg) {
  long* value = arg;
  *value *= *value;
  return value;
}

static int start(kasuri_thread_t* thread, long* value) {
  kasuri_thread_options_t options = {0};
  options.place = kasuri_near(value);
  options.hint = value;
  options.hint_bytes = sizeof *value;
  return kasuri_thread_create_with(thread, square, value, &options);
}
// end

// steal:
static int large_enough(const void* hint, ptrdiff_t bytes, void* least) {
  return bytes != sizeof(long) || *(const long*)hint >= *(long*)least;
}

static int from_anyone(kasuri_steal_round_t* round, void* least) {
  const int workers = kasuri_steal_workers(round);
  const int victim = (int)(kasuri_steal_random(round) % (unsigned)workers);
  return kasuri_steal_take(round, victim, large_enough, least);
}
// end

int main(void) {
  static long values[100], least = 10, sum = 0;
  kasuri_thread_t threads[100];
  if (kasuri_set_steal_function(from_anyone, &least) != KASURI_SUCCESS) return 1;
  for (long i = 0; i != 100; ++i) {
    values[i] = i;
    if (start(&threads[i], &values[i]) != KASURI_SUCCESS) return 1;
  }
  for (int i = 0; i != 100; ++i) {
    if (kasuri_thread_join(threads[i], NULL) != KASURI_SUCCESS) return 1;
    sum += values[i];
  }
  printf("sum of the squares: %ld\n", sum);
  return sum == 328350 ? 0 : 1;
}
