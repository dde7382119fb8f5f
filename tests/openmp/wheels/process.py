#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A process with several OpenMP runtimes: loads the modules it is given, opens regions in each of
them, from the main thread and from threads of Python, and prints what came out and the names of its
OS threads.

  process.py MODULE...
"""

import ctypes
import json
import pathlib
import sys
import threading

import os_threads

COUNT = 1000
THREADS = 4  # members of each team
CALLERS = 3
REGIONS = 20


def call(functions, results):
    for _ in range(REGIONS):
        results.update((name, f(COUNT, THREADS)) for name, f in functions.items())


def main():
    functions = {}
    for path in sys.argv[1:]:
        function = ctypes.CDLL(path).sum_by_team
        function.restype = ctypes.c_long
        functions[pathlib.Path(path).name] = function
    results = set()
    call(functions, results)
    callers = [threading.Thread(target=call, args=(functions, results)) for _ in range(CALLERS)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    wanted = COUNT * (COUNT - 1) // 2
    print(json.dumps({"right": sorted(n for n, r in results if r == wanted),
                      "wrong": sorted(n for n, r in results if r != wanted),
                      "threads": os_threads.names()}))


if __name__ == "__main__":
    main()
