#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What several front ends do is written once, in the kernel under them.

For each idea of IDEAS: the lines of src and include that have its mark lie in its seat, and there are some. The mark
is what only an implementation of the idea does; a front end that wrote it anew would show it.
"""

import re

import source_tree

SEATS = "src/sched/kernel/"
# idea: (its seat, its mark, files that are what the seat is built on)
IDEAS = {
    "take a frame from a victim": (SEATS + "victim.hpp", r"(?:\.|->)steal(?:_locked)?\(\w+\)", ()),
    "rescue of a private frame": (SEATS + "victim.hpp", r"(?:\.|->)rescue\(", ()),
    "answer to a thief": (SEATS + "publish.hpp", r"(?:\.|->)answer\(", (SEATS + "deque.hpp",)),
    "parking under a key": (SEATS + "parking_lot.hpp", r"count_\.fetch_add\(1, std::memory_order_relaxed\)", ()),
    "queue of those who wait": (SEATS + "wait_queue.hpp", r"\blast_?->next\w*\b", ("src/sched/worker/",)),
    "group whose ends are counted lazily": (
        "include/kasuri/detail/group_count.hpp", r"\belsewhere\w*(?:\.|->)(?:fetch_\w+|load|store)\(", ()),
    "random victims": (SEATS + "random.hpp", r"\^= ?\w+ ?<< ?13", ()),
}


def check(root):
    found = {idea: [] for idea in IDEAS}
    for path in source_tree.files(root, {".hpp", ".cpp", ".h", ".inc"}, ("src", "include")):
        code, _ = source_tree.split((root / path).read_text())
        for idea, (seat, mark, below) in IDEAS.items():
            found[idea] += [(path, number, str(path) == seat) for number, line in enumerate(code, 1)
                            if re.search(mark, line) and not str(path).startswith(below)]
    for idea, (seat, _, _) in IDEAS.items():
        for path, number, in_seat in found[idea]:
            if not in_seat:
                yield path, number, f"{idea}: this is written in {seat}, once"
        if not any(in_seat for _, _, in_seat in found[idea]):
            yield seat, 1, f"{idea}: nothing here does it any more; tests/lint/one_kernel.py is to say where it lies"


if __name__ == "__main__":
    source_tree.main(check)
