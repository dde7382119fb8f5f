#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Python wheels with nothing set under `kasuri run`, against the best that a user gets by hand: nine settings
of the wheel's own runtime and of libomp preloaded. In turns; medians of seconds and of processor time. A setting
under which the program dies counts as slow without end.

OMP_NUM_THREADS=1 also stops the threads of NumPy's OpenBLAS, which are none of OpenMP's: --openblas 1 sets
OPENBLAS_NUM_THREADS in all runs, and so compares the runtimes alone.

  python3 -m venv wheels && wheels/bin/pip install scikit-learn lightgbm xgboost faiss-cpu
  bench/openmp/wheels.py --python wheels/bin/python
  bench/openmp/wheels.py --python wheels/bin/python --programs kmeans lightgbm --callers 8 --reps 7
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("boosting", "kmeans", "lightgbm", "xgboost", "faiss")
CALLERS = (1, 4, 8)
PASSIVE = {"OMP_WAIT_POLICY": "passive"}
ONE = {"OMP_NUM_THREADS": "1"}
# By name: whether libomp is preloaded, and what is set.
BY_HAND = {
    "own": (False, {}),
    "own, 1 thread": (False, ONE),
    "own, passive": (False, PASSIVE),
    "own, dynamic": (False, {"OMP_DYNAMIC": "true"}),
    "own, passive, dynamic": (False, PASSIVE | {"OMP_DYNAMIC": "true"}),
    "libomp": (True, {}),
    "libomp, 1 thread": (True, ONE),
    "libomp, passive": (True, PASSIVE),
    "libomp, block time 1": (True, {"KMP_BLOCKTIME": "1"}),
}
KASURI = "kasuri"

# Prints seconds, processor seconds and one number of the result.
PROGRAM = """
import sys, threading, time, numpy
random = numpy.random.RandomState(0)
def boosting():
    from sklearn.ensemble import HistGradientBoostingClassifier
    x = random.rand(20000, 20)
    y = (x[:, 0] + x[:, 1] * x[:, 2] + 0.1 * random.randn(len(x)) > 0.8).astype(int)
    def fit():
        model = HistGradientBoostingClassifier(max_iter=20, early_stopping=False, random_state=0)
        return model.fit(x, y).predict_proba(x[:100]).sum()
    return fit
def kmeans():
    from sklearn.cluster import KMeans
    x = random.rand(50000, 16)
    return lambda: KMeans(16, n_init=1, max_iter=20, random_state=0).fit(x).inertia_
def lightgbm():
    import lightgbm
    x = random.rand(10000, 20)
    y = x[:, 0] + x[:, 1] * x[:, 2]
    def fit():
        data = lightgbm.Dataset(x, y, params={"verbose": -1})
        return lightgbm.train({"verbose": -1, "deterministic": True, "force_row_wise": True}, data,
                              30).predict(x[:100]).sum()
    return fit
def xgboost():
    import xgboost
    x = random.rand(10000, 20)
    y = x[:, 0] + x[:, 1] * x[:, 2]
    def fit():
        data = xgboost.DMatrix(x, y)
        return xgboost.train({"tree_method": "hist"}, data, 20).predict(data)[:100].sum()
    return fit
def faiss():
    import faiss
    x = random.rand(20000, 32).astype("float32")
    def fit():
        index = faiss.IndexFlatL2(32)
        index.add(x)
        return index.search(x[:500], 10)[0].sum()
    return fit
fit = globals()[sys.argv[1]]()
fit()
results = []
threads = [threading.Thread(target=lambda: results.append(float(fit())))
           for _ in range(int(sys.argv[2]))]
start, cpu = time.perf_counter(), time.process_time()
for t in threads:
    t.start()
for t in threads:
    t.join()
seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
same = len(results) == len(threads) and max(results) - min(results) <= 1e-4 * abs(max(results))
print(seconds, cpu, results[0] if same else "differ")
"""


def command_of(options, program, callers, setting):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("OMP_", "GOMP_", "KMP_", "KASURI_", "OPENBLAS_"))}
    if options.openblas is not None:
        env["OPENBLAS_NUM_THREADS"] = str(options.openblas)
    command = [options.python, "-c", PROGRAM, program, str(callers)]
    if setting == KASURI:
        return [str(options.kasuri), "run", "--openmp", "--", *command], env
    libomp, more = BY_HAND[setting]
    return command, env | more | ({"LD_PRELOAD": str(options.libomp)} if libomp else {})


def measure(options, program, callers, setting):
    command, env = command_of(options, program, callers, setting)
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    if done.returncode < 0 and setting != KASURI:  # libgomp dies of some settings
        return float("inf"), float("inf"), 0.0
    where = f"{program}, {callers} Python threads, {setting}"
    if done.returncode != 0:
        sys.exit(f"{where}: status {done.returncode}\n{done.stderr}")
    seconds, cpu, result = done.stdout.split()[-3:]
    if result == "differ":
        sys.exit(f"{where}: threads of one process got different results")
    return float(seconds), float(cpu), float(result)


def compare(options, program, callers):
    """A line of the table; whether the results are those of the own runtime."""
    settings = [*BY_HAND, KASURI]
    runs = {s: [] for s in settings}
    for _ in range(options.reps):
        for s in settings:
            runs[s].append(measure(options, program, callers, s))
    wall, cpu = ({s: statistics.median(r[i] for r in runs[s]) for s in settings} for i in (0, 1))
    best = min(BY_HAND, key=wall.get)
    wanted = runs[best][0][2]
    same = all(abs(r[2] - wanted) <= 1e-4 * abs(wanted) for r in runs[KASURI])
    print(f"{program:<9} {callers:>14} {wall[KASURI]:>8.3f} s {wall[best]:>7.3f} s"
          f" {wall[KASURI] / wall[best]:>6.2f} {wall['own']:>7.3f} s {cpu[KASURI]:>8.3f} s"
          f" {cpu[best]:>7.3f} s  {best}" + ("" if same else "  DIFFERENT RESULTS"), flush=True)
    if options.all:
        for s in settings:
            print(f"    {s:<24} {wall[s]:>8.3f} s, processor {cpu[s]:>8.3f} s", flush=True)
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--python", required=True, help="an interpreter that has the packages")
    parser.add_argument("--kasuri", type=pathlib.Path, default=ROOT / "build/bin/kasuri")
    parser.add_argument("--libomp", type=pathlib.Path,
                        default=pathlib.Path("/usr/lib/llvm-19/lib/libomp.so.5"))
    parser.add_argument("--programs", nargs="+", choices=PROGRAMS, default=PROGRAMS)
    parser.add_argument("--callers", nargs="+", type=int, default=CALLERS, help="Python threads")
    parser.add_argument("--reps", type=int, default=5)
    parser.add_argument("--openblas", type=int, help="OPENBLAS_NUM_THREADS in all runs; else unset")
    parser.add_argument("--all", action="store_true", help="a line for each setting too")
    options = parser.parse_args()
    for name, file in (("--python", options.python), ("--kasuri", options.kasuri)):
        if not os.access(file, os.X_OK):
            parser.error(f"{name} {file}: not a program that can be started")
    if not options.libomp.exists():
        parser.error(f"--libomp {options.libomp}: no such file; accepted: libomp.so.5")
    for name, value in (("--reps", options.reps), ("--callers", min(options.callers))):
        if value < 1:
            parser.error(f"{name} {value}: accepted: whole numbers from 1")
    print("program   Python threads     Kasuri      best  ratio       own   CPU here  CPU best  "
          "best setting")
    same = [compare(options, p, c) for p in options.programs for c in options.callers]
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
