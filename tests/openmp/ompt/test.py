#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs program.c under our runtime with the tool of tool.c, and checks what events it has seen: that they nest, and
how many there were.

  test.py --compiler gcc --runtime DIR --build DIR
"""

import argparse
import collections
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 60  # seconds


def fail(text):
    sys.exit(f"ompt: {text}")


def build(compiler, folder):
    folder.mkdir(parents=True, exist_ok=True)
    tool, program = folder / "tool.so", folder / "program"
    flags = ["-O1", "-g", "-w"]
    openmp = ["-fopenmp=libomp"] if "clang" in compiler else ["-fopenmp"]
    subprocess.run([compiler, *flags, "-shared", "-fPIC", HERE / "tool.c", "-o", tool], check=True)
    subprocess.run([compiler, *flags, *openmp, HERE / "program.c", "-o", program, "-ldl"], check=True)
    return tool, program


class Event:
    def __init__(self, text):
        self.thread, self.name, *rest = text.split()
        self.values = dict(item.split("=") for item in rest)
        self.text = text

    def __getitem__(self, key):
        return self.values[key]


def run(tool, program, part, runtime, **settings):
    record = program.parent / f"{part}.events"
    record.unlink(missing_ok=True)
    environment = dict(os.environ, LD_LIBRARY_PATH=str(runtime), OMP_TOOL_LIBRARIES=str(tool),
                       OMPT_RECORD=str(record))
    environment.update(settings)
    done = subprocess.run([program, part], env=environment, timeout=LIMIT, text=True,
                          capture_output=True)
    if done.returncode != 0:
        fail(f"{part}: status {done.returncode}: {done.stderr}")
    lines = record.read_text().splitlines() if record.exists() else []
    return int(done.stdout), [Event(line) for line in lines], done.stderr


def select(events, name, **values):
    return [e for e in events if e.name == name and all(e[k] == v for k, v in values.items())]


def check_nesting(part, events):
    """On each thread what begins last ends first."""
    keys = {"sync_region": "kind", "sync_wait": "kind", "work": "kind", "masked": None,
            "implicit_task": "task"}
    open_ones = collections.defaultdict(list)
    for e in events:
        if e.name not in keys:
            continue
        mark = (e.name, e[keys[e.name]] if keys[e.name] else None)
        stack = open_ones[e.thread]
        if e["where"] == "1":
            stack.append(mark)
        elif not stack or stack.pop() != mark:
            fail(f"{part}: ends what is not the innermost: {e.text}")
    for thread, stack in open_ones.items():
        if stack:
            fail(f"{part}: thread {thread} never ended {stack}")


def check_threads(part, events):
    if events[-1].name != "finalize":
        fail(f"{part}: the last event is {events[-1].text}")
    begun = [e.thread for e in select(events, "thread_begin")]
    ended = [e.thread for e in select(events, "thread_end", same="1")]
    if len(set(begun)) != len(begun) or sorted(begun) != sorted(ended):
        fail(f"{part}: threads {begun} began, {ended} ended")
    if len(select(events, "thread_begin", kind="1")) != 1:
        fail(f"{part}: not one initial thread")
    first = {}
    for e in events[:-1]:
        first.setdefault(e.thread, e.name)
    if any(name != "thread_begin" for name in first.values()):
        fail(f"{part}: a thread had an event before it began")


def check_tasks(part, events):
    """Every task is created once, ends once, and runs in between."""
    created = [e["made"] for e in select(events, "task_create")]
    for task in created:
        ends = select(events, "task_schedule", **{"from": task, "status": "1"})
        if len(ends) != 1 or not select(events, "task_schedule", to=task):
            fail(f"{part}: task {task} ended {len(ends)} times")


def expect(part, events, wanted):
    for name, values, count in wanted:
        got = len(select(events, name, **values))
        if got != count:
            fail(f"{part}: {got} events {name} {values}, not {count}")


# region of two: an implicit task each; begin and end have `where` 1 and 2
def regions(outer, implicit):
    return [("parallel_begin", {"at": "1", "enter": "1"}, outer), ("parallel_end", {"at": "1"}, outer),
            ("implicit_task", {"where": "1", "initial": "0"}, implicit),
            ("implicit_task", {"where": "2", "initial": "0"}, implicit),
            ("implicit_task", {"where": "1", "initial": "1"}, 1),
            ("sync_region", {"kind": "9", "where": "1"}, implicit),
            ("sync_region", {"kind": "9", "where": "2"}, implicit)]


PARTS = {
    "parallel": (6, regions(3, 6)),
    "nested": (4, regions(3, 6)),
    "tasks": (12, regions(1, 2) + [
        ("task_create", {"at": "1"}, 12), ("task_create", {"undeferred": "1"}, 1),
        ("sync_region", {"kind": "5", "where": "1"}, 1), ("sync_wait", {"kind": "5", "where": "2"}, 1),
        ("sync_region", {"kind": "6", "where": "1"}, 1), ("sync_wait", {"kind": "6", "where": "1"}, 1),
        ("sync_region", {"kind": "6", "where": "2"}, 1)]),
    "dependences": (5, regions(1, 2) + [
        ("task_create", {"depends": "1"}, 5), ("dependences", {"count": "1"}, 5)]),
    "locks": (4, regions(1, 2) + [
        ("lock_init", {"kind": "1", "at": "1"}, 1), ("lock_init", {"kind": "3", "at": "1"}, 1),
        ("lock_destroy", {"kind": "1"}, 1), ("lock_destroy", {"kind": "3"}, 1),
        ("mutex_acquire", {"kind": "1", "at": "1"}, 2), ("mutex_acquired", {"kind": "1"}, 2),
        ("mutex_acquire", {"kind": "2"}, 1), ("mutex_acquired", {"kind": "2"}, 1),
        ("mutex_released", {"kind": "1"}, 3), ("mutex_acquire", {"kind": "3"}, 4),
        ("mutex_acquired", {"kind": "3"}, 2), ("nest_lock", {"where": "1"}, 2),
        ("nest_lock", {"where": "2"}, 2), ("mutex_released", {"kind": "3"}, 2),
        ("mutex_acquire", {"kind": "5"}, 2), ("mutex_acquired", {"kind": "5"}, 2),
        ("mutex_released", {"kind": "5"}, 2)]),
    "work": (33, regions(1, 2) + [
        ("work", {"kind": "11", "where": "1", "count": "30"}, 2), ("work", {"kind": "11", "where": "2"}, 2),
        ("dispatch", {"kind": "3", "iterations": "3"}, 10), ("dispatch", {"kind": "2"}, 2),
        ("work", {"kind": "2", "where": "1"}, 2), ("work", {"kind": "2", "where": "2"}, 2),
        ("work", {"kind": "3", "where": "1"}, 1), ("work", {"kind": "3", "where": "2"}, 1),
        ("work", {"kind": "4", "where": "1"}, 1), ("work", {"kind": "4", "where": "2"}, 1)]),
    "automatic": (64, regions(1, 2) + [
        ("work", {"kind": "12", "where": "1", "count": "64"}, 2), ("work", {"kind": "12", "where": "2"}, 2)]),
    # Two teams, each with an initial task, a region of the runtime's and the program's in it.
    "serial_teams": (2, [
        ("parallel_begin", {"at": "1"}, 5), ("parallel_end", {"at": "1"}, 5),
        ("implicit_task", {"where": "1", "initial": "1"}, 3), ("implicit_task", {"where": "1", "initial": "0"}, 4),
        ("sync_region", {"kind": "10", "where": "1"}, 2), ("sync_wait", {"kind": "10", "where": "1"}, 2),
        ("sync_wait", {"kind": "10", "where": "2"}, 2), ("sync_region", {"kind": "10", "where": "2"}, 2)]),
    "control": (42, [("control_tool", {"command": "1", "modifier": "7", "size": "1", "at": "1"}, 1)]),
}


def check_part(part, tool, program, runtime):
    answer, wanted = PARTS[part]
    total, events, _ = run(tool, program, part, runtime)
    if total != answer:
        fail(f"{part}: the program says {total}, not {answer}")
    if not events:
        fail(f"{part}: no event")
    check_threads(part, events)
    check_nesting(part, events)
    check_tasks(part, events)
    expect(part, events, wanted)
    if part == "nested" and len(select(events, "thread_begin")) > 4:
        fail("nested: more threads than members")
    for e in select(events, "task_dependence"):
        if int(e["first"]) >= int(e["second"]):
            fail(f"{part}: {e.text}")


def check_settings(tool, program, runtime):
    """OMP_TOOL, OMP_TOOL_VERBOSE_INIT, and a library that is none."""
    total, events, _ = run(tool, program, "control", runtime, OMP_TOOL="disabled")
    if events or total != -2:
        fail(f"OMP_TOOL=disabled: {len(events)} events, answer {total}")
    _, events, errors = run(tool, program, "control", runtime, OMP_TOOL_VERBOSE_INIT="stderr",
                            OMP_TOOL_LIBRARIES=f"/no/such/tool.so:{tool}")
    if not events or "/no/such/tool.so" not in errors or f"{tool}: the tool starts" not in errors:
        fail(f"OMP_TOOL_VERBOSE_INIT=stderr says: {errors}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--runtime", required=True, type=pathlib.Path)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    options = parser.parse_args()
    tool, program = build(options.compiler, options.build / options.compiler)
    for part in PARTS:
        check_part(part, tool, program, options.runtime)
    check_settings(tool, program, options.runtime)


main()
