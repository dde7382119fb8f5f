#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the OpenMP conformance programs and runs them under a runtime, each in several settings.

  run.py --build DIR --stock                      everything, under the compilers' own runtimes
  run.py --build DIR --runtime RT task for_static these programs, under the runtime in folder RT
  run.py --build DIR --build-only --compilers gcc task
  run.py --build DIR --runtime RT --sanitize thread   with programs that have races, which must be told

A program says on a line `test: key=value ...` of its first comment what is special about it:
  compilers=gcc,g++   only these build it        flags=-x,-y   more arguments for the compiler
  env=A=1 env=B=2     set when it runs           threads=1,4   values of OMP_NUM_THREADS
  nested=2 or nested=no   values when test() runs as a nested region
  status=N            the exit status wanted, or the word failure
  output=TEXT         what it has to print, ~ for a blank
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FLAGS = ["-O1", "-g", "-w", f"-I{HERE}"]
# Clang's programs call libatomic for atomic operations of 16 bytes.
COMPILERS = {
    "gcc": ("c", [*FLAGS, "-fopenmp"], ["-lpthread"]),
    "clang-19": ("c", [*FLAGS, "-fopenmp=libomp"], ["-latomic", "-lpthread"]),
    "g++": ("cpp", [*FLAGS, "-std=c++20", "-fopenmp"], ["-lpthread"]),
    "clang++-19": ("cpp", [*FLAGS, "-std=c++20", "-fopenmp=libomp"], ["-latomic", "-lpthread"]),
    "gfortran": ("fortran", [*FLAGS, "-cpp", "-ffree-line-length-none", "-fopenmp"], []),
}
STOCK = {"gcc": "libgomp", "g++": "libgomp", "gfortran": "libgomp",
         "clang-19": "libomp", "clang++-19": "libomp"}
SUFFIX = {"c": ".c", "cpp": ".cpp", "fortran": ".f90"}

# Programs that a stock runtime does not pass as a whole, and why. Where it fails a part of a
# program, the program says so: known_bug().
KNOWN_STOCK_FAILURES = {
    ("libgomp", "fork.c"): "GCC PR 60035: a child of fork hangs in its first region",
    ("libgomp", "task_sleepers.c"): "a member in a taskwait runs children of the task only",
    ("libomp", "pause_private_copies.c"): "does not start again behind a hard pause: it waits for its own lock",
    ("libomp", "pause_resource.c"): "does not start again behind a hard pause: it waits for its own lock",
    ("libomp", "task_sleepers.c"): "not all that sleep are woken, with four threads",
    ("libgomp", "teams.f90"): "the second team's region hangs now and then with four threads",
}

# By sanitizer. ThreadSanitizer sees what the compiler leaves of the program: at -O1 Clang reads what a
# section writes before it knows whether the section is the member's.
SANITIZE = {
    "thread": {"gcc": ["-fsanitize=thread"], "clang": ["-fsanitize=thread", "-O0"]},
    "address": {"gcc": ["-fsanitize=address"], "clang": ["-fsanitize=address"]},
}
SANITIZER_SETTINGS = {
    "thread": {"TSAN_OPTIONS": "die_after_fork=0"},
    "address": {"ASAN_OPTIONS": "detect_leaks=0"},
}
RACES = "race"  # the folder of programs that ThreadSanitizer must complain of

# Where the sanitizer complains of a program, and not because of the runtime.
KNOWN_SANITIZER_REPORTS = {
    ("address", "gcc", "no_allocation.c"): "it has a malloc of its own, as AddressSanitizer has",
    **{(sanitizer, family, "kernel_mutex.c"):
       "the sanitizer goes from its own pthread_mutex_lock to the C library's, past the runtime's"
       for sanitizer in ("thread", "address") for family in ("gcc", "clang")},
    ("thread", "gcc", "flush.c"): "a flush of GCC is a fence, of which ThreadSanitizer knows nothing",
    ("thread", "clang", "parallel_reduction.c"):
        "Clang's initialisers of reductions read omp_orig while other members combine into it",
}


@dataclasses.dataclass
class Program:
    source: pathlib.Path
    settings: dict
    environment: dict

    @property
    def name(self):
        return self.source.stem

    def get(self, key, default):
        return self.settings[key].split(",") if key in self.settings else default


