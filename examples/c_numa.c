/* SPDX-License-Identifier: Apache-2.0 */
#include <kasuri/kasuri.h>

#include <stdio.h>

/* A vector dealt out to the nodes by blocks of 256 KiB. */
int main(void) {
  const size_t bytes = (size_t)4 << 20;
  const kasuri_distribution_t dealt = {.kind = KASURI_BLOCK_CYCLIC, .block_bytes = 256 << 10};
  void* memory;
  int error = kasuri_numa_alloc(&memory, bytes, &dealt, 0);
  if (error != KASURI_SUCCESS) {
    fprintf(stderr, "kasuri_numa_alloc: %s\n", kasuri_strerror(error));
    return 1;
  }
  double* x = memory;
  for (size_t i = 0; i < bytes / sizeof *x; i++) {
    x[i] = 1;
  }
  printf("%d nodes; the second block is on node %d\n", kasuri_numa_nodes(NULL, NULL, 0),
         kasuri_numa_node_of((char*)memory + (256 << 10)));
  return kasuri_numa_free(memory, bytes) == KASURI_SUCCESS ? 0 : 1;
}
