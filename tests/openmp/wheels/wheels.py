#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packages whose wheels bring a libgomp give the same results under `kasuri run` as under it, in one
and in several Python threads, and have one pool also where libgomp and libomp are loaded beside.

  wheels.py --kasuri build/bin/kasuri --python VENV/bin/python

--python, or KASURI_TEST_PYTHON: an interpreter with scikit-learn, pykdtree, faiss-cpu, or some of
them.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

import os_threads

HERE = pathlib.Path(__file__).resolve().parent
LEFT_OUT = 77
WORKERS = 2
PACKAGES = {"gradient_boosting": "sklearn", "kmeans": "sklearn", "pykdtree": "pykdtree",
            "faiss": "faiss"}
SETTINGS = [(1, 1), (1, 2), (1, 8), (4, 2), (4, 8)]  # Python threads, OMP_NUM_THREADS
# Sums in another order, where the members of a team add up.
TOLERANCE = 1e-6


def fits(options, package, threads, members, kasuri, runtimes=()):
    """Results by Python thread and names of OS threads; or what went wrong, as a text."""
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("OMP_", "GOMP_", "KMP_", "KASURI_"))}
    env["OMP_NUM_THREADS"] = str(members)
    env["OPENBLAS_NUM_THREADS"] = "1"  # a pool of its own, and not ours
    command = [options.python, HERE / "fits.py", package, threads, *runtimes]
    if kasuri:
        command = [options.kasuri, "run", "--workers", WORKERS, "--", *command]
    try:
        done = subprocess.run([str(c) for c in command], env=env, capture_output=True, text=True,
                              timeout=options.timeout)
    except subprocess.TimeoutExpired:
        return f"no end within {options.timeout} s"
    if done.returncode != 0 or done.stderr:
        return f"status {done.returncode}: {done.stderr.strip()[-500:]}"
    return json.loads(done.stdout)


def differ(a, b):
    return len(a) != len(b) or not all(math.isclose(x, y, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
                                       for x, y in zip(a, b))


def complaints(options, package):
    for threads, members in SETTINGS:
        where = f"{package}, {threads} Python threads, OMP_NUM_THREADS={members}"
        own, ours = (fits(options, package, threads, members, k) for k in (False, True))
        if isinstance(own, str):
            yield f"{where}: under its own runtime: {own}"
        elif isinstance(ours, str):
            yield f"{where}: {ours}"
        else:
            if any(differ(r, own["results"][0]) for r in ours["results"]):
                yield f"{where}: another result"
            yield from (f"{where}: {c}" for c in os_threads.complaints(ours["threads"]))
    together = fits(options, package, 2, 4, True, ["libgomp.so.1", "libomp.so.5"])
    if isinstance(together, str):
        yield f"{package}, with libgomp and libomp loaded: {together}"
    else:
        yield from (f"{package}, with libgomp and libomp loaded: {c}"
                    for c in os_threads.complaints(together["threads"]))


def has_own_runtime(options, module):
    """Whether the module is there and its wheel brings a libgomp; says why not."""
    find = (f"import importlib.metadata, sys\n"
            f"names = importlib.metadata.packages_distributions().get({module!r}, [])\n"
            f"files = [f for n in names for f in importlib.metadata.files(n) or []]\n"
            f"sys.exit(0 if any('libgomp-' in f.name for f in files) else 1)")
    done = subprocess.run([options.python, "-c", find], capture_output=True, text=True, timeout=60)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kasuri", type=pathlib.Path, required=True, help="the kasuri command")
    parser.add_argument("--python", default=os.environ.get("KASURI_TEST_PYTHON"))
    parser.add_argument("--timeout", type=float, default=100, help="seconds for one process")
    options = parser.parse_args()
    if not options.python:
        print("left out: KASURI_TEST_PYTHON names no interpreter with scikit-learn")
        return LEFT_OUT
    if not os.access(options.python, os.X_OK):
        parser.error(f"--python {options.python}: not a program; accepted: a Python interpreter")
    options.kasuri = options.kasuri.resolve()
    there = {module for module in set(PACKAGES.values()) if has_own_runtime(options, module)}
    for module in sorted(set(PACKAGES.values()) - there):
        print(f"left out: {module}: {options.python} has no wheel of it that brings a libgomp")
    if not there:
        return LEFT_OUT
    failed = 0
    for package in (p for p, module in PACKAGES.items() if module in there):
        found = list(complaints(options, package))
        failed += len(found)
        print("\n".join(f"FAILED: {c}" for c in found) or f"{package}: the same results, one pool",
              flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
