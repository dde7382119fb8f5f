#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""oneTBB's own tests against a stock library, with its own threads and with workers from Kasuri.

  own_tests.py --source ONETBB --library FOLDER --kasuri BUILD [--work FOLDER] [--timeout S] [--jobs N] [NAME...]

ONETBB is a source tree of oneTBB (its folders `test` and `include`) of the same version as FOLDER/libtbb.so.12. BUILD is
a tree in which Kasuri was built. Each NAME is a test, as test_task_group; without names all of `test/tbb` and
`test/conformance` but those that look inside the library. A test is built once, without optimisation, and runs twice:
plain, and under the preload. A line for each says how both ended; the last one counts them. The status is 1 if one
passed plain and not under the preload.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# They compile sources of the library into themselves, or read its records, and test those.
INSIDE = {"test_concurrent_queue_whitebox", "test_concurrent_monitor", "test_semaphore", "test_dynamic_link",
          "test_environment_whitebox", "test_handle_perror", "test_intrusive_list", "test_cgroup_support", "test_tbbbind",
          "test_parallel_phase", "test_flow_graph_whitebox", "test_fuzzing", "test_tagged_msg", "test_arena_constraints",
          "test_adaptive_mutex"}
# Of other libraries, or parts that another source file is linked to.
ELSEWHERE = {"test_tbb_header", "test_tbb_header_secondary", "test_malloc", "test_implicit_linkage_on_windows",
             "conformance_arena_constraints"}


def names(source):
    for folder in ("test/tbb", "test/conformance"):
        for path in sorted((source / folder).glob("*.cpp")):
            if path.stem not in INSIDE | ELSEWHERE:
                yield path.stem


def build(options, name):
    program = options.work / name
    if program.exists():
        return program, ""
    folder = "conformance" if name.startswith("conformance_") else "tbb"
    library = options.library / "libtbb.so.12"
    command = ["g++", "-std=c++17", "-O0", "-w", "-mrtm", "-mwaitpkg", "-fopenmp",
               f"-I{options.source}/include", f"-I{options.source}", f"-I{options.source}/test", "-rdynamic",
               str(options.source / "test" / folder / f"{name}.cpp"), "-o", str(program), str(library),
               f"-Wl,-rpath,{options.library}", "-ldl", "-lpthread"]
    done = subprocess.run(command, capture_output=True, text=True)
    return (program, "") if done.returncode == 0 else (None, done.stderr[-2000:])


def run(options, program, environment):
    """(how it ended, the cases that passed, what it said)."""
    began = time.monotonic()
    try:
        done = subprocess.run([str(program)], capture_output=True, timeout=options.timeout, cwd=options.work,
                              env={**os.environ, **environment})
    except subprocess.TimeoutExpired as late:
        return "timeout", "", (late.stdout or b"") + (late.stderr or b"")
    text = done.stdout + done.stderr
    took = f"{time.monotonic() - began:.1f} s"
    cases = re.search(rb"test cases:\s*(\d+) \|\s*(\d+) passed", text)
    said = f"{cases[2].decode()}/{cases[1].decode()} cases, {took}" if cases else took
    return ("passed" if done.returncode == 0 else f"status {done.returncode}"), said, text


def judge(options, name):
    program, why = build(options, name)
    if program is None:
        (options.work / f"{name}.log").write_text(why)
        return name, ("not built", ""), ("not built", "")
    omp = options.kasuri / "lib" / "kasuri" / "omp"
    preload = {"LD_PRELOAD": str(omp / "libgomp.so.1"), "LD_LIBRARY_PATH": str(omp)}
    plain = run(options, program, {}) if not options.only_kasuri else ("", "", b"")
    ours = run(options, program, preload)
    (options.work / f"{name}.log").write_bytes(b"plain:\n" + plain[2] + b"\nKasuri:\n" + ours[2])
    return name, plain[:2], ours[:2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--kasuri", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("onetbb-tests"))
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only-kasuri", action="store_true", help="leave the plain run out")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for each in ("source", "library", "kasuri", "work"):
        setattr(options, each, getattr(options, each).resolve())
    options.work.mkdir(parents=True, exist_ok=True)
    worse, both, other = [], 0, []
    with ThreadPoolExecutor(options.jobs) as pool:
        for name, plain, ours in pool.map(lambda n: judge(options, n), options.names or names(options.source)):
            print(f"{name:45} plain: {plain[0]} ({plain[1]})  Kasuri: {ours[0]} ({ours[1]})", flush=True)
            if plain[0] == ours[0] == "passed" or (options.only_kasuri and ours[0] == "passed"):
                both += 1
            elif plain[0] == "passed" or options.only_kasuri:
                worse.append(name)
            else:
                other.append(name)
    print(f"{both} pass; worse with Kasuri: {' '.join(worse) or 'none'}; not plain either: {' '.join(other) or 'none'}")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
