# SPDX-License-Identifier: Apache-2.0
"""The programs with one planted bottleneck each: how each is run, what the report must and must not say of it."""

import dataclasses
import os
import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parent / "programs"
MARK = re.compile(r"(?://|#) planted: (\w+)\s*$")


@dataclasses.dataclass(frozen=True)
class Tools:
    programs: str  # the folder they were built in
    runtime: str  # the folder of the OpenMP runtime
    kasuri: str = None  # the command


@dataclasses.dataclass(frozen=True)
class Program:
    name: str  # room/name; of OpenMP programs openmp/compiler/name
    rules: tuple  # any of these must come first; none: nothing may be found
    never: tuple = ()  # ... and these must not occur at all
    may_be_nothing: bool = False  # no finding is right too
    beside: bool = False  # run beside as many busy processes as there are CPUs
    settings: tuple = ()  # (name, value) of the environment
    by_hand: str = ""  # why it is left out unless it is named

    @property
    def has_place(self):
        """Nobody's line is to blame for other programs."""
        return not self.beside

    @property
    def has_gain(self):
        return bool(self.rules) and not self.beside

    @property
    def room(self):
        return self.name.split("/")[0]

    @property
    def stem(self):
        return self.name.split("/")[-1].removesuffix("+busy")

    def source(self):
        """The file with the mark."""
        own = SOURCES / self.room / f"{self.stem}.{ {'openmp': 'c', 'python': 'py'}.get(self.room, 'cpp')}"
        shared = SOURCES / "tasks/locked.hpp"
        return shared if self.stem in ("lock", "std_lock") and self.room == "tasks" else own

    def marked_lines(self):
        lines = self.source().read_text().splitlines()
        return [n for n, line in enumerate(lines, 1) if (m := MARK.search(line)) and m[1] in self.rules]

    def binary(self, tools):
        return pathlib.Path(tools.programs) / self.name.removesuffix("+busy")

    def command(self, tools, which, percent=100):
        """As it is run without a report."""
        command = self.reported(tools, which, percent)
        return [tools.kasuri, "run", "-n", "2", "--cluster", *command] if self.room == "cluster" else command

    def reported(self, tools, which, percent=100):
        """What stands behind `kasuri report --`."""
        if self.room == "python":
            return [sys.executable, str(self.source()), str(self.binary(tools).parent / "libregions.so"), which,
                    str(percent)]
        return [str(self.binary(tools)), which, str(percent)]

    def environment(self, tools):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("KASURI_", "OMP_"))}
        env["PYTHONDONTWRITEBYTECODE"] = "1"
        env.update(self.settings)
        if self.room in ("openmp", "python"):
            env["LD_LIBRARY_PATH"] = ":".join(filter(None, (str(tools.runtime), env.get("LD_LIBRARY_PATH"))))
        return env


def by_both(name, rules, never=(), **more):
    return [Program(f"openmp/{compiler}/{name}", rules, never, **more) for compiler in ("gcc", "clang-19")]


ALL = [
    Program("tasks/serial_prefix", ("serial",), ("imbalance",)),
    Program("tasks/serial_merge", ("parallelism", "serial"), ("wake", "late_steal")),
    Program("tasks/short_tasks", ("short_tasks",), ("parallelism",)),
    Program("tasks/uneven_tasks", ("uneven_tasks",), ("wake", "late_steal")),
    Program("tasks/lock", ("lock",), ("stretch",)),
    Program("tasks/std_lock", ("lock", "blocked"), ("stretch",)),
    Program("tasks/shared_line", ("stretch",)),
    Program("tasks/histogram", ("stretch",)),
    # Two processors do not use up the memory's bandwidth on most machines: see histogram.
    Program("tasks/triad", ("stretch",), may_be_nothing=True),
    Program("tasks/bursts", ("wake",), ("short_tasks",)),
    # A thief takes what lies below a leaf after a few microseconds: only what a loop has not divided
    # yet is lost, and of that nobody knows. "Divide that part" is the right advice then.
    Program("tasks/long_leaf", ("late_steal", "parallelism", "uneven_tasks"), ("wake",)),
    Program("tasks/sleeping", ("blocked",), ("parallelism",)),
    Program("tasks/reading", ("blocked",), ("parallelism",)),
    Program("tasks/healthy_loop", ()),
    Program("tasks/healthy_fib", ()),
    Program("tasks/healthy_loop+busy", ("others",), ("stretch",), beside=True),
    *by_both("prefix", ("serial",), ("imbalance",)),
    *by_both("triangle", ("imbalance",), ("lock",)),
    *by_both("critical", ("lock",), ("stretch",)),
    *by_both("chain", ("dependences",), ("short_tasks",)),
    *by_both("first_touch", ("first_touch", "remote"), by_hand="a machine of several NUMA nodes"),
    Program("python/gil", ("gil",), ("serial",)),
    Program("python/called_region", ("imbalance",), ("lock",)),
    # Each rank meets the same part of the arrays in each sweep, as the remedy says.
    Program("cluster/one_rank", ("remote",), ("late_steal",), settings=(("KASURI_SCHED", "adws"),)),
]


def find(name):
    for program in ALL:
        if program.name == name:
            return program
    sys.exit(f"the program is {name}; accepted: {', '.join(p.name for p in ALL)}")
