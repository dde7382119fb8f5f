#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that use several runtimes in one process (OpenMP, oneTBB, OpenBLAS, FFTW), with nothing set under
`kasuri run`, against what a user gets without it: the runtimes' own defaults, oneTBB's budget of cores
(TCM_ENABLE=1), libomp in the place of libgomp, and nine settings by hand. In turns; medians of seconds. In runs of
their own the threads that run or want to run are counted some thousand times a second.

  python3 -m venv mixes && mixes/bin/pip install numpy scipy scikit-learn numba tbb tcmlib
  bench/mixes/mixes.py --python mixes/bin/python
  bench/mixes/mixes.py --python mixes/bin/python --mixes kmeans solve --callers 8 --reps 7 --all

The mix `opencv` is run by the system's Python 3, with Debian's python3-opencv; `nested` and `fftw` are compiled by
g++, with libtbb-dev, libopenblas-dev and libfftw3-dev. A mix whose packages are missing is left out with one line.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BY_PYTHON = ("gemm", "solve", "svd", "fft", "boosting", "kmeans", "numba_tbb", "numba_omp", "both")
BY_SYSTEM_PYTHON = ("opencv",)
COMPILED = {"nested": ("-fopenmp", "-ltbb", "-lopenblas"), "fftw": ("-fopenmp", "-lfftw3_threads", "-lfftw3")}
ALL = (*BY_PYTHON, *BY_SYSTEM_PYTHON, *COMPILED)
OPENMP_ONE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": str(os.cpu_count())}
BLAS_ONE = {"OPENBLAS_NUM_THREADS": "1"}
PASSIVE = {"OMP_WAIT_POLICY": "passive"}
DYNAMIC = {"OMP_DYNAMIC": "true"}
BY_HAND = {
    "TCM_ENABLE=1": {"TCM_ENABLE": "1"},
    "OpenMP 1": OPENMP_ONE,
    "OpenBLAS 1": BLAS_ONE,
    "both 1": {"OMP_NUM_THREADS": "1"},
    "passive": PASSIVE,
    "passive, OpenBLAS 1": PASSIVE | BLAS_ONE,
    "dynamic": DYNAMIC,
    "passive, dynamic, OpenBLAS 1": PASSIVE | DYNAMIC | BLAS_ONE,
    "all 1": {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"} | BLAS_ONE,
}
QUICK = ("own", "TCM_ENABLE=1", "OpenBLAS 1")
RULED = ("OMP_", "GOMP_", "KMP_", "KASURI_", "OPENBLAS_", "TCM_", "NUMBA_", "LD_")


def environment(**more):
    return {k: v for k, v in os.environ.items() if not k.startswith(RULED)} | more


def contenders(options):
    """By name: the words before the program's own, and what is set."""
    found = {"own": ([], {}), "libomp": ([], {"LD_PRELOAD": str(options.libomp)})}
    found |= {name: ([], setting) for name, setting in BY_HAND.items()}
    if options.quick:
        found = {name: found[name] for name in QUICK}
    return found | {"kasuri": ([str(options.kasuri), "run", "--openmp", "--"], {})}


def commands(options, folder):
    """By name of the mix: its command, or the reason why there is none."""
    found = {}
    for name in options.mixes:
        if name in COMPILED:
            program = folder / name
            done = subprocess.run(["g++", "-std=c++20", "-O2", HERE / f"{name}.cpp", "-o", program, *COMPILED[name],
                                   "-pthread"], capture_output=True, text=True)
            found[name] = [program] if done.returncode == 0 else done.stderr.splitlines()[0]
        else:
            python = "/usr/bin/python3" if name in BY_SYSTEM_PYTHON else options.python
            command = [python, HERE / "programs.py", name]
            done = subprocess.run([*command, "1"], env=environment(), capture_output=True, text=True)
            found[name] = command if done.returncode == 0 else done.stderr.splitlines()[-1]
    return found


def run(options, command, callers, contender):
    before, setting = contenders(options)[contender]
    words = [str(w) for w in (*before, *command, callers)]
    done = subprocess.run(words, env=environment(**setting), capture_output=True, text=True, timeout=options.limit)
    where = f"{command[-1]}, {callers} threads, {contender}"
    if done.returncode != 0:
        sys.exit(f"{where}: status {done.returncode}\n{done.stderr}")
    seconds, result = done.stdout.split()[-2:]
    if result == "differ":
        sys.exit(f"{where}: threads of one process got different results")
    return float(seconds), float(result)


def running(task):
    """Whether the thread of that folder runs or wants to."""
    try:
        return (task / "stat").read_text().rpartition(")")[2].split()[0] == "R"
    except OSError:
        return False  # it has ended


def count_threads(options, command, callers):
    """Of all samples in which more than one thread ran: how many there were, and in how many more than cores."""
    before, setting = contenders(options)["kasuri"]
    cores = len(os.sched_getaffinity(0))
    words = [str(w) for w in (*before, *command, callers)]
    process = subprocess.Popen(words, env=environment(**setting), stdout=subprocess.DEVNULL)
    samples = above = 0
    tasks = pathlib.Path(f"/proc/{process.pid}/task")
    while process.poll() is None:
        try:
            n = sum(running(each) for each in tasks.iterdir())
        except OSError:
            break
        samples += n > 1
        above += n > cores
        time.sleep(0.0005)
    process.wait()
    return samples, above


def compare(options, name, command, callers):
    names = list(contenders(options))
    runs = {c: [] for c in names}
    for _ in range(options.reps):
        for c in names:
            runs[c].append(run(options, command, callers, c))
    wall = {c: statistics.median(r[0] for r in runs[c]) for c in names}
    best = min((c for c in names if c != "kasuri"), key=wall.get)
    wanted = runs["own"][0][1]
    same = all(abs(r[1] - wanted) <= 1e-6 * abs(wanted) for r in runs["kasuri"])
    samples, above = count_threads(options, command, callers)
    here, own = wall["kasuri"], wall["own"]
    print(f"{name:<10} {callers:>7} {here:>8.3f} s {own:>8.3f} s {here / own:>6.2f} {wall[best]:>8.3f} s"
          f" {here / wall[best]:>6.2f}  {above} of {samples}  {best}"
          + ("" if same else "  DIFFERENT RESULTS"), flush=True)
    if options.all:
        for c in names:
            print(f"    {c:<30} {wall[c]:>8.3f} s", flush=True)
    return same, wall["kasuri"] / wall["own"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--python", required=True, help="an interpreter that has the packages")
    parser.add_argument("--kasuri", type=pathlib.Path, default=ROOT / "build/bin/kasuri")
    parser.add_argument("--libomp", type=pathlib.Path, default=pathlib.Path("/usr/lib/llvm-19/lib/libomp.so.5"))
    parser.add_argument("--mixes", nargs="+", choices=ALL, default=ALL)
    parser.add_argument("--callers", nargs="+", type=int, default=(1, 8), help="threads of the program")
    parser.add_argument("--reps", type=int, default=5)
    parser.add_argument("--limit", type=int, default=300, help="seconds that a process may take")
    parser.add_argument("--quick", action="store_true", help=f"of the settings {', '.join(QUICK)} alone")
    parser.add_argument("--all", action="store_true", help="a line for each setting too")
    options = parser.parse_args()
    for name, file in (("--python", options.python), ("--kasuri", options.kasuri)):
        if not os.access(file, os.X_OK):
            parser.error(f"{name} {file}: not a program that can be started")
    if not options.libomp.exists():
        parser.error(f"--libomp {options.libomp}: no such file; accepted: libomp.so.5")
    for name, value in (("--reps", options.reps), ("--callers", min(options.callers)), ("--limit", options.limit)):
        if value < 1:
            parser.error(f"{name} {value}: accepted: whole numbers from 1")
    return options


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        found = commands(options, pathlib.Path(folder))
        for name, reason in found.items():
            if isinstance(reason, str):
                print(f"{name}: left out: {reason}")
        print("mix        threads     Kasuri        own  ratio       best  ratio  samples with more threads than cores"
              "  best setting")
        done = [compare(options, n, c, callers) for n, c in found.items() if not isinstance(c, str)
                for callers in options.callers]
    if not done:
        sys.exit("mixes: nothing to run")
    print(f"geometric mean of Kasuri by own defaults: {statistics.geometric_mean(r for _, r in done):.3f}")
    return 0 if all(same for same, _ in done) else 1


if __name__ == "__main__":
    sys.exit(main())