@dataclasses.dataclass
class Case:
    compiler: str
    program: Program
    threads: int
    nested: bool

    def __str__(self):
        nested = ", nested" if self.nested else ""
        return f"{self.compiler} {self.program.name}, {self.threads} threads{nested}"


def read_program(source):
    settings, environment = {}, {}
    for line in source.read_text().splitlines()[:12]:
        text = line.lstrip("/!* ")
        if text.startswith("test:"):
            items = [item.split("=", 1) for item in text[5:].split()]
            settings.update(item for item in items if item[0] != "env")
            environment.update(value.split("=", 1) for key, value in items if key == "env")
        elif re.search(r"\btest:", text):
            sys.exit(f"{source}: `test:` stands within a line; accepted: at the beginning of one")
    return Program(source, settings, environment)


def family_of(compiler):
    return "clang" if compiler.startswith("clang") else "gcc"


def programs_of(compiler, names, sanitize):
    language = COMPILERS[compiler][0]
    sources = sorted((HERE / language).glob("*" + SUFFIX[language]))
    if sanitize == "thread":
        sources += sorted((HERE / RACES).glob("*" + SUFFIX[language]))
    for source in sources:
        program = read_program(source)
        if names and program.name not in names:
            continue
        if compiler in program.get("compilers", [compiler]):
            yield program


def binary_of(build, compiler, program):
    return build / compiler / program.name


def compile_program(build, compiler, program, more_flags):
    """The compiler's complaint, or nothing. A binary newer than its sources stays."""
    binary = binary_of(build, compiler, program)
    language, flags, libraries = COMPILERS[compiler]
    sources = [program.source]
    if language == "fortran":
        modules = build / compiler / (program.name + ".mod.d")
        modules.mkdir(parents=True, exist_ok=True)
        flags = [*flags, f"-J{modules}"]
        sources = [HERE / "support" / "check.f90", program.source]
    inputs = [*sources, pathlib.Path(__file__), *(HERE / "support").iterdir(),
              *program.source.parent.glob("*.h")]
    if program.name == "routines_8":
        inputs.append(program.source.with_name("routines.f90"))
    if binary.exists() and binary.stat().st_mtime > max(s.stat().st_mtime for s in inputs):
        return ""
    binary.parent.mkdir(parents=True, exist_ok=True)
    command = [compiler, *flags, *program.get("flags", []), *more_flags, *map(str, sources), "-o",
               str(binary), *libraries]
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{' '.join(command)}\n{done.stderr[:800]}"


def cases_of(compiler, program, options):
    """Every setting in which the program runs under this compiler's runtime."""
    is_race = program.source.parent.name == RACES  # its settings are what makes it one
    threads = (not is_race and options.threads) or program.get("threads", ["1", "2", "4", "16"])
    nested = (not is_race and options.nested) or program.get("nested", ["2", "4"])
    flat_cases = [Case(compiler, program, int(n), False) for n in threads]
    if program.get("nested", []) == ["no"] or nested == ["no"]:
        return flat_cases
    return flat_cases + [Case(compiler, program, int(n), True) for n in nested]


def known_failure(options, case):
    if options.sanitize:
        return KNOWN_SANITIZER_REPORTS.get((options.sanitize, family_of(case.compiler),
                                            case.program.source.name))
    if not options.stock:
        return None
    return KNOWN_STOCK_FAILURES.get((STOCK[case.compiler], case.program.source.name))


def environment_of(case, options):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "KMP_"))}
    env.update(case.program.environment)
    env["OMP_NUM_THREADS"] = str(case.threads)
    env["TEST_NESTED"] = "1" if case.nested else "0"
    if options.stock:
        env["TEST_STOCK"] = STOCK[case.compiler]
        env.setdefault("OMP_WAIT_POLICY", "passive")  # stock runtimes spin for long otherwise
    else:
        env["LD_LIBRARY_PATH"] = f"{options.runtime}:{env.get('LD_LIBRARY_PATH', '')}".rstrip(":")
    env.update(SANITIZER_SETTINGS.get(options.sanitize, {}))
    env.update(item.split("=", 1) for item in options.env)
    return env


def command_of(binary, options):
    """ThreadSanitizer wants its shadow where many random address bits would put the program."""
    if options.sanitize == "thread" and shutil.which("setarch"):
        return ["setarch", platform.machine(), "-R", str(binary)]
    return [str(binary)]


