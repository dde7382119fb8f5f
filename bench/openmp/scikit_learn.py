#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seconds that scikit-learn takes under the libgomp of its wheel and under `kasuri run`, in turns:
gradient boosting in one and in eight Python threads, with several OMP_NUM_THREADS, and KMeans.

  python3 -m venv wheels && wheels/bin/pip install scikit-learn
  bench/openmp/scikit_learn.py --python wheels/bin/python
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = [(program, callers, members)
         for program, all_callers in (("boosting", (1, 8)), ("kmeans", (1,)))
         for callers in all_callers for members in (1, 2, 8)]

# Prints the time and one number of the result.
PROGRAM = """
import sys, threading, time, numpy
random = numpy.random.RandomState(0)
if sys.argv[1] == "boosting":
    from sklearn.ensemble import HistGradientBoostingClassifier
    x = random.rand(20000, 20)
    y = (x[:, 0] + x[:, 1] * x[:, 2] + 0.1 * random.randn(len(x)) > 0.8).astype(int)
    def fit():
        model = HistGradientBoostingClassifier(max_iter=30, early_stopping=False, random_state=0)
        return model.fit(x, y).predict_proba(x[:100]).sum()
else:
    from sklearn.cluster import KMeans
    x = random.rand(50000, 16)
    def fit():
        return KMeans(16, n_init=1, max_iter=20, random_state=0).fit(x).inertia_
fit()
results = []
threads = [threading.Thread(target=lambda: results.append(fit())) for _ in range(int(sys.argv[2]))]
start = time.perf_counter()
for t in threads:
    t.start()
for t in threads:
    t.join()
seconds = time.perf_counter() - start
same = max(results) - min(results) <= 1e-6 * max(results)
print(seconds, results[0] if same else "differ")
"""


def measure(options, case, kasuri):
    program, callers, members = case
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "KMP_"))}
    env["OMP_NUM_THREADS"] = str(members)
    command = [options.python, "-c", PROGRAM, program, str(callers)]
    if kasuri:
        command = [str(options.kasuri), "run", "--openmp", "--", *command]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command[:1])}: status {done.returncode}\n{done.stderr}")
    seconds, result = done.stdout.split()
    if result == "differ":
        sys.exit(f"{program}: threads of one process got different results")
    return float(seconds), float(result)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--python", required=True, help="an interpreter that has scikit-learn")
    parser.add_argument("--kasuri", type=pathlib.Path, default=ROOT / "build/bin/kasuri")
    parser.add_argument("--reps", type=int, default=3)
    options = parser.parse_args()
    for name, file in (("--python", options.python), ("--kasuri", options.kasuri)):
        if not os.access(file, os.X_OK):
            parser.error(f"{name} {file}: not a program that can be started")
    if options.reps < 1:
        parser.error(f"--reps {options.reps}: accepted: a whole number from 1")
    differ = 0
    print("program    Python threads  OMP_NUM_THREADS  own runtime  Kasuri  Kasuri / own")
    for case in CASES:
        runs = [(measure(options, case, False), measure(options, case, True))
                for _ in range(options.reps)]
        own, ours = (statistics.median(run[i][0] for run in runs) for i in (0, 1))
        same = all(abs(a[1] - b[1]) <= 1e-6 * abs(a[1]) for a, b in runs)
        differ += not same
        print(f"{case[0]:<10} {case[1]:>14}  {case[2]:>15}  {own:>9.3f} s {ours:>5.3f} s "
              f"{ours / own:>9.2f}" + ("" if same else "  DIFFERENT RESULTS"), flush=True)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
