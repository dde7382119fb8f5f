#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs program.c under our runtime while a profile is recorded, and checks its counts. Times are not looked at, but
for sums that must agree whatever they are.

  test.py --compiler gcc --runtime DIR --build DIR
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 120  # seconds
REGIONS, ROUNDS, CHAIN, ITERATIONS, CHUNK, ROOTS, DEPTH = 20, 50, 100, 1000, 10, 5, 8  # as in program.c


def fail(text):
    sys.exit(f"profile: {text}")


def build(compiler, folder):
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "program"
    openmp = "-fopenmp=libomp" if "clang" in compiler else "-fopenmp"
    subprocess.run([compiler, "-O1", "-g", "-w", openmp, HERE / "program.c", "-o", program, "-lpthread"], check=True)
    return program


class Run:
    """A part of the program, and the last snapshot of its profile."""

    def __init__(self, program, part, threads, runtime, **settings):
        self.name = f"{part}, {threads} threads"
        self.threads = threads
        self.is_clang = "clang" in program.parent.name
        file = program.parent / f"{part}.profile"
        file.unlink(missing_ok=True)
        environment = dict(os.environ, LD_LIBRARY_PATH=str(runtime), OMP_NUM_THREADS=str(threads),
                           OMP_CANCELLATION="true", KASURI_PROFILE=str(file))
        environment.update(settings)
        done = subprocess.run([program, part], env=environment, timeout=LIMIT, text=True, capture_output=True)
        if done.returncode != 0 or done.stderr:
            fail(f"{self.name}: status {done.returncode}: {done.stderr}")
        self.result = int(done.stdout)
        self.profile = json.loads(file.read_text().splitlines()[-1])
        self.sites = {s["id"]: s for s in self.profile["sites"]}
        self.check_whole()

    def equal(self, what, got, wanted):
        if got != wanted:
            fail(f"{self.name}: {what}: {got}, not {wanted}")

    def total(self, section, key="count", **values):
        return sum(row[key] for row in self.profile[section] if all(row[k] == v for k, v in values.items()))

    def check_whole(self):
        p = self.profile
        self.equal("last", p["last"], True)
        kinds = {"regions": {"region"}, "loops": {"loop", "sections"}, "tasks": {"task"},
                 "phases": {"region", "barrier", "loop", "sections"}}
        for section, allowed in kinds.items():
            for row in p[section]:
                if self.sites[row["site"]]["kind"] not in allowed:
                    fail(f"{self.name}: {section}: site {row['site']} is a {self.sites[row['site']]['kind']}")
        inside = [m for m in p["modules"] if m["of_program"]]
        for site in self.sites.values():
            at = int(site["address"], 16)
            if not any(int(m["begin"], 16) <= at <= int(m["end"], 16) for m in inside):
                fail(f"{self.name}: site {site} lies outside the program")
        for row in p["regions"] + p["phases"]:
            self.equal("instances with a longest member", sum(row["worst"]), row["count"])
        for row in p["tasks"]:
            self.equal("tasks by length", sum(row["log2_ns"]), row["count"])
        spans = p["spans"]
        if not 0 < spans["span_s"] <= spans["work_s"] * (1 + 1e-9):
            fail(f"{self.name}: a span of {spans['span_s']} s, work {spans['work_s']} s")
        if spans["burdened_s"] < spans["span_s"]:
            fail(f"{self.name}: the burdened span is less than the span")


def triangle(r):
    r.equal("result", r.result, REGIONS * 100)
    r.equal("regions", r.total("regions"), REGIONS)
    r.equal("members", r.profile["regions"][0]["members"], r.threads)
    r.equal("phases", r.total("phases"), REGIONS)


def barriers(r):
    r.equal("result", r.result, ROUNDS * r.threads)
    r.equal("regions", r.total("regions"), 1)
    # Clang's region has no other; the region's end is one.
    r.equal("barriers", r.total("phases", kind="barrier"), ROUNDS)
    r.equal("ends", r.total("phases", kind="region"), 1)


def critical(r):
    r.equal("result", r.result, ROUNDS * r.threads)
    r.equal("acquires", r.total("locks", kind="critical"), ROUNDS * r.threads)
    r.equal("locks", len(r.profile["locks"]), 1)
    row = r.profile["locks"][0]
    if row["contended"] > row["count"] or (row["contended"] > 0) != (row["site"] != 0):
        fail(f"{r.name}: lock {row}")


