// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.h>

#include <stdint.h>
#include <stdio.h>

/* A thread for every call: they are cheap enough, and one that never waits needs no stack. */
static void* fib(void* argument) {
  const intptr_t n = (intptr_t)argument;
  kasuri_thread_t child;
  void* other = NULL;
  if (n < 2) return argument;
  if (kasuri_thread_create(&child, fib, (void*)(n - 1), KASURI_CHILD_FIRST) != KASURI_SUCCESS) {
    return (void*)-1;
  }
  const intptr_t own = (intptr_t)fib((void*)(n - 2));
  if (kasuri_thread_join(child, &other) != KASURI_SUCCESS) return (void*)-1;
  return (void*)(own + (intptr_t)other);
}

int main(void) {
  const intptr_t result = (intptr_t)fib((void*)(intptr_t)20);
  printf("fib(20) = %ld\n", (long)result);
  return result == 6765 ? 0 : 1;
}
