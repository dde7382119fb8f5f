#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many threads of a process run at once while several OS threads open regions of more members
than there are workers: looks at the states of its threads (R in /proc/PID/task/*/stat) again and
again.

  running_threads.py --compiler gcc --runtime build/lib/kasuri/omp --build DIR
  running_threads.py --compiler gcc --stock --build DIR     the same for the compiler's own runtime
  running_threads.py --judge --compiler gcc --runtime ...   fails where too many run: for a machine without other work

Without --judge it fails where the program's sums are wrong.

The states are read one after the other, so a worker that hands over may be seen twice: as the
thread that goes to sleep and as the one that it has woken. Hence a look is three passes, and a thread
counts if all three find it running. What is left: R is also said of who is ready and has no core,
because other processes have them. So a thread may stand for long, and count, before it gives way: on
its way into a region or out of one, which each thread that opens regions may be; and the monitor
takes a worker that gets no core for one that is stuck. Hence the allowances.
"""

import argparse
import os
import pathlib
import subprocess
import sys

WORKERS = 2
MEMBERS = 8
CALLERS = (1, 4)
LOOKS = 200
PASSES = 3
ATTEMPTS = 4  # other programs on the machine take cores for seconds at a time
SHARE_THAT_FITS = 0.75  # of the looks see no more than WORKERS; none more than CALLERS besides

PROGRAM = r"""#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { members = @MEMBERS@, phases = 100 };
static int stop;

static double work(double x) {
  for (int i = 0; i < 5000; i++) {
    x = x * 0.5 + 1;
  }
  return x;
}

static void *open_regions(void *failures) {
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
    int sum = 0;
#pragma omp parallel num_threads(members) reduction(+ : sum)
    for (int i = 0; i < phases; i++) {
      sum += work(i) < 3;
#pragma omp barrier
    }
    if (sum != members * phases) {
      __atomic_fetch_add((int *)failures, 1, __ATOMIC_RELAXED);
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  const int callers = atoi(argv[argc - 1]);
  pthread_t threads[callers];
  int failures = 0;
  for (int i = 0; i < callers; i++) {
    pthread_create(&threads[i], NULL, open_regions, &failures);
  }
  puts("runs");
  fflush(stdout);
  getchar();
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < callers; i++) {
    pthread_join(threads[i], NULL);
  }
  return failures != 0;
}
"""


def running(process):
    """Threads that run or are ready to; not the monitor, which looks on and works for no region."""
    found = set()
    for stat in pathlib.Path(f"/proc/{process.pid}/task").glob("*/stat"):
        try:
            text = stat.read_text()
        except OSError:  # it has ended
            continue
        name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:]
        if rest[0] == "R" and name != "kasuri-monitor":
            found.add(stat.parent.name)
    return found


def look(process):
    seen = running(process)
    for _ in range(PASSES - 1):
        seen &= running(process)
    return len(seen)


def sample(binary, callers, env):
    """The counts of all looks, in order of size."""
    with subprocess.Popen([binary, str(callers)], env=env, text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        for _ in range(20):  # until all regions are open
            look(process)
        counts = sorted(look(process) for _ in range(LOOKS))
        process.stdin.close()
        if process.wait(timeout=60) != 0:
            sys.exit(f"FAILED: {callers} callers: status {process.returncode}")
    return counts


def environment(options):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("OMP_", "GOMP_", "KMP_", "KASURI_"))}
    if not options.stock:
        env["LD_LIBRARY_PATH"] = str(options.runtime.resolve())
        env["KASURI_NUM_WORKERS"] = str(WORKERS)
    return env


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--runtime", type=pathlib.Path, help="folder with the runtime to test")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--stock", action="store_true", help="print only, under the compiler's own")
    what.add_argument("--judge", action="store_true", help="fail where too many threads run at once")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    if not options.stock and (options.runtime is None or not options.runtime.is_dir()):
        parser.error(f"--runtime {options.runtime}: no such folder; accepted: a folder, or --stock")
    folder = options.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    source, binary = folder / f"running_threads_{options.compiler}.c", folder / f"running_threads_{options.compiler}"
    source.write_text(PROGRAM.replace("@MEMBERS@", str(MEMBERS)))
    subprocess.run([options.compiler, "-O1", "-fopenmp", source, "-o", binary, "-lpthread"],
                   check=True)
    failed = 0
    for callers in CALLERS:
        for _ in range(ATTEMPTS):
            counts = sample(binary, callers, environment(options))
            share = sum(c <= WORKERS for c in counts) / LOOKS
            fits = share >= SHARE_THAT_FITS and counts[-1] <= WORKERS + callers
            if fits or not options.judge:
                break
        failed += not fits and options.judge
        print(f"{callers} threads with {MEMBERS} members each: {counts[LOOKS // 2]} run at once, "
              f"at most {counts[-1]}; {share:.1%} of {LOOKS} looks see at most {WORKERS}"
              + ("" if fits or not options.judge else "  FAILED"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
