/* SPDX-License-Identifier: Apache-2.0 */
/* An arena in C. */
#include <kasuri/kasuri.h>

#include <stdatomic.h>
#include <stdio.h>

static atomic_int decoded;
static atomic_int saved;

static void decode(void* page) { decoded += *(int*)page; }
static void save(void* page) { saved += *(int*)page; }

int main(void) {
  int pages[10];
  for (int i = 0; i != 10; ++i) pages[i] = i;
  // disk:
  kasuri_arena_t disk;
  int error = kasuri_arena_create(&disk, 1, KASURI_PRIORITY_LOW);
  if (error != KASURI_SUCCESS) {
    fprintf(stderr, "no arena: %s\n", kasuri_strerror(error));
    return 1;
  }
  for (int i = 0; i != 10; ++i) kasuri_arena_enqueue(disk, save, &pages[i]);
  kasuri_arena_execute(disk, decode, &pages[9]); /* one of them at a time, this one too */
  kasuri_arena_destroy(disk);                    /* waits for what was enqueued */
  // end
  return decoded == 9 && saved == 45 ? 0 : 1;
}
