#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says whether `kasuri report` is right about programs of which is known what limits them.

For each program: the report must name the planted bottleneck first, with its line, must not say what would mislead, and
must predict what the repaired twin gains. The twins are timed in turns without a recording; runs beside which others
used the CPUs are repeated.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import measure
import programs
import shares
import verdict


def report(program, tools, folder, binary=None, kill_after=None):
    """The report as JSON; in place of it a line that says what failed."""
    out = pathlib.Path(folder) / "report.json"
    out.unlink(missing_ok=True)
    command = program.reported(tools, "planted")
    if binary is not None:
        command[0] = str(binary)
    ranks = ["-n", "2", "--cluster"] if program.room == "cluster" else []
    with subprocess.Popen([tools.kasuri, "report", *ranks, "--json", str(out), "--", *command],
                          env=program.environment(tools), text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as run:
        if kill_after is not None:
            time.sleep(kill_after)
            kill_child(run.pid)
        said = run.communicate(timeout=300)
    if not out.is_file():
        return f"no report, status {run.returncode}: {' '.join(said[1].split()[-30:])}"
    try:
        return json.loads(out.read_text())
    except json.JSONDecodeError as error:
        return f"the report is no JSON: {error}"


def kill_child(pid):
    """The program under the command, wherever it stands."""
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)


@contextlib.contextmanager
def busy_processes(count):
    """So many processes that compute meanwhile."""
    spin = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(spin) for _ in range(count)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def gain(program, tools, args):
    """(planted seconds, repaired seconds, gain, share of a CPU that others took)."""
    commands = [program.command(tools, which, args.percent) for which in ("planted", "repaired")]
    (planted, repaired), disturbed = measure.medians(commands, program.environment(tools), args.runs,
                                                       args.patience)
    return planted, repaired, planted / repaired, disturbed


def examine(program, tools, folder, args):
    """(fields of the table's row, what is wrong)."""
    times = gain(program, tools, args) if program.has_gain and args.runs else None
    row = [f"{times[0]:.2f}", f"{times[1]:.2f}", f"{times[2]:.2f}"] if times else ["", "", ""]
    if times and times[3] > measure.QUIET:
        row[2] += f" (others took {times[3]:.2f} CPUs)"
    if args.only_gains:
        return row + ["", ""], []
    with busy_processes(measure.CPUS if program.beside else 0):
        said = report(program, tools, folder)
    if isinstance(said, str):
        return row + ["", ""], [said]
    unequal = shares.wrong_shares(said, exact=True)
    if args.noisy and not program.beside:
        said = verdict.without_others(said)
    measured = times[2] if times else None
    wrong = verdict.judge(program, said, measured) + unequal
    first = verdict.first_finding(said) or {}
    row += [first.get("rule", "-"), f"{first['gain']:.2f}" if first.get("gain") else ""]
    return row, wrong + variants(program, tools, folder, args, measured, said.get("seconds", 1))


def variants(program, tools, folder, args, measured, seconds):
    """The same of a stripped copy, and of a run that is killed after 60 % of that time."""
    wrong = []
    if args.stripped and program.room != "python" and not program.beside:
        copy = pathlib.Path(folder) / program.stem
        shutil.copy(program.binary(tools), copy)
        subprocess.run(["strip", "--strip-all", str(copy)], check=True)
        said = report(program, tools, folder, binary=copy)
        said = verdict.without_others(said) if args.noisy and isinstance(said, dict) else said
        wrong += [f"stripped: {w}" for w in
                  ([said] if isinstance(said, str) else verdict.judge(program, said, measured, stripped=True))]
    if args.killed and not program.beside and program.room != "cluster":
        said = report(program, tools, folder, kill_after=0.6 * seconds)
        said = verdict.without_others(said) if args.noisy and isinstance(said, dict) else said
        wrong += [f"killed: {w}" for w in
                  ([said] if isinstance(said, str) else verdict.judge(program, said, measured, killed=True))]
    return wrong


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="the build folder (build)")
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each twin (5); 0: gains are not looked at")
    parser.add_argument("--percent", type=int, default=100, help="of the usual work, in timed runs (100)")
    parser.add_argument("--patience", type=float, default=60, help="seconds to wait for a quiet machine, a run (60)")
    parser.add_argument("--only-gains", action="store_true", help="time the twins, make no report")
    parser.add_argument("--noisy", action="store_true", help="other programs are not counted as a finding")
    parser.add_argument("--stripped", action="store_true", help="also of stripped copies")
    parser.add_argument("--killed", action="store_true", help="also of runs that are killed after 60 %% of their time")
    parser.add_argument("names", nargs="*", help="programs (all but those that run by hand)")
    return parser.parse_args()


def main():
    args = arguments()
    build = pathlib.Path(args.build).resolve()
    tools = programs.Tools(str(build / "tests/report"), str(build / "lib/kasuri/omp"), str(build / "bin/kasuri"))
    chosen = [programs.find(n) for n in args.names] or [p for p in programs.ALL if not p.by_hand]
    print("| program | planted s | repaired s | gain | first finding | its gain | wrong |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    right = 0
    with tempfile.TemporaryDirectory() as folder:
        for program in chosen:
            row, wrong = examine(program, tools, folder, args)
            right += not wrong
            print(f"| {program.name} | {' | '.join(row)} | {'; '.join(wrong)} |", flush=True)
    if not args.only_gains:
        print(f"\n{right} of {len(chosen)} are right")
    sys.exit(0 if right == len(chosen) else 1)


if __name__ == "__main__":
    main()
