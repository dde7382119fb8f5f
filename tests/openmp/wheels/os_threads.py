# SPDX-License-Identifier: Apache-2.0
"""The OS threads of a process, by name: whether they are one pool."""

import collections
import pathlib
import re
import time


def name_of_each():
    """Of the threads that there are just now; one may end while they are read."""
    for comm in pathlib.Path("/proc/self/task").glob("*/comm"):
        try:
            yield comm.read_text().strip()
        except (FileNotFoundError, ProcessLookupError):
            pass


def names():
    """How many there are of each name, once the threads that Python has joined are gone: a join
    returns some time before the end."""
    for _ in range(100):
        found = collections.Counter(name_of_each())
        if strangers(found) <= 1:
            break
        time.sleep(0.05)
    return dict(found)


def strangers(found):
    """Threads that are not Kasuri's."""
    return sum(count for name, count in found.items() if not name.startswith("kasuri-"))


def complaints(found):
    """What says that it is not one pool. Its threads are numbered: kasuri-0, kasuri-1, ..."""
    twice = {n: c for n, c in found.items() if re.fullmatch(r"kasuri-\d+", n) and c != 1}
    if twice:
        yield f"more than one pool: {twice}"
    if strangers(found) != 1:
        yield f"{strangers(found)} threads that are not Kasuri's, the main one and whose? {found}"
