# SPDX-License-Identifier: Apache-2.0
"""Python threads that compute in Python, and now and then call a small parallel region: one runs at a time.

The repaired twin has processes in their place.
"""

import multiprocessing
import os
import sys
import threading

from program import read_arguments, scaled

WORKERS = len(os.sched_getaffinity(0))


def count(seed):
    total = seed
    for i in range(30_000):
        total = (total * 5 + i) & 0xFFFFFFFF
    return total


def work(library, first, turns):
    total = 0
    for turn in range(turns):
        total += count(first + turn) + library.even_region(first + turn, 100)  # planted: gil
    return total & 0xFFFFFFFF


def by_threads(library, turns):
    sums = [0] * WORKERS

    def run(k):
        sums[k] = work(library, k * turns, turns)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sums


def by_processes(library, turns):
    def run(k, to):
        to.send(work(library, k * turns, turns))

    fork = multiprocessing.get_context("fork")
    pipes = [fork.Pipe(duplex=False) for _ in range(WORKERS)]
    children = [fork.Process(target=run, args=(k, pipe[1])) for k, pipe in enumerate(pipes)]
    for child in children:
        child.start()
    sums = [pipe[0].recv() for pipe in pipes]
    for child in children:
        child.join()
    return sums


def main():
    library, repaired, percent = read_arguments(sys.argv)
    turns = scaled(percent, 500 // WORKERS)
    sums = (by_processes if repaired else by_threads)(library, turns)
    print(f"checksum {sum(sums):016x}")


if __name__ == "__main__":
    main()
