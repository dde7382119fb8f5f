// SPDX-License-Identifier: Apache-2.0
// Memory from OpenMP's allocators, distributed over the NUMA nodes.
#include <omp.h>
#include <stdio.h>

// allocator:
// Memory in consecutive parts, one to each NUMA node.
static omp_allocator_handle_t make_blocked(void) {
  const omp_alloctrait_t traits[] = {{omp_atk_partition, omp_atv_blocked}};
  return omp_init_allocator(omp_default_mem_space, 1, traits);
}
// end

int main(void) {
  const int n = 1 << 20;
  double sum = 0;
  omp_allocator_handle_t blocked = make_blocked();
  double* x = omp_alloc(n * sizeof *x, blocked);
  if (x == NULL) {
    return 1;
  }
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) {
    x[i] = 1;
  }
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    sum += x[i];
  }
  printf("the sum of %d ones is %.0f\n", n, sum);
  omp_free(x, blocked);
  omp_destroy_allocator(blocked);
  return sum == n ? 0 : 1;
}
