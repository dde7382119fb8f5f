#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What modules see that ask in a region whether they are in one: an OpenBLAS that was built with threads of
its own and refers to omp_in_parallel weakly is told no, else it prints a warning at every call. All
others are told the truth, an OpenBLAS with OpenMP among them.

  openblas.py --runtime build/lib/kasuri/omp --build DIR --python VENV/bin/python

--python, or KASURI_TEST_PYTHON: an interpreter with NumPy, whose own OpenBLAS is called in regions then.
"""

import argparse
import os
import pathlib
import subprocess
import sys

# Name of a module, its function that says what it was built with, and what it is to see in a region.
MODULES = [("threads", "openblas_get_parallel", 1, 0),
           ("threads_64", "scipy_openblas_get_parallel64_", 1, 0),
           ("openmp", "openblas_get_parallel", 2, 1),
           ("another", "another_get_parallel", 1, 1)]

MODULE = r"""
extern int omp_in_parallel(void) __attribute__((weak));
int %s(void) { return %d; }
int sees_region(void) { return omp_in_parallel ? omp_in_parallel() : -1; }
"""

PROGRAM = r"""#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { members = 4, calls = 100 };

static int ask(int (*sees_region)(void)) {
  int sum = 0, own = 0;
#pragma omp parallel num_threads(members) reduction(+ : sum, own)
  for (int i = 0; i < calls; i++) {
    sum += sees_region();
    own += omp_in_parallel();
  }
  if (own != members * calls || sees_region() != 0) {
    abort();
  }
  return sum;
}

typedef void gemm(int, int, int, long, long, long, double, const double *, long, const double *,
                  long, double, double *, long);

static void multiply(gemm *dgemm) {
  enum { n = 300 };
  double *a = calloc(n * n, sizeof *a);
  for (long i = 0; i < n; i++) {
    a[i * n + i] = 2;
  }
#pragma omp parallel num_threads(members)
  {
    double *c = calloc(n * n, sizeof *c);
    dgemm(101, 111, 111, n, n, n, 1, a, n, a, n, 0, c, n);
    if (c[0] != 4 || c[n * n - 1] != 4 || c[1] != 0) {
      abort();
    }
    free(c);
  }
  free(a);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    void *module = dlopen(argv[i], RTLD_NOW);
    if (module == NULL) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    void *dgemm = dlsym(module, "scipy_cblas_dgemm64_");
    if (dgemm != NULL) {
      multiply((gemm *)dgemm);
    } else {
      const int sum = ask((int (*)(void))dlsym(module, "sees_region"));
      printf("%d\n", sum == 0 ? 0 : sum == members * calls ? 1 : -1);
    }
  }
  return 0;
}
"""


def compile_c(source, text, *more):
    source.write_text(text)
    target = source.with_suffix(".so" if "-shared" in more else "")
    subprocess.run(["gcc", "-O1", source, "-o", target, *more], check=True)
    return target


def openblas_of_numpy(python):
    """The library that the wheel brings, if the interpreter has one."""
    if not python:
        return []
    where = "import numpy, pathlib; print(pathlib.Path(numpy.__file__).parent.parent / 'numpy.libs')"
    done = subprocess.run([python, "-c", where], capture_output=True, text=True)
    return sorted(pathlib.Path(done.stdout.strip() or "/none").glob("libscipy_openblas64_*.so"))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runtime", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--python", default=os.environ.get("KASURI_TEST_PYTHON"))
    options = parser.parse_args()
    if not options.runtime.is_dir():
        parser.error(f"--runtime {options.runtime}: no such folder; accepted: a folder")
    folder = options.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    modules = [compile_c(folder / f"{name}.c", MODULE % (function, kind), "-shared", "-fPIC")
               for name, function, kind, _ in MODULES]
    program = compile_c(folder / "program.c", PROGRAM, "-fopenmp", "-ldl")
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("OMP_", "GOMP_", "KMP_", "KASURI_", "OPENBLAS_"))}
    env |= {"LD_LIBRARY_PATH": str(options.runtime.resolve()), "OPENBLAS_NUM_THREADS": "2"}
    real = openblas_of_numpy(options.python)
    done = subprocess.run([program, *modules, *real], env=env, capture_output=True, text=True,
                          timeout=100)
    seen = done.stdout.split()
    wanted = [str(sees) for *_, sees in MODULES]
    for (name, *_), got, right in zip(MODULES, seen, wanted):
        print(f"{name}: sees {got}{'' if got == right else '  FAILED'}")
    print(f"NumPy's own: {len(real)}; status {done.returncode}; {done.stderr.strip()[:300]}")
    return 0 if seen == wanted and done.returncode == 0 and not done.stderr else 1


if __name__ == "__main__":
    sys.exit(main())
