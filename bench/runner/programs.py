# SPDX-License-Identifier: Apache-2.0
"""The benchmark programs that were built, and how one of them is run."""

import os
import re
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

import openmp_runtimes as openmp

NOT_APPLICABLE = 77  # a program's status where its problem makes no sense with the arguments
TIME_LIMIT = 600  # seconds for one process, by default
# Built by a compiler of their own, the same in every build folder.
OWN_COMPILER = ("rayon", "goroutines", "gcc-openmp", "llvm-openmp", "opencilk")
ON_KASURI = "-kasuri"  # an OpenMP program of another system, run under Kasuri's library
NAME = re.compile(r"bench_([a-z0-9-]+)_([a-z0-9-]+)")


@dataclass
class Program:
    benchmark: str
    system: str
    path: Path
    build: int
    setting: openmp.Setting = None  # of a program that meets a runtime by the loader's choice
    own_environment: dict = None

    def environment(self, workers=None):
        if self.own_environment:
            return {**os.environ, **self.own_environment}
        return self.setting.environment(workers) if self.setting else None

    def of_openmp_folder(self):
        return self.benchmark.startswith(openmp.PREFIX)


@dataclass
class Case:
    """One program with one variant, one set of parameters and one number of workers."""

    program: Program
    variant: str
    input: str
    workers: int
    trouble: str = ""
    timed_out: bool = False
    spent: float = 0  # seconds

    def key(self):
        return {"benchmark": self.program.benchmark, "system": self.program.system,
                "variant": self.variant, "input": self.input, "workers": self.workers}


def system_order(system):
    """The base line first, then Kasuri, then the others by name."""
    first = {"serial": 0, "pthread": 0, "futex": 0, "kasuri": 1}
    return (first.get(system, 2), system)


def find(folders, openmp_folder=None):
    """Every bench_<problem>_<system> of the folders, those of bench/openmp excepted; and those of
    OpenMP once more under Kasuri's library in `openmp_folder`."""
    found = []
    for index, folder in enumerate(folders):
        for path in sorted(folder.glob("bench_*_*")):
            match = NAME.fullmatch(path.name)
            if not match or match[1].startswith(openmp.PREFIX):
                continue
            if index > 0 and match[2] in OWN_COMPILER:
                continue
            found.append(Program(match[1], match[2], path, index))
            if openmp_folder and match[2] in ("gcc-openmp", "llvm-openmp"):
                found.append(under_kasuri(found[-1], openmp_folder))
    return sorted(found, key=lambda p: (p.benchmark, p.build, system_order(p.system)))


def under_kasuri(program, folder):
    before = [str(folder), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    return Program(program.benchmark, program.system + ON_KASURI, program.path, program.build,
                   own_environment={"LD_LIBRARY_PATH": ":".join(before)})


def wrong_runtime(program):
    """Why a program of under_kasuri does not meet Kasuri's library; "" when it does."""
    if not program.own_environment:
        return ""
    folder = program.own_environment["LD_LIBRARY_PATH"].split(":")[0]
    environment = {**program.environment(), "LD_TRACE_LOADED_OBJECTS": "1"}
    done = subprocess.run([program.path], env=environment, capture_output=True, text=True,
                          timeout=openmp.PROBE_LIMIT, check=False)
    loaded = re.findall(r"lib(?:g|i)?omp5?\.so\S* => (\S+)", done.stdout)
    if any(Path(file).parent == Path(folder) for file in loaded):
        return ""
    return f"the loader took {', '.join(loaded) or 'no OpenMP library'}, not that in {folder}"


def execute(program, arguments, limit=TIME_LIMIT, workers=None, more=None):
    """(standard output or None, why not: one line, "" where the case does not apply, timed out);
    `more` goes into its environment."""
    environment = program.environment(workers)
    if more:
        environment = {**(environment or os.environ), **more}
    try:
        process = subprocess.Popen([program.path, *arguments], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, errors="replace",
                                   env=environment, start_new_session=True)
    except OSError as error:
        return None, str(error), False
    try:
        output, errors = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # whatever it started, too
        process.communicate()
        return None, f"not finished after {limit} s", True
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    if process.returncode == 0:
        return output, "", False
    if process.returncode == NOT_APPLICABLE:
        return None, "", False
    return None, reason(process.returncode, errors), False


def reason(status, errors):
    if status < 0:
        try:
            what = f"ended by signal {-status} ({signal.Signals(-status).name})"
        except ValueError:
            what = f"ended by signal {-status}"
    else:
        what = f"status {status}"
    message = "; ".join(errors.split("\n")).strip("; ")[:300]
    return f"{what}: {message}" if message else what


def variants_of(program, quick=False):
    """([(variant, input)], trouble) as the program lists them."""
    listed, trouble, _ = execute(program, ["--list", *(["--quick"] if quick else [])],
                                 openmp.PROBE_LIMIT)
    lines = (listed or "").split("\n")[:-1]
    pairs = [tuple((line + "\t").split("\t")[:2]) for line in lines]
    return pairs or [("", "")], trouble
