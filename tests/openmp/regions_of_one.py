#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Threads that open regions of one member are no guests of the pool, and need no token: its table of
statistics has no line for them. Those that make tasks in such a region have one.

  regions_of_one.py --compiler gcc --runtime build/lib/kasuri/omp --build DIR
"""

import argparse
import os
import pathlib
import subprocess
import sys

PROGRAM = r"""#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { threads = 4, regions = 100 };
static int tasks_wanted, ran[threads];

static void *work(void *argument) {
  int *const mine = argument;
  for (int i = 0; i < regions; i++) {
#pragma omp parallel
    {
      if (tasks_wanted) {
#pragma omp task
        ++*mine;
#pragma omp taskwait
      } else {
#pragma omp for schedule(dynamic)
        for (int j = 0; j < 1; j++) {
          ++*mine;
        }
      }
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t handles[threads];
  tasks_wanted = argc > 1;
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += 1000;  // the pool runs
  for (int i = 0; i < threads; i++) {
    pthread_create(&handles[i], NULL, work, &ran[i]);
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(handles[i], NULL);
    sum += ran[i];
  }
  printf("sum %d\n", sum);
  return 0;
}
"""
SUM = 2000 + 4 * 100


def guests(binary, options, arguments):
    """Lines of guests in the table's first part."""
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("OMP_", "GOMP_", "KMP_", "KASURI_"))}
    env |= {"LD_LIBRARY_PATH": str(options.runtime.resolve()), "OMP_NUM_THREADS": "1",
            "KASURI_NUM_WORKERS": "2", "KASURI_STATS": "1"}
    done = subprocess.run([binary, *arguments], env=env, capture_output=True, text=True, timeout=60)
    if done.returncode != 0 or f"sum {SUM}" not in done.stdout:
        sys.exit(f"FAILED: status {done.returncode}: {done.stdout}{done.stderr}")
    counts = done.stderr.split("time, ms")[0]
    if "total" not in counts:
        sys.exit(f"FAILED: no table of statistics:\n{done.stderr}")
    return sum(line.startswith("guest") for line in counts.splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--runtime", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    if not options.runtime.is_dir():
        parser.error(f"--runtime {options.runtime}: no such folder; accepted: a folder")
    folder = options.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    source, binary = folder / f"regions_of_one_{options.compiler}.c", folder / f"regions_of_one_{options.compiler}"
    source.write_text(PROGRAM)
    subprocess.run([options.compiler, "-O1", "-fopenmp", source, "-o", binary, "-lpthread"],
                   check=True)
    without, with_tasks = guests(binary, options, []), guests(binary, options, ["tasks"])
    print(f"guests: {without} without tasks, {with_tasks} with them")
    # The main thread is one, for its region of two.
    return 0 if without == 1 and with_tasks > 1 else 1


if __name__ == "__main__":
    sys.exit(main())
