#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Includes point down the floors, never up or sideways.

  src/<floor>       its own floor and lower ones; floors 0 to 4 only those public headers that pull in
                    nothing of the inlined part (include/kasuri/detail), which is floors 5 and 6
  src/omp, cluster  floor 7; never each other
  src/runtimes      floor 8
  include/kasuri    kasuri/ and the standard library: what is installed stands alone; an adapter in
                    include/kasuri/model and include/kasuri/adapters also its own system, which only who
                    chooses it needs
  tools             anything of src; what analyses recordings, only the recordings' format
  bench, examples   the public face alone
  tests/unit/X      floor X and lower ones; other tests may look inside

A floor that has rooms (ROOMS) keeps each file in one of them, and so do its unit tests; a room includes
itself and those before it. Folders that the order of rooms says nothing about do not include each other
both ways. No folder of src, and none of include but the one that users name, has more than MOST_FILES files.
"""

import pathlib
import re

import source_tree

FLOORS = {"platform": 0, "numa": 1, "context": 2, "record": 3, "profile": 4, "sched": 5, "task": 6,
          "omp": 7, "cluster": 7, "runtimes": 8}
# The rooms of a floor, bottom first.
ROOMS = {
    "platform": ("base", "memory", "cpu", "thread", "process", "settings"),
    "profile": ("base", "thread", "watch"),
    "sched": ("kernel", "rules", "outside", "arena", "seats", "worker", "measure", "roster", "pool", "policy", "time", "watch", "run", "life"),
    # tool: what the runtime tells a tool; abi has the bodies. private: in the shared library alone.
    "omp": ("private", "tool", "base", "memory", "env", "place", "wait", "task", "team", "run", "work", "region",
            "profile", "abi", "exports"),
    # A room for each kind of runtime; found: which of them the process has loaded.
    "runtimes": ("found", "loops", "blas", "rml"),
    "cluster": ("base", "transport", "check", "memory", "sched", "start", "mpi"),
}
MOST_FILES = 20
PUBLIC_FACE = pathlib.Path("include/kasuri")  # a header a subject, by the name that users include
INLINED_FLOOR = 5
PLAIN_DETAIL = {"atomics.hpp", "cxx_library.hpp", "export.hpp",
                "needs_cxx20.hpp", "ticks.hpp"}  # headers of detail/ that any floor may see
NO_FILE = '"Kasuri needs C++20"'  # named to stop a compiler of an older language
READERS_OF_RECORDINGS = {"trace", "analysis", "report", "export"}
RECORDING_FORMAT = "src/record/format.hpp"
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"(?P<own>[^"]+)"|<(?P<system>[^>]+)>)')
STANDARD = set("""
algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono
cinttypes climits clocale cmath compare complex concepts condition_variable coroutine csetjmp
csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque exception
execution filesystem format forward_list fstream functional future initializer_list iomanip ios
iosfwd iostream istream iterator latch limits list locale map memory memory_resource mutex new
numbers numeric optional ostream queue random ranges ratio regex scoped_allocator semaphore set
shared_mutex source_location span sstream stack stdexcept stop_token streambuf string string_view
syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set
utility valarray variant vector version
assert.h errno.h inttypes.h limits.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h time.h
""".split())


class Tree:
    def __init__(self, root):
        self.root = root
        folders = ("include", "src", "tools", "tests", "bench", "examples", "apps")
        self.files = set(source_tree.files(root, source_tree.CXX, folders))
        self.includes = {path: list(self.read(path)) for path in self.files}

    def read(self, path):
        """(line, name, target): target is a file of the tree, or None for the system's."""
        text = (self.root / path).read_text(errors="replace")
        code, _ = source_tree.split(text)
        for number, (line, kept) in enumerate(zip(text.split("\n"), code), 1):
            match = INCLUDE.match(line)
            if match and kept.strip():
                name = match["own"] or match["system"]
                yield number, match.group().split("include", 1)[1].strip(), self.find(path, name)

    def find(self, includer, name):
        seats = [includer.parent] if includer.parts[0] != "include" else []
        top = includer.parts[0]
        seats += [pathlib.Path(p) for p in ("include", "src", "", top, "bench", "tools", "tests")]
        if top in ("tests", "examples", "apps"):
            seats.append(pathlib.Path(*includer.parts[:2]))
        for seat in seats:
            parts = []
            for part in (seat / name).parts:
                parts = parts[:-1] if part == ".." and parts else parts + [part]
            if pathlib.Path(*parts) in self.files:
                return pathlib.Path(*parts)
        return None

    def closure(self, path):
        seen, open_ = set(), [path]
        while open_:
            current = open_.pop()
            if current not in seen:
                seen.add(current)
                open_ += [target for _, _, target in self.includes[current] if target]
        return seen


def is_detail(path):
    return path.parts[:3] == ("include", "kasuri", "detail")


