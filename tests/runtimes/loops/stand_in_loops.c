// SPDX-License-Identifier: Apache-2.0
// A library with the functions by which FFTW and Blosc take a callback, and loops that use it.

#include <stdatomic.h>
#include <stddef.h>

typedef void* fftw_work(char*);
typedef void fftw_loop(fftw_work*, char* jobs, size_t size, int n, void* data);
typedef void blosc_work(void*);
typedef void blosc_callback(void* data, blosc_work*, int n, size_t size, void* jobs);

static fftw_loop* loop;
static blosc_callback* callback;
static void* data;

void fftwf_threads_set_callback(fftw_loop* l, void* d) {
  loop = l;
  data = d;
}

void blosc2_set_threads_callback(blosc_callback* c, void* d) {
  callback = c;
  data = d;
}

int stand_in_served(void) { return (loop != NULL) + 2 * (callback != NULL); }

struct job {
  atomic_int* come;
  int n;
  long number;
};

static void* work_alone(char* arg) {
  struct job* j = (struct job*)arg;
  j->number += 1000;
  return NULL;
}

static void work_together(void* arg) {
  struct job* j = arg;
  ++*j->come;
  while (*j->come < j->n) {
  }
  j->number += 1000;
}

/// n jobs; false: one was not run, or twice.
static int run(int n, int together) {
  struct job jobs[64];
  atomic_int come = 0;
  for (int i = 0; i < n; i++) jobs[i] = (struct job){&come, n, i};
  if (together)
    callback(data, work_together, n, sizeof *jobs, jobs);
  else
    loop(work_alone, (char*)jobs, sizeof *jobs, n, data);
  for (int i = 0; i < n; i++)
    if (jobs[i].number != 1000 + i) return 0;
  return 1;
}

int stand_in_transform(int n) { return run(n, 0); }
int stand_in_compress(int n) { return run(n, 1); }

/// A job that compresses, as a filter may.
static void work_within(void* arg) {
  struct job* j = arg;
  ++*j->come;
  while (*j->come < j->n) {
  }
  j->number += stand_in_compress(j->n) ? 1000 : 0;
}

int stand_in_compress_within(int n) {
  struct job jobs[64];
  atomic_int come = 0;
  for (int i = 0; i < n; i++) jobs[i] = (struct job){&come, n, i};
  callback(data, work_within, n, sizeof *jobs, jobs);
  for (int i = 0; i < n; i++)
    if (jobs[i].number != 1000 + i) return 0;
  return 1;
}
