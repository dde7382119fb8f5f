#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares OpenMP runtimes on random programs with a known answer.

  fuzz.py --build DIR --stock --count 100               under the compilers' own runtimes
  fuzz.py --build DIR --runtime kasuri=RT --count 100   under the runtime in folder RT
  fuzz.py --build DIR --runtime kasuri=RT --seed 4711   the one program of this seed, kept in DIR

Each program is built by each compiler and run under each runtime with several OMP_NUM_THREADS.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import shutil
import subprocess
import sys

import fuzz_program

COMPILERS = {"gcc": ["-fopenmp"], "clang-19": ["-fopenmp=libomp"]}


def environment(folder, threads):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "KMP_"))}
    env["OMP_NUM_THREADS"] = str(threads)
    env["OMP_SCHEDULE"] = "dynamic,2"
    env["OMP_CANCELLATION"] = "true"
    if folder:
        env["LD_LIBRARY_PATH"] = f"{folder}:{env.get('LD_LIBRARY_PATH', '')}".rstrip(":")
    else:
        env["OMP_WAIT_POLICY"] = "passive"
    return env


def build(source, compiler, optimisation):
    """The program, or what the compiler said."""
    binary = source.with_suffix("." + compiler)
    done = subprocess.run([compiler, "-w", optimisation, *COMPILERS[compiler], str(source), "-o",
                           str(binary)], capture_output=True, text=True)
    return (binary, "") if done.returncode == 0 else (None, done.stderr[:1500])


def run(binary, folder, threads, wanted, timeout):
    """What went wrong, or nothing."""
    try:
        done = subprocess.run([str(binary)], env=environment(folder, threads), text=True,
                              capture_output=True, timeout=timeout, errors="replace")
    except subprocess.TimeoutExpired:
        return f"no end within {timeout} s"
    if done.returncode != 0:
        return f"exit status {done.returncode}\n{(done.stdout + done.stderr)[:1000]}"
    if done.stdout != wanted:
        return f"printed {done.stdout.split()}, not {wanted.split()}"
    return ""


def try_seed(seed, options):
    """Every failure of this seed's program, each as text."""
    text, answer = fuzz_program.generate(seed)
    source = options.build / f"fuzz_{seed}.c"
    source.write_text(text)
    failures = []
    for compiler in options.compilers:
        optimisation = "-O" + str(seed % 3) if options.vary else "-O1"
        binary, complaint = build(source, compiler, optimisation)
        if not binary:
            failures.append(f"{compiler}: {complaint}")
            continue
        for name, folder in options.runtimes:
            for threads in options.threads:
                wrong = run(binary, folder, threads, answer(threads), options.timeout)
                if wrong:
                    failures.append(f"{compiler} {name}, {threads} threads: {wrong}")
        if not options.keep:
            binary.unlink()
    if not options.keep and not failures:
        source.unlink()
    return failures


def named_folder(text):
    name, _, folder = text.partition("=")
    if not folder or not pathlib.Path(folder).is_dir():
        raise argparse.ArgumentTypeError(f"{text}: wanted NAME=FOLDER, and the folder must exist")
    return name, folder


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="folder for the programs")
    parser.add_argument("--stock", action="store_true", help="also the compilers' own runtimes")
    parser.add_argument("--runtime", type=named_folder, action="append", default=[],
                        dest="runtimes", metavar="NAME=FOLDER")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, help="this program alone, and keep it")
    parser.add_argument("--first", type=int, help="seeds from here on; default: chosen at random")
    parser.add_argument("--compilers", type=lambda v: v.split(","), default=list(COMPILERS))
    parser.add_argument("--threads", type=lambda v: [int(n) for n in v.split(",")],
                        default=[1, 2, 5])
    parser.add_argument("--vary", action="store_true", help="-O0 to -O2 by seed, not -O1")
    parser.add_argument("--timeout", type=float, default=80)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.runtimes += [("stock", "")] if options.stock else []
    if not options.runtimes:
        parser.error("say --stock or --runtime NAME=FOLDER")
    unknown = set(options.compilers) - set(COMPILERS)
    if unknown:
        parser.error(f"--compilers {','.join(unknown)}: not known; "
                     f"accepted: {', '.join(COMPILERS)}")
    options.compilers = [c for c in options.compilers if shutil.which(c)]
    if not options.compilers:
        parser.error(f"none of these compilers is installed: {', '.join(COMPILERS)}")
    options.keep = options.seed is not None
    return options


def main():
    options = parse_arguments()
    options.build.mkdir(parents=True, exist_ok=True)
    first = random.SystemRandom().randrange(10**9) if options.first is None else options.first
    seeds = [options.seed] if options.keep else range(first, first + options.count)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for seed, failures in zip(seeds, pool.map(lambda s: try_seed(s, options), seeds)):
            failed += bool(failures)
            for failure in failures:
                print(f"FAILED: --seed {seed}: {failure}", flush=True)
    print(f"{len(seeds)} programs from seed {seeds[0]}, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