def locks(r):
    r.equal("result", r.result, 2 * ROUNDS * r.threads)
    r.equal("acquires", r.total("locks", kind="lock"), ROUNDS * r.threads)
    r.equal("acquires of the nestable lock", r.total("locks", kind="nest_lock"), ROUNDS * r.threads)


def ordered(r):
    r.equal("turns", r.total("locks", kind="ordered"), ROUNDS)
    r.equal("loops", r.total("loops", schedule="static"), 1)
    r.equal("iterations", r.total("loops", "iterations"), ROUNDS)


def dynamic(r):
    r.equal("result", r.result, ITERATIONS)
    rows = [row for row in r.profile["loops"] if row["schedule"] == "dynamic"]
    r.equal("loops", [row["count"] for row in rows], [1])
    r.equal("iterations", rows[0]["iterations"], ITERATIONS)
    # A team of one has all in one chunk.
    r.equal("chunks", rows[0]["chunks"], ITERATIONS // CHUNK if r.threads > 1 else 1)


def two_loops(r):
    r.equal("result", r.result, 2 * ITERATIONS)
    phases = [row["site"] for row in r.profile["phases"] if row["kind"] == "loop"]
    r.equal("phases", len(phases), 2)
    if not r.is_clang:  # of GCC's loops the call that ends them has the barrier: the phase is the loop's
        r.equal("sites of phases", sorted(phases), sorted(row["site"] for row in r.profile["loops"]))


def path_leads_through(r):
    """The longest of tasks that nobody waits for by themselves is on the program's path."""
    longest = max((i for row in r.profile["tasks"] for i, n in enumerate(row["log2_ns"]) if n), default=0)
    inside = r.profile["spans"]["span_s"] - sum(p["s"] for p in r.profile["spans"]["path"] if p["site"] == 0)
    if inside < 2 ** longest * 1e-9 * 0.99:
        fail(f"{r.name}: a task takes 2^{longest} ns, the path in regions {inside} s")


def depend(r):
    r.equal("result", r.result, CHAIN)
    r.equal("tasks", r.total("tasks"), CHAIN)
    r.equal("created", r.total("tasks", "created"), CHAIN)
    r.equal("tasks with dependences", r.total("tasks", "dependences"), CHAIN)
    # Each follows the one before: the program's path leads through all.
    chain = r.total("tasks", "self_s")
    if r.profile["spans"]["span_s"] < chain * (1 - 1e-9):
        fail(f"{r.name}: the span is {r.profile['spans']['span_s']} s, the chain {chain} s")


def loose(r):
    r.equal("result", r.result, ROUNDS)
    r.equal("tasks", r.total("tasks"), ROUNDS)
    path_leads_through(r)


def recursive(r):
    r.equal("result", r.result, 2 ** DEPTH)
    r.equal("tasks", r.total("tasks"), 2 * (2 ** DEPTH - 1))
    r.equal("created", r.total("tasks", "created"), r.total("tasks"))
    path_leads_through(r)


def groups(r):
    r.equal("result", r.result, 2 * ROUNDS)
    r.equal("tasks", r.total("tasks"), 2 * ROUNDS)
    path_leads_through(r)


def taskloop(r):
    r.equal("result", r.result, ITERATIONS)
    r.equal("tasks", r.total("tasks"), ROUNDS)
    path_leads_through(r)


def nested(r):
    r.equal("result", r.result, 4 * ROUNDS)
    r.equal("regions", sorted(row["count"] for row in r.profile["regions"]), [1, 2 * ROUNDS])
    r.equal("members", [row["members"] for row in r.profile["regions"]], [2, 2])


def many_roots(r):
    r.equal("result", r.result, 2 * ROOTS * REGIONS)
    r.equal("regions", r.total("regions"), ROOTS * REGIONS)


def cancel(r):
    r.equal("result", r.result, REGIONS)
    r.equal("regions", sorted(row["count"] for row in r.profile["regions"]), [REGIONS, REGIONS])
    whole = [row["count"] for row in r.profile["phases"] if row["kind"] == "barrier"]
    if max(whole) != REGIONS:
        fail(f"{r.name}: barriers of whole regions: {whole}, not {REGIONS}")


PARTS = [triangle, barriers, critical, locks, ordered, dynamic, depend, loose, recursive, groups, taskloop, nested,
         many_roots, cancel, two_loops]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--runtime", required=True, type=pathlib.Path)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    program = build(arguments.compiler, arguments.build / arguments.compiler)
    for part in PARTS:
        for threads in (1, 2, 4):
            part(Run(program, part.__name__, threads, arguments.runtime))


if __name__ == "__main__":
    main()
