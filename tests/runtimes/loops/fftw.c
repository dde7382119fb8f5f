// SPDX-License-Identifier: Apache-2.0
// Transforms of FFTW planned for several threads, against the same ones planned for one: from the
// program's thread, from several threads at once, and within a region.
//
//   PRECISION(name)   fftw_##name with double, fftwf_##name with float

#include <fftw3.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { rows = 256, columns = 512, all = rows * columns, callers = 4, repeats = 5 };

static PRECISION(complex) * before, *wanted;
static PRECISION(plan) parallel;

static PRECISION(complex) * new_field(void) { return PRECISION(malloc)(sizeof(*before) * all); }

static int transform(void) {
  PRECISION(complex)* from = new_field(), *to = new_field();
  memcpy(from, before, sizeof(*before) * all);
  PRECISION(execute_dft)(parallel, from, to);
  double off = 0;
  for (int i = 0; i < all; i++)
    for (int part = 0; part < 2; part++) off = fmax(off, fabs(to[i][part] - wanted[i][part]));
  PRECISION(free)(from);
  PRECISION(free)(to);
  return off < LARGEST_ERROR;
}

static void* caller(void* arg) {
  for (int i = 0; i < repeats; i++)
    if (!transform()) *(int*)arg = 0;
  return NULL;
}

int main(void) {
  if (!PRECISION(init_threads)()) return 1;
  before = new_field();
  wanted = new_field();
  PRECISION(complex)* scratch = new_field();
  for (int i = 0; i < all; i++) before[i][0] = i % 97, before[i][1] = i % 31;
  PRECISION(plan)
  serial = PRECISION(plan_dft_2d)(rows, columns, scratch, wanted, FFTW_FORWARD, FFTW_ESTIMATE);
  memcpy(scratch, before, sizeof(*before) * all);
  PRECISION(execute_dft)(serial, scratch, wanted);
  PRECISION(plan_with_nthreads)(8);
  PRECISION(complex)* to = new_field();
  parallel = PRECISION(plan_dft_2d)(rows, columns, scratch, to, FFTW_FORWARD, FFTW_ESTIMATE);
  int right = transform();
  pthread_t threads[callers];
  int each[callers];
  for (int i = 0; i < callers; i++) {
    each[i] = 1;
    pthread_create(&threads[i], NULL, caller, &each[i]);
  }
  for (int i = 0; i < callers; i++) {
    pthread_join(threads[i], NULL);
    right = right && each[i];
  }
#pragma omp parallel num_threads(2) reduction(&& : right)
  right = right && transform();
  puts(right ? "right" : "wrong");
  return !right;
}
