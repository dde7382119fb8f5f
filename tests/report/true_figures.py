#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares work and span of profiles with what the programs count themselves (programs/figures).

usage: true_figures.py [--build DIR] [--workers 1,2] [--runs N] [--busy] [NAME...]

Prints a table: program, workers, work and span as counted and as recorded, the differences. Medians of the
differences count. Ends with status 1 where one is above 5 %.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import judge

# Repetitions that take about a second of work.
ALL = {
    "tasks/bin": 300,
    "tasks/fib": 150,
    "tasks/uts": 25,
    "tasks/group": 100,
    "tasks/cilksort": 10,
    "openmp/loop": 1000,
    "openmp/flat": 100,
    "openmp/tree": 15,
}
# Their work depends on how it is dealt out, or on the caches.
AS_IT_RUNS = ("openmp/loop", "tasks/cilksort")
MOST = 0.05


class Programs:
    def __init__(self, build, folder):
        self._programs = build / "tests/report/figures"
        self._libraries = f"{build}/lib:{build}/lib/kasuri/omp"
        self._profile = pathlib.Path(folder) / "profile"

    def _run(self, name, repetitions, workers, profile):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("KASURI_", "OMP_"))}
        env |= {"KASURI_NUM_WORKERS": str(workers), "OMP_NUM_THREADS": str(workers),
                "LD_LIBRARY_PATH": self._libraries}
        if profile:
            env["KASURI_PROFILE"] = str(self._profile)
        run = subprocess.run([self._programs / name, str(repetitions)], env=env, text=True, capture_output=True,
                             check=False, timeout=600)
        if run.returncode != 0:
            sys.exit(f"{name}: status {run.returncode}: {run.stderr}")
        return json.loads(run.stdout)

    def counted_apart(self, name, repetitions):
        """Without a recording, on one worker, where only that is the truth: the least of some runs."""
        return min((self._run(name, repetitions, 1, False) for _ in range(5)), key=lambda run: run["work_s"])

    def recorded(self, name, repetitions, workers):
        """(what it counted, what the profile says)."""
        counted = self._run(name, repetitions, workers, True)
        return counted, json.loads(self._profile.read_text().splitlines()[-1])


def figures_of(profile, of_nothing):
    """Work and span of the program without what every program has, and, where it has forks, of their tree alone."""
    spans, tree = profile["spans"], profile.get("forks", {}).get("tree", {})
    if tree.get("work_s", 0) > 0:
        return tree["work_s"], tree["span_s"]
    least = of_nothing["spans"]
    return spans["work_s"] - least["work_s"], spans["span_s"] - least["span_s"]


def differences(programs, name, repetitions, workers, args):
    """Of each run (work counted and recorded, span counted and recorded), in seconds."""
    apart = programs.counted_apart(name, repetitions) if name not in AS_IT_RUNS else None
    of_nothing = programs.recorded(name, 0, workers)[1]
    for _ in range(args.runs):
        with judge.busy_processes(judge.measure.CPUS if args.busy else 0):
            counted, profile = programs.recorded(name, repetitions, workers)
        counted = apart or counted
        work, span = figures_of(profile, of_nothing)
        yield counted["work_s"], work, counted["span_s"], span


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="the build folder (build)")
    parser.add_argument("--workers", default="1,2", help="numbers of workers (1,2)")
    parser.add_argument("--runs", type=int, default=3, help="of each, medians count (3)")
    parser.add_argument("--percent", type=int, default=100, help="of the usual work (100)")
    parser.add_argument("--busy", action="store_true", help="beside as many busy processes as there are CPUs")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(ALL)} (all)")
    args = parser.parse_args()
    for name in args.names:
        if name not in ALL:
            parser.error(f"the program is {name}; accepted: {', '.join(ALL)}")
    return args


def main():
    args = arguments()
    print("| program | workers | work counted s | recorded s | difference | span counted s | recorded s | difference |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(pathlib.Path(args.build).resolve(), folder)
        for name in args.names or ALL:
            repetitions = max(1, ALL[name] * args.percent // 100)
            for workers in map(int, args.workers.split(",")):
                runs = list(differences(programs, name, repetitions, workers, args))
                work = statistics.median(r[1] / r[0] - 1 for r in runs)
                span = statistics.median(r[3] / r[2] - 1 for r in runs)
                mean = [statistics.median(r[i] for r in runs) for i in range(4)]
                print(f"| {name} | {workers} | {mean[0]:.4f} | {mean[1]:.4f} | {100 * work:+.1f} % | {mean[2]:.6f} "
                      f"| {mean[3]:.6f} | {100 * span:+.1f} % |", flush=True)
                worst = max(worst, abs(work), abs(span))
    sys.exit(0 if worst <= MOST else 1)


if __name__ == "__main__":
    main()
