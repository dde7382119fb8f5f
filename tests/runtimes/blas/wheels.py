#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""NumPy and SciPy of wheels from 1, 2 and 8 Python threads, beside scikit-learn, by hand:

  wheels.py --kasuri build/bin/kasuri --python VENV/bin/python [--runs 5] [--threads 1,2,8] [--size 400]

Each run is a process under `kasuri run`, whose results are compared with those of a process without
it. A run that does not end within --limit seconds, or ends badly, is shown and counts as wrong.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

WORK = r"""
import sys, threading
import numpy as np, scipy.linalg, scipy.fft
out, threads, size, mix = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4].split(",")
rng = np.random.default_rng(1)
a = rng.standard_normal((size, size)); b = rng.standard_normal((size, size))
a += size * np.eye(size)
def forest():
    from sklearn.ensemble import HistGradientBoostingRegressor
    x = rng_of(7).standard_normal((2000, 10))
    return HistGradientBoostingRegressor(max_iter=5, random_state=0).fit(x, x[:, 0]).predict(x)
def rng_of(n): return np.random.default_rng(n)
WORK = {"gemm": lambda: a @ b, "solve": lambda: np.linalg.solve(a, b), "svd": lambda: np.linalg.svd(b)[1],
        "scipy_solve": lambda: scipy.linalg.solve(a, b), "scipy_gemm": lambda: scipy.linalg.blas.dgemm(1.0, a, b),
        "fft": lambda: np.abs(scipy.fft.fft2(b, workers=2)), "forest": forest}
results = [None] * threads
def run(i):
    got = []
    for round in range(2):
        for name in mix:
            got.append(np.asarray(WORK[name]()))
    results[i] = got
all = [threading.Thread(target=run, args=(i,)) for i in range(threads)]
for t in all: t.start()
for t in all: t.join()
np.savez(out, *[r for got in results for r in got])
"""

COMPARE = r"""
import sys
import numpy as np
want, got = np.load(sys.argv[1]), np.load(sys.argv[2])
for name in want.files:
    if not np.allclose(want[name], got[name], rtol=1e-7, atol=1e-7):
        sys.exit(f"{name}: off by {np.abs(want[name] - got[name]).max()}")
"""


def work(command, out, threads, size, mix, limit, env):
    try:
        done = subprocess.run([*command, "-c", WORK, out, str(threads), str(size), mix], env=env, capture_output=True,
                              text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return "does not end"
    if done.returncode != 0:
        return f"status {done.returncode}: {done.stderr.strip()[-300:]}"
    return done.stderr.strip()[:300]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kasuri", required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", default="1,2,8")
    parser.add_argument("--size", type=int, default=400)
    parser.add_argument("--mix", default="gemm,solve,svd,scipy_solve,scipy_gemm,fft,forest")
    parser.add_argument("--limit", type=float, default=60)
    options = parser.parse_args()
    env = dict(os.environ)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        want, got = pathlib.Path(folder) / "want.npz", pathlib.Path(folder) / "got.npz"
        for threads in map(int, options.threads.split(",")):
            problem = work([options.python], want, threads, options.size, options.mix, 10 * options.limit, env)
            if problem:
                sys.exit(f"without Kasuri: {problem}")
            here = 0
            for _ in range(options.runs):
                problem = work([options.kasuri, "run", options.python], got, threads, options.size, options.mix,
                               options.limit, env)
                if not problem:
                    done = subprocess.run([options.python, "-c", COMPARE, want, got], capture_output=True, text=True)
                    problem = done.stderr.strip()
                if problem:
                    here += 1
                    print(f"{threads} threads: {problem}", flush=True)
            wrong += here
            print(f"{threads} threads: {options.runs - here} of {options.runs} right", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
