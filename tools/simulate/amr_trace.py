#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A fork trace like that of a sweep over an adaptive mesh: amr_trace.py LEVELS CUTOFF > FILE

A quadtree refined along the edge of a disc; subtrees of at most CUTOFF cells are one task. A line a
task: {"id", "parent", "work"}, work in ns, parents first.
"""

import json
import math
import sys

NS_PER_CELL = 40
LEAST = 4  # levels that are refined everywhere


def refined(x, y, size, level, levels):
    """Whether the square is split: it is coarse, or the edge of the disc goes through it."""
    if level < LEAST:
        return True
    if level == levels:
        return False
    middle = math.hypot(x + size / 2 - 0.5, y + size / 2 - 0.5)
    return abs(middle - 0.3) < size * 0.7072


def build(x, y, size, level, levels):
    """(cells, children)"""
    if not refined(x, y, size, level, levels):
        return 1, ()
    half = size / 2
    children = [build(x + dx * half, y + dy * half, half, level + 1, levels)
                for dy in (0, 1) for dx in (0, 1)]
    return 1 + sum(cells for cells, _ in children), children


def write(tree, cutoff, out):
    waiting = [(tree, -1)]
    for number, ((cells, children), parent) in enumerate(waiting):
        inner = children and cells > cutoff
        out.write(json.dumps({"id": number, "parent": parent,
                              "work": NS_PER_CELL * (1 if inner else cells)}) + "\n")
        if inner:
            waiting += [(child, number) for child in children]


def main(words):
    if len(words) != 2 or not all(w.isdigit() for w in words) or not 0 < int(words[0]) <= 16:
        print("amr_trace.py: accepted: LEVELS (1 to 16) CUTOFF", file=sys.stderr)
        return 2
    write(build(0, 0, 1, 0, int(words[0])), int(words[1]), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
