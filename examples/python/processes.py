# SPDX-License-Identifier: Apache-2.0
"""Processes of multiprocessing run on Kasuri too, however they start."""

import multiprocessing
import sys

import own_module

import kasuri


def in_child(path: str) -> tuple[bool, bool]:
    module = own_module.open_pi(path)
    return kasuri.active(), abs(module.pi(100_000) - 3.14159265) < 1e-6


def main() -> None:
    path = own_module.build_pi()
    # children:
    kasuri.activate()  # sets LD_PRELOAD too, which children that are started anew inherit
    for method in multiprocessing.get_all_start_methods():  # fork, spawn, forkserver
        with multiprocessing.get_context(method).Pool(2) as pool:
            answers = pool.map(in_child, [path] * 4)
        print(method, answers)
        # end
        if answers != [(True, True)] * 4:
            sys.exit(f"FAILED: {method}: {answers}")


if __name__ == "__main__":
    main()
