#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each comment of a memory order is needed: takes away each "pairs with" and each "relaxed: ..." beside a fence in turn,
in memory, and asks lint.memory_orders, which has to miss it. Where it does not, another comment stands in."""

import pathlib
import sys

import cxx_functions
import memory_orders


def is_missed(source, unit, rule):
    """Whether the rule finds more with this comment blank."""
    first, behind, _ = unit
    before, kept = len(list(rule(source))), source.comments[first:behind]
    source.comments[first:behind] = [""] * (behind - first)
    after = len(list(rule(source)))
    source.comments[first:behind] = kept
    return after > before


def comments_of(source, statements, mark):
    """The comments with this mark that lie in one of the statements or right above it."""
    for unit in list(source.units()):
        if mark in unit[2] and any(first <= unit[0] < behind or unit[1] == first for first, behind in statements):
            yield unit


def relaxed_beside_fences(source, functions):
    fences = source.fence_lines()
    around = [f for f in functions if any(f.first <= line <= f.last for line in fences)]
    for lines in source.accesses(memory_orders.RELAXED).values():
        if any(f.first <= max(lines) <= f.last for f in around):
            yield source.statement_of(lines)


def mutations(source):
    """(comment, rule) to try."""
    functions = cxx_functions.functions(source.text)
    for unit in comments_of(source, source.strong_accesses(), memory_orders.PARTNER):
        yield unit, memory_orders.check_partners
    for unit in comments_of(source, list(relaxed_beside_fences(source, functions)), memory_orders.RELIANCE):
        yield unit, lambda s: memory_orders.check_relaxed(s, functions)


def main():
    tried, unmissed = 0, []
    for path, source in memory_orders.read(pathlib.Path(sys.argv[1])).items():
        for unit, rule in mutations(source):
            tried += 1
            if not is_missed(source, unit, rule):
                unmissed.append(f"{path}:{unit[0] + 1}: not missed when it is taken away: {unit[2].strip()[:60]}")
    print("\n".join([*unmissed, f"{tried} comments taken away in turn"]))
    sys.exit(1 if unmissed or tried == 0 else 0)


if __name__ == "__main__":
    main()
