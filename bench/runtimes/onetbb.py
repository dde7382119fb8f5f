#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times of a stock oneTBB with its own threads and with workers from Kasuri, in turns.

  onetbb.py --kasuri BUILD [--rounds N] [--library FOLDER --include FOLDER] [--work FOLDER] [WHAT...]

Builds onetbb.cpp with g++ and runs each of loop, short, fib, sort and mix N times each way, one way after the other;
prints the medians and their ratio.
"""

import argparse
import os
import statistics
import subprocess
from pathlib import Path

ALL = ("loop", "short", "fib", "sort", "mix")


def value(program, what, environment):
    done = subprocess.run([program, what], capture_output=True, text=True, check=True, env={**os.environ, **environment})
    number, unit = done.stdout.split(maxsplit=1)
    return float(number), unit.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kasuri", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--library", type=Path)
    parser.add_argument("--include", type=Path)
    parser.add_argument("--work", type=Path, default=Path("."))
    parser.add_argument("what", nargs="*", choices=[[], *ALL])
    options = parser.parse_args()
    program = (options.work / "onetbb").resolve()
    found = [f"-I{options.include.resolve()}"] if options.include else []
    library = [str(options.library.resolve() / "libtbb.so.12"), f"-Wl,-rpath,{options.library.resolve()}"] \
        if options.library else ["-ltbb"]
    source = Path(__file__).with_suffix(".cpp")
    subprocess.run(["g++", "-std=c++17", "-O2", "-fopenmp", *found, source, *library, "-o", program], check=True)
    omp = options.kasuri.resolve() / "lib" / "kasuri" / "omp"
    preload = {"LD_PRELOAD": str(omp / "libgomp.so.1"), "LD_LIBRARY_PATH": str(omp)}
    for what in options.what or ALL:
        plain, ours, unit = [], [], ""
        for _ in range(options.rounds):
            number, unit = value(program, what, {})
            plain.append(number)
            ours.append(value(program, what, preload)[0])
        a, b = statistics.median(plain), statistics.median(ours)
        print(f"{what:6} own threads {a:10.3f}  Kasuri {b:10.3f}  ratio {b / a:.3f}  ({unit})", flush=True)


if __name__ == "__main__":
    main()
