// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.h>

#include <stdio.h>
#include <string.h>

static void* twice(void* number) {
  *(int*)number *= 2;
  return number;
}

int main(void) {
  int number = 21;
  void* result = NULL;
  kasuri_thread_t thread;
  int status = kasuri_thread_create(&thread, twice, &number, KASURI_CHILD_FIRST);
  if (status == KASURI_SUCCESS) status = kasuri_thread_join(thread, &result);
  if (status != KASURI_SUCCESS) {
    fprintf(stderr, "kasuri: %s\n", kasuri_strerror(status));
    return 1;
  }
  return result == &number && number == 42 && strlen(kasuri_strerror(status)) > 0 ? 0 : 1;
}