def shorten(text):
    """The first lines, each once."""
    return "\n".join(list(dict.fromkeys(text.splitlines()))[:12])


def run_case(case, options):
    """What went wrong, or nothing."""
    binary = binary_of(options.build, case.compiler, case.program)
    try:
        done = subprocess.run(command_of(binary, options), env=environment_of(case, options), text=True,
                              capture_output=True, timeout=options.timeout, errors="replace")
    except subprocess.TimeoutExpired as late:
        said = (late.stdout or b"").decode(errors="replace")
        return f"no end within {options.timeout} s\n{shorten(said)}"
    wanted = case.program.settings.get("status", "0")
    as_wanted = done.returncode != 0 if wanted == "failure" else done.returncode == int(wanted)
    output = case.program.settings.get("output", "").replace("~", " ")
    said = done.stdout + done.stderr
    if as_wanted and output in said:
        return ""
    return f"exit status {done.returncode}\n{shorten(said)}"


def flags_of(compiler, options):
    return SANITIZE.get(options.sanitize, {}).get(family_of(compiler), []) + options.flags


def build_all(options, work):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [(c, p, pool.submit(compile_program, options.build, c, p, flags_of(c, options)))
                for c, p in work]
        broken = [(c, p, j.result()) for c, p, j in jobs if j.result()]
    for compiler, program, complaint in broken:
        print(f"FAILED: {compiler} cannot build {program.name}\n{complaint}")
    return broken


def run_all(options, cases):
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, result in zip(cases, pool.map(lambda c: run_case(c, options), cases)):
            if result:
                failed += 1
                print(f"FAILED: {case}: {result}", flush=True)
    return failed


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("programs", nargs="*", help="names without suffix; default: all")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="folder of the binaries")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--no-build", action="store_true", help="the binaries are there")
    parser.add_argument("--stock", action="store_true", help="under the compilers' own runtimes")
    parser.add_argument("--runtime", type=pathlib.Path, help="folder with the runtime to test")
    parser.add_argument("--compilers", type=lambda v: v.split(","), default=list(COMPILERS))
    parser.add_argument("--threads", type=lambda v: v.split(","), default=[])
    parser.add_argument("--nested", type=lambda v: v.split(","), default=[])
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--flags", type=lambda v: v.split(","), default=[],
                        help="more for the compilers, as -fsanitize=thread; in a folder of its own")
    parser.add_argument("--sanitize", choices=sorted(SANITIZE),
                        help="build the programs by it; in a folder of its own")
    parser.add_argument("--timeout", type=float, default=80)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="print COMPILER PROGRAM SOURCE and end")
    options = parser.parse_args()
    unknown = set(options.compilers) - set(COMPILERS)
    if unknown:
        parser.error(f"--compilers {','.join(unknown)}: not known; "
                     f"accepted: {', '.join(COMPILERS)}")
    if not (options.stock or options.runtime or options.build_only or options.list):
        parser.error("say --stock or --runtime FOLDER")
    if options.runtime and not options.runtime.is_dir():
        parser.error(f"--runtime {options.runtime}: no such folder")
    options.build = options.build.resolve()
    return options


def main():
    options = parse_arguments()
    missing = [c for c in options.compilers if not shutil.which(c)]
    for compiler in missing:
        print(f"left out: {compiler} is not installed")
    work = [(c, p) for c in options.compilers if c not in missing
            for p in programs_of(c, options.programs, options.sanitize)]
    if options.list:
        print("\n".join(f"{c} {p.name} {p.source}" for c, p in work))
        return 0
    if not work:
        print(f"no program of that name: {' '.join(options.programs)}")
        return 2
    broken = [] if options.no_build else build_all(options, work)
    if options.build_only:
        return 1 if broken else 0
    names = {(c, p.name) for c, p, _ in broken}
    cases = [case for c, p in work if (c, p.name) not in names for case in cases_of(c, p, options)]
    known = [case for case in cases if known_failure(options, case)]
    for reason in sorted({f"{c.program.name}: {known_failure(options, c)}" for c in known}):
        print(f"left out: {reason}")
    cases = [case for case in cases if case not in known]
    failed = run_all(options, cases) + len(broken)
    print(f"{len(work)} programs, {len(cases)} runs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
