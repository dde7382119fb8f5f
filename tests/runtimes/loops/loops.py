#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FFTW and Blosc on the pool: a stand-in that has their entry points, and FFTW itself where its headers are.

  loops.py --runtime build/lib/kasuri/omp --build DIR
"""

import argparse
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Settings, and what the stand-in is served by then: 1 FFTW's callback, 2 Blosc's.
SETTINGS = [({}, 3), ({"KASURI_FFTW": "off"}, 2), ({"KASURI_BLOSC": "off"}, 1)]
# Prefix of the names, libraries, largest error of a value.
FFTW = [("fftw", ["-lfftw3_threads", "-lfftw3"], "1e-6"), ("fftwf", ["-lfftw3f_threads", "-lfftw3f"], "1e1"),
        ("fftw", ["-lfftw3_omp", "-lfftw3"], "1e-6")]


def compile_c(*words):
    return subprocess.run(["gcc", "-O1", *words], capture_output=True, text=True)


def run(label, program, words, env):
    try:
        done = subprocess.run([program, *words], env=env, capture_output=True, text=True, timeout=110)
    except subprocess.TimeoutExpired:
        print(f"{label}: does not end")
        return False
    right = done.returncode == 0 and done.stdout == "right\n" and not done.stderr
    print(f"{label}: {done.stdout.strip()} {done.stderr.strip()[:300]}{'' if right else ' FAILED'}")
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runtime", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    folder = options.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "KMP_", "KASURI_"))}
    env["LD_PRELOAD"] = str(options.runtime.resolve() / "libgomp.so.1")
    right = True
    library, program = folder / "libstand_in_loops.so", folder / "loops_calls"
    compile_c("-shared", "-fPIC", HERE / "stand_in_loops.c", "-o", library).check_returncode()
    compile_c("-fopenmp", HERE / "loops_calls.c", "-o", program, library, f"-Wl,-rpath,{folder}").check_returncode()
    for settings, served in SETTINGS:
        right &= run(f"stand-in {settings}", program, [str(served)], env | settings)
    for prefix, libraries, error in FFTW:
        real = folder / f"{prefix}{libraries[0]}"
        done = compile_c("-fopenmp", HERE / "fftw.c", f"-DPRECISION(name)={prefix}_##name",
                         f"-DLARGEST_ERROR={error}", "-o", real, *libraries, "-lm")
        if done.returncode != 0:
            print(f"{libraries[0]}: left out, the compiler does not find it: {done.stderr.splitlines()[0]}")
            continue
        right &= run(f"{libraries[0]} {prefix}", real, [], env)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
