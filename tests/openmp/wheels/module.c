// SPDX-License-Identifier: Apache-2.0
// An extension module of a wheel, as far as its regions go.
#include <omp.h>

// The sum of 0 to n - 1, by `threads` members; -1 if the team has another size.
long sum_by_team(int n, int threads);
long sum_by_team(int n, int threads) {
  long sum = 0;
  int members = 0;
#pragma omp parallel num_threads(threads) reduction(+ : members)
  {
    members++;
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
      sum += i;
    }
  }
  return members == threads ? sum : -1;
}