def is_adapter(path):
    return path.parts[:3] in (("include", "kasuri", "model"), ("include", "kasuri", "adapters"))


def face_is_plain(tree, path):
    """Whether a public header pulls in nothing of the inlined part."""
    return not any(is_detail(p) and p.name not in PLAIN_DETAIL for p in tree.closure(path))


def floor_of(tree, path):
    """The floor at which a target lives; None where the rule knows no floor for it."""
    if path.parts[0] == "include":
        return 0 if face_is_plain(tree, path) else INLINED_FLOOR
    if path.parts[0] == "src" and len(path.parts) > 2:
        return FLOORS.get(path.parts[1])
    return None


def complaint(tree, path, name, target):
    """What is wrong with one include, or None."""
    top = path.parts[0]
    if target is None:
        if name == NO_FILE:
            return None
        if name.startswith('"'):
            return f"{name} is not in the tree"
        if name.startswith("<kasuri/"):
            return f"{name} is not in the tree"
        if top == "include" and not is_adapter(path) and name.strip("<>") not in STANDARD:
            return f"a public header includes {name}, which is not of the standard library"
        return None
    inside = target.parts[0] == "src"
    if top == "include":
        return None if target.parts[0] == "include" else f"a public header includes {target}"
    if top in ("bench", "examples", "apps") or path.parts[:2] == ("tests", "package"):
        if inside or is_detail(target):
            return f"includes {target}: only the public face may be used here"
    if top == "tools" and len(path.parts) > 1 and path.parts[1] in READERS_OF_RECORDINGS:
        if inside and target.as_posix() != RECORDING_FORMAT:
            return f"includes {target}: what reads recordings may share only {RECORDING_FORMAT}"
    if top == "src" and len(path.parts) > 2:
        return complaint_of_floor(tree, path, target, path.parts[1])
    if path.parts[:2] == ("tests", "unit") and path.parts[2] in FLOORS and inside:
        return complaint_of_floor(tree, path, target, path.parts[2])
    return None


def complaint_of_floor(tree, path, target, floor):
    if floor not in FLOORS:
        return f"src/{floor} is no floor of the architecture"
    if target.parts[0] not in ("src", "include"):
        return None if path.parts[0] == "tests" else f"includes {target}: above all floors"
    if target.parts[0] == "src" and {floor, target.parts[1]} == {"omp", "cluster"}:
        return f"includes {target}: front ends never include each other"
    if path.parts[0] == "src" and target.parts[:2] == path.parts[:2]:
        message = complaint_of_room(path, target, ROOMS.get(floor, ()))
        if message:
            return message
    level = floor_of(tree, target)
    if level is not None and level > FLOORS[floor]:
        return f"floor {FLOORS[floor]} ({floor}) includes {target} of floor {level}"
    return None


def complaint_of_room(path, target, rooms):
    """Of an include within one floor."""
    own, other = path.parts[2], target.parts[2]
    if own in rooms and other in rooms and rooms.index(other) > rooms.index(own):
        return f"room {own} includes {target}: of a room above it"
    return None


def homeless(tree):
    """Files of a floor with rooms, or unit tests of it, that lie in none of them."""
    for path in sorted(tree.files):
        inner = path.parts[1:] if path.parts[0] == "src" else path.parts[2:] if path.parts[:2] == ("tests", "unit") else ()
        rooms = ROOMS.get(inner[0]) if inner else None
        if rooms and (len(inner) < 3 or inner[1] not in rooms):
            yield path, 1, f"lies in no room of {inner[0]}; its rooms: {', '.join(rooms)}"


def in_a_circle(tree):
    """Includes from one folder of src to another that includes it, too; of each pair, the rarer way."""
    ways = {}
    for path in sorted(tree.files):
        for line, _, target in tree.includes[path]:
            if target and {path.parts[0], target.parts[0]} == {"src"} and path.parent != target.parent:
                ways.setdefault((path.parent, target.parent), []).append((path, line, target))
    for (folder, other), found in ways.items():
        back = ways.get((other, folder), [])
        if back and (len(found), folder) < (len(back), other):
            for path, line, target in found:
                yield path, line, f"includes {target}, and {other} includes {folder}: one way only"


def crowded(root):
    folders = {}
    for path in source_tree.files(root, folders=("src", "include")):
        folders.setdefault(path.parent, []).append(path)
    folders.pop(PUBLIC_FACE, None)
    for folder, files in sorted(folders.items()):
        if len(files) > MOST_FILES:
            yield folder, 1, f"{len(files)} files; a folder has at most {MOST_FILES}"


def check(root):
    tree = Tree(root)
    yield from homeless(tree)
    yield from in_a_circle(tree)
    yield from crowded(root)
    for path in sorted(tree.files):
        for line, name, target in tree.includes[path]:
            message = complaint(tree, path, name, target)
            if message:
                yield path, line, message


if __name__ == "__main__":
    source_tree.main(check)
