#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every memory order names its partner, none is left to the default, and fences are named by those that rely on them.

- An operation or fence with an order stronger than relaxed has a comment with "pairs with" in its statement or right
  above it. A comment serves one access: two accesses have two comments, and no access has two. Aliases of the orders
  (`constexpr auto acquire = std::memory_order_acquire`) and our own fences count like the originals.
- In a function that holds a fence each relaxed access has a comment `relaxed: ...` of its own, which says what it
  relies on or why nothing is needed.
- `relaxed: before the fence below`, `after the fence above`: there is one in the same function. `relaxed: after the
  fence in f()`, `... in f(), g() of sched/kernel/idle.hpp`: f is a function of this file, or of that one, and
  holds a fence.
"""

import bisect
import re

import cxx_functions
import source_tree

STRONG = r"(?:acquire|release|acq_rel|seq_cst|consume)"
ORDER = re.compile(rf"\bmemory_order(?:_|::){STRONG}\b")
RELAXED = re.compile(r"\bmemory_order(?:_|::)relaxed\b")
FENCE = re.compile(r"\b(?:atomic_thread_fence|atomic_signal_fence|fence_(?:full|light|heavy))\s*\(")
ALIAS = re.compile(rf"\b(\w+)\s*(?:=|\{{)\s*(?:std::)?memory_order(?:_|::)({STRONG})\b")
NAMED_ATOMIC = re.compile(r"\batomic(?:_ref)?\s*<[^;={}]*>\s*&?\s*(\w+)\s*[;={\[(]")

# Operations and the number of arguments they have once the order is named.
ARGUMENTS = {
    "load": 1, "store": 2, "exchange": 2, "fetch_add": 2, "fetch_sub": 2, "fetch_or": 2,
    "fetch_and": 2, "fetch_xor": 2, "compare_exchange_weak": 3, "compare_exchange_strong": 3,
    "test_and_set": 1,
}
OPERATION = re.compile(r"(?:\.|->)(" + "|".join(ARGUMENTS) + r")\s*\(")
# A function that is declared or defined here, not called.
DECLARATION = re.compile(
    r"^\s*(?:static |inline |constexpr |friend |\[\[\w+\]\] )*(?:void|bool|auto)\s+\w+\s*\(")

MARKS = re.compile(r"^(?://+<?|/\*+<?|\*+(?!/))|\*+/$")
PARTNER = "pairs with"
RELIANCE = "relaxed: "
RELIES = re.compile(r"\brelaxed: (?:before|after) the fences? (?:(below|above)|in (.*))")
FENCED = re.compile(r"(?:, |and |)([\w:~]+)\(\)(?: of ([\w./]+\w))?\s?")


class Source:
    """A file as lines of code and of comments, and the comments as the units in which they were written."""

    def __init__(self, text, alias=None):
        self.code, self.comments = source_tree.split(text)
        self.text = "\n".join(self.code)
        self.starts = [0]
        for line in self.code:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.alias = alias

    def line_of(self, offset):
        return bisect.bisect_right(self.starts, offset) - 1

    def units(self):
        """(first line, line behind it, text): a comment behind code, or lines of nothing but comment."""
        line = 0
        while line < len(self.comments):
            first = line
            line += 1
            if not self.comments[first].strip():
                continue
            while not self.code[first].strip() and line < len(self.comments) and self.comments[line].strip() and \
                    not self.code[line].strip():
                line += 1
            text = " ".join(MARKS.sub(" ", part.strip()) for part in self.comments[first:line])
            yield first, line, re.sub(r"\s+", " ", text)

    def statement_of(self, lines):
        """(first line, line behind it) of the statement in which an access has these lines."""
        first = min(lines)
        while first > 0:
            above = self.code[first - 1].strip()
            if not above or above[-1] in ";{}:" or above.startswith("#"):
                break
            first -= 1
        return first, max(lines) + 1

    def call_around(self, offset):
        """Where the parenthesis opens that the offset lies in; the offset itself if there is none."""
        depth = 0
        for at in range(offset - 1, -1, -1):
            char = self.text[at]
            if char in ")]}":
                depth += 1
            elif char in "([{":
                if depth == 0:
                    return at if char == "(" else offset
                depth -= 1
            elif char == ";" and depth == 0:
                break
        return offset

    def accesses(self, order):
        """The lines of each access that names such an order."""
        found = {}
        for match in order.finditer(self.text):
            line = self.line_of(match.start())
            if not (ALIAS.search(self.code[line]) and "constexpr" in self.code[line]):
                start = self.call_around(match.start())
                found.setdefault(start, {self.line_of(start)}).add(line)
        return found

    def strong_accesses(self):
        found = self.accesses(ORDER)
        if self.alias:
            found.update(self.accesses(self.alias))
        for line in self.fence_lines():
            for match in FENCE.finditer(self.code[line]):
                found[self.starts[line] + match.end() - 1] = {line}
        return [self.statement_of(lines) for _, lines in sorted(found.items())]

    def fence_lines(self):
        return [i for i, line in enumerate(self.code) if FENCE.search(line) and not DECLARATION.match(line)]


def serve(accesses, units):
    """(accesses without a comment of their own, comments too many): a comment behind code, inside of the statement or
    right above it serves the first access that has none yet."""
    free = list(units)
    missing = []
    for first, behind in accesses:
        near = [u for u in free if first <= u[0] < behind or u[1] == first]
        if near:
            free.remove(near[-1])
        else:
            missing.append(first)
    spare = [u for u in free if any(first <= u[0] < behind or u[1] == first for first, behind in accesses)]
    return missing, spare


def check_partners(source):
    units = [u for u in source.units() if PARTNER in u[2]]
    missing, spare = serve(source.strong_accesses(), units)
    for line in missing:
        yield line, 'stronger than relaxed without a comment "pairs with ..." of its own'
    for first, _, _ in spare:
        yield first, 'a second comment "pairs with ..." for one access'


def check_relaxed(source, functions):
    """Relaxed accesses beside a fence."""
    fences = source.fence_lines()
    units = [u for u in source.units() if RELIANCE in u[2]]
    accesses = [(source.statement_of(lines), max(lines)) for _, lines in sorted(source.accesses(RELAXED).items())]
    # What an invariant reads is a snapshot: nothing relies on its order.
    accesses = [(s, line) for s, line in accesses if not source.code[s[0]].lstrip().startswith("KASURI_EXPECT(")]
    for function in functions:
        if not any(function.first <= line <= function.last for line in fences):
            continue
        inside = [statement for statement, line in accesses if function.first <= line <= function.last]
        for line in serve(inside, units)[0]:
            yield line, f'relaxed in {function.name}, which holds a fence, without a comment "relaxed: ..." of its own'


def check_named_fences(source, functions, find):
    """What comments say of fences; find(name): the source and the functions of another file, or None."""
    fences = source.fence_lines()
    for first, behind, text in source.units():
        for match in RELIES.finditer(text):
            around = next((f for f in functions if f.first <= first <= f.last), None)
            if match[1]:
                own = [line for line in fences if around and around.first <= line <= around.last]
                if not any(line >= behind - 1 if match[1] == "below" else line <= first for line in own):
                    yield first, f"there is no fence {match[1]} in this function"
                continue
            named = list(functions_named(match[2]))
            if not named:
                yield first, "names no function of the fence: in f(), or in f() of FILE"
            for name, file in named:
                other = (source, functions) if file is None else find(file)
                if other is None:
                    yield first, f"{file}: no such file in src or include"
                elif not holds_fence(name, *other):
                    yield first, f"{file or 'this file'} has no function {name} with a fence"


def functions_named(text):
    """(name, file or None) of a list: f(), g() of FILE and h(). A file is that of all names before it, up to the last
    file; names behind the last one are of this file."""
    at, waiting = 0, []
    while match := FENCED.match(text, at):
        waiting.append(match[1])
        at = match.end()
        if match[2]:
            yield from ((name, match[2]) for name in waiting)
            waiting = []
    yield from ((name, None) for name in waiting)


def holds_fence(name, source, functions):
    fences = source.fence_lines()
    plain = name.rsplit("::", 1)[-1]
    return any(f.plain_name == plain and any(f.first <= line <= f.last for line in fences) for f in functions)


def count_arguments(text, start):
    """Arguments of the call whose opening parenthesis precedes start."""
    depth, commas, empty = 0, 0, True
    for char in text[start:]:
        if char in ")]}" and depth == 0:
            break
        depth += (char in "([{") - (char in ")]}")
        commas += char == "," and depth == 0
        empty = empty and char.isspace()
    return 0 if empty else commas + 1


def default_orders(source):
    text = source.text
    for match in OPERATION.finditer(text):
        if count_arguments(text, match.end()) < ARGUMENTS[match[1]]:
            yield source.line_of(match.start()), f"{match[1]} without a memory order"
    for name in {m[1] for m in NAMED_ATOMIC.finditer(text)}:
        access = rf"(?<![\w:<>&*] )(?<![\w.]){name}\b(?:\[[^\]]*\])?"
        operator = rf"(?:\+\+|--)\s*{access}|{access}\s*(?:\+\+|--|[-+|&^]?=(?!=))"
        for match in re.finditer(operator, text):
            line = source.line_of(match.start())
            if not NAMED_ATOMIC.search(source.code[line]):
                yield line, f"an operator on the atomic {name} is seq_cst: name the order"


def aliases(texts):
    names = set()
    for text in texts:
        code, _ = source_tree.split(text)
        names |= {m[1] for line in code for m in ALIAS.finditer(line) if "constexpr" in line}
    return re.compile(rf"(?<=[(,])\s*(?:\w+::)*(?:{'|'.join(names)})\s*(?=[,)])") if names else None


def read(root):
    """{path: Source} of all files that the rules hold for."""
    paths = source_tree.files(root, {".hpp", ".cpp", ".h", ".c"}, ("src", "include"))
    texts = {path: (root / path).read_text() for path in paths}
    alias = aliases(texts.values())
    return {path: Source(text, alias) for path, text in texts.items()}


def check(root):
    sources = read(root)
    functions = {path: cxx_functions.functions(source.text) for path, source in sources.items()}

    def find(name):
        path = next((p for p in sources if p.as_posix() in (f"src/{name}", f"include/{name}")), None)
        return path and (sources[path], functions[path])

    for path, source in sources.items():
        findings = [*check_partners(source), *check_relaxed(source, functions[path]),
                    *check_named_fences(source, functions[path], find), *default_orders(source)]
        for line, message in findings:
            yield path, line + 1, message


if __name__ == "__main__":
    source_tree.main(check)
