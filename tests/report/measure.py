# SPDX-License-Identifier: Apache-2.0
"""Times programs on a machine that others may use: what others took during a run is known, and such runs are repeated."""

import os
import resource
import statistics
import subprocess
import time

TICK = os.sysconf("SC_CLK_TCK")
CPUS = len(os.sched_getaffinity(0))
QUIET = 0.06  # of one CPU; what others may take


def busy_seconds():
    """Processor time that all programs of this machine have had."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system = map(int, file.readline().split()[1:4])
    return (user + nice + system) / TICK


def of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_once(command, env):
    """(seconds, share of a CPU that others took meanwhile)."""
    busy, own, start = busy_seconds(), of_children(), time.monotonic()
    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL, timeout=300)
    seconds = time.monotonic() - start
    others = busy_seconds() - busy - (of_children() - own)
    return seconds, max(0.0, others / seconds)


def run_quietly(command, env, tries):
    """The first run with nobody beside it; of so many that were disturbed the least disturbed."""
    best = None
    for attempt in range(tries):
        run = run_once(command, env)
        best = run if best is None or run[1] < best[1] else best
        if best[1] < QUIET:
            break
        time.sleep(min(0.5 * attempt, 5))
    return best


def medians(commands, env, runs, tries=12):
    """For each command the median of its times, run in turns, and the most that others took in a run."""
    times = [[] for _ in commands]
    disturbed = 0.0
    for _ in range(runs):
        for command, mine in zip(commands, times):
            seconds, others = run_quietly(command, env, tries)
            mine.append(seconds)
            disturbed = max(disturbed, others)
    return [statistics.median(t) for t in times], disturbed
