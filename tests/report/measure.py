# SPDX-License-Identifier: Apache-2.0
"""Times programs on a machine that others use too: a run beside which they took CPUs is repeated."""

import os
import statistics
import subprocess
import sys
import threading
import time

TICK = os.sysconf("SC_CLK_TCK")
CPUS = len(os.sched_getaffinity(0))
QUIET = 0.06  # CPUs that others may take
LONGEST = 300  # seconds of a run


def busy_seconds():
    """Processor time that all programs of this machine have had."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system = map(int, file.readline().split()[1:4])
    return (user + nice + system) / TICK


def run_once(command, env):
    """(seconds, CPUs that others took meanwhile)."""
    busy, start = busy_seconds(), time.monotonic()
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
    too_long = threading.Timer(LONGEST, process.kill)
    too_long.start()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    too_long.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {process.returncode}")
    others = busy_seconds() - busy - usage.ru_utime - usage.ru_stime
    return seconds, max(0.0, others / seconds)


def wait_for_quiet(until):
    """Until nobody else computes, but not longer than that."""
    while time.monotonic() < until:
        before = busy_seconds()
        time.sleep(0.1)
        if busy_seconds() - before < 0.02:
            return


def run_quietly(command, env, patience):
    """The first run with nobody beside it; the least disturbed one where there is none in so many seconds."""
    best, until = None, time.monotonic() + patience
    while best is None or (best[1] > QUIET and time.monotonic() < until):
        wait_for_quiet(until)
        run = run_once(command, env)
        best = run if best is None or run[1] < best[1] else best
    return best


def medians(commands, env, runs, patience):
    """For each command the median of its times, run in turns, and the most that others took in a run."""
    times = [[] for _ in commands]
    disturbed = 0.0
    for _ in range(runs):
        for command, mine in zip(commands, times):
            seconds, others = run_quietly(command, env, patience)
            mine.append(seconds)
            disturbed = max(disturbed, others)
    return [statistics.median(t) for t in times], disturbed
