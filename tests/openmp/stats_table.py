#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What KASURI_STATS and KASURI_TRACE say of an OpenMP program whose members wait for each other: the time in
barriers, locks and docks is waiting and no work, and each thread's processor time stands beside.

  stats_table.py --compiler gcc --runtime build/lib/kasuri/omp --kasuri build/bin/kasuri --build DIR
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

ATTEMPTS = 5

# A member works until it is told, by its own processor time, and the other waits for it: awake, since the wait
# policy is active.
PROGRAM = r"""#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double processor_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

static void work(double ms) {
  const double begin = processor_ms();
  while (processor_ms() - begin < ms) {
  }
}

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  int arrives = 0, held = 0, sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
    if (omp_get_thread_num() == 0) {
      while (!__atomic_load_n(&arrives, __ATOMIC_ACQUIRE)) {
        usleep(1000);
      }
      work(60);
    } else {
      __atomic_store_n(&arrives, 1, __ATOMIC_RELEASE);
    }
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      __atomic_store_n(&held, 1, __ATOMIC_RELEASE);
      work(60);
      omp_unset_lock(&lock);
    } else {
      while (!__atomic_load_n(&held, __ATOMIC_ACQUIRE)) {
        usleep(1000);
      }
      omp_set_lock(&lock);
      omp_unset_lock(&lock);
    }
    sum++;
  }
  work(60);  // the other one waits at its dock
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum++;
  printf("sum %d\n", sum);
  return 0;
}
"""


def table_of(text):
    """Rows of the table of times by their label, as dictionaries by column."""
    lines = text[text.index("time, ms"):].splitlines()
    names = re.split(r"\s{2,}", lines[0].strip())[1:]
    rows = {}
    for line in lines[1:]:
        cells = re.split(r"\s{2,}", line.strip())
        rows[cells[0]] = {n: float(c) for n, c in zip(names, cells[1:]) if c != "-"}
    return rows


def complaints(rows):
    """Who waits has waiting; sums hold; processor time is there."""
    if not rows["worker 1"].get("waiting", 0) > 0:
        yield f"worker 1 has waited: {rows['worker 1']}"
    for label, row in rows.items():
        parts = ("work", "waiting", "overhead", "idle, tasks ready", "idle, no task", "blocked",
                 "off core")
        missing = [p for p in (*parts, "wall", "processor") if p not in row]
        if missing:
            yield f"{label}: no column {missing}"
        elif abs(sum(row[p] for p in parts) - row["wall"]) > 0.05:
            yield f"{label}: the parts are not the whole: {row}"
    if not rows["total"].get("processor", 0) > 0:
        yield "no processor time"


def look_once(options, binary, folder):
    """What is wrong with what one run tells."""
    trace = folder / f"{binary.name}.trace"
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("OMP_", "GOMP_", "KMP_", "KASURI_"))}
    env |= {"LD_LIBRARY_PATH": str(options.runtime.resolve()), "OMP_WAIT_POLICY": "active",
            "KASURI_NUM_WORKERS": "2", "KASURI_STATS": "1", "KASURI_TRACE": str(trace)}
    done = subprocess.run([binary], env=env, capture_output=True, text=True, timeout=60)
    if done.returncode != 0 or "sum 4" not in done.stdout:
        sys.exit(f"FAILED: status {done.returncode}: {done.stdout}{done.stderr}")
    print(done.stderr)
    found = list(complaints(table_of(done.stderr)))
    document = folder / f"{binary.name}.json"
    told = subprocess.run([options.kasuri, "trace", trace, "-o", document],
                          capture_output=True, text=True)
    if told.returncode != 0:
        return [*found, told.stderr]
    text = document.read_text()
    return found + [f"the trace has no wait for: {why}"
                    for why in ("OpenMP barrier", "OpenMP lock", "next OpenMP region")
                    if f'"for":"{why}"' not in text]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--runtime", type=pathlib.Path, required=True)
    parser.add_argument("--kasuri", type=pathlib.Path, required=True, help="the kasuri command")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    folder = options.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    source, binary = folder / "stats_table.c", folder / f"stats_table_{options.compiler}"
    source.write_text(PROGRAM)
    subprocess.run([options.compiler, "-O1", "-fopenmp", source, "-o", binary], check=True)
    # On a busy machine the one who waits may not run before there is nothing to wait for any more.
    found = []
    for _ in range(ATTEMPTS):
        found = look_once(options, binary, folder)
        if not found:
            break
    print("\n".join(f"FAILED: {c}" for c in found) or "waiting is told apart")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
