#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""OpenBLAS on the pool: calls of a stand-in that has its entry points, under the preloaded library.

  openblas.py --runtime build/lib/kasuri/omp --build DIR [CASE...]
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
MAX_THREADS = 16
# As builders name the functions: the copies of a plain build, of NumPy's wheel and of SciPy's.
COPIES = {"plain": ("f", "f"),
          "numpy": ("scipy_##f##64_", "scipy_##f##64_"),
          "scipy": ("scipy_##f", "f")}
ALL = list(COPIES)
# Name, copies, settings.
CASES = [("callers1", ["plain"], {}), ("callers2", ["plain"], {}), ("callers8", ["plain"], {}),
         ("callers2", ALL, {}), ("callers8", ALL, {}),
         ("in_regions", ["plain"], {}), ("in_regions", ALL, {}),
         ("noticed_by_a_region", ["numpy"], {}), ("reloaded", ["plain"], {}), ("reloaded", ["scipy"], {}),
         ("forked", ["plain"], {}), ("generations", ["plain"], {}), ("lost_stacks", ["plain"], {}),
         ("forked_in_region", ["plain"], {}), ("forks_beside_regions", ["plain"], {}),
         ("left_to_itself", ["plain"], {"KASURI_NUM_WORKERS": "12"}), ("raised", ["plain"], {}),
         ("off", ["plain"], {"KASURI_OPENBLAS": "off"})]


def compile_all(folder):
    for name, (names, setter) in COPIES.items():
        subprocess.run(["gcc", "-O1", "-shared", "-fPIC", f"-DNAME(f)={names}", f"-DSETTER(f)={setter}",
                        f"-DMAX_THREADS={MAX_THREADS}", HERE / "stand_in_openblas.c",
                        "-o", folder / f"{name}.so"], check=True)
    subprocess.run(["gcc", "-O1", "-fopenmp", HERE / "openblas_calls.c", "-o", folder / "openblas_calls", "-ldl"],
                   check=True)


def run(folder, case, copies, settings, env):
    start = time.monotonic()
    label = " ".join([case, *copies, *(f"{k}={v}" for k, v in settings.items())])
    try:
        done = subprocess.run([folder / "openblas_calls", case, *(folder / f"{c}.so" for c in copies)],
                              env=env | settings, capture_output=True, text=True, timeout=310)
    except subprocess.TimeoutExpired:
        print(f"{label}: does not end")
        return False
    right = done.returncode == 0 and done.stdout == "right\n" and not done.stderr
    print(f"{label}: {time.monotonic() - start:.1f} s, {done.stdout.strip()} {done.stderr.strip()[:300]}"
          + ("" if right else f" FAILED, status {done.returncode}"))
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runtime", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    options = parser.parse_args()
    folder = options.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    compile_all(folder)
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("OMP_", "GOMP_", "KMP_", "KASURI_", "OPENBLAS_"))}
    env["LD_PRELOAD"] = str(options.runtime.resolve() / "libgomp.so.1")
    wanted = [c for c in CASES if not options.cases or c[0] in options.cases]
    return 0 if all([run(folder, *case, env) for case in wanted]) else 1


if __name__ == "__main__":
    sys.exit(main())
