#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every memory order stronger than relaxed names its partner, and none is left to the default.

An operation or fence with such an order has a comment with "pairs with" on its line, within the
three lines above, or in the comment block right above its statement. Aliases of the orders
(`constexpr auto acquire = std::memory_order_acquire`) and our own fences count like the originals.
"""

import re

import source_tree

STRONG = r"(?:acquire|release|acq_rel|seq_cst|consume)"
ORDER = re.compile(rf"\bmemory_order(?:_|::){STRONG}\b")
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


def statement_start(code, index):
    """The first line of the statement that line index belongs to."""
    while index > 0:
        above = code[index - 1].strip()
        if not above or above[-1] in ";{}:" or above.startswith("#"):
            break
        index -= 1
    return index


def names_partner(code, comments, index):
    start = statement_start(code, index)
    near = comments[max(0, index - 3) : index + 1] + comments[start:index]
    block = []
    while start > 0 and not code[start - 1].strip() and comments[start - 1].strip():
        start -= 1
        block.insert(0, comments[start])
    text = " ".join(re.sub(r"[/*\s]+", " ", line) for line in block + near)
    return "pairs with" in re.sub(r"\s+", " ", text)


def aliases(root, paths):
    found = set()
    for path in paths:
        code, _ = source_tree.split((root / path).read_text())
        found |= {m[1] for line in code for m in ALIAS.finditer(line) if "constexpr" in line}
    return found


def strong_lines(code, alias):
    for index, line in enumerate(code):
        if ALIAS.search(line) and "constexpr" in line:
            continue
        fence = FENCE.search(line) and not DECLARATION.match(line)
        if ORDER.search(line) or fence or (alias and alias.search(line)):
            yield index


def default_orders(code):
    text = "\n".join(code)
    for match in OPERATION.finditer(text):
        if count_arguments(text, match.end()) < ARGUMENTS[match[1]]:
            yield text.count("\n", 0, match.start()), f"{match[1]} without a memory order"
    for name in {m[1] for m in NAMED_ATOMIC.finditer(text)}:
        access = rf"(?<![\w:<>&*] )(?<![\w.]){name}\b(?:\[[^\]]*\])?"
        operator = rf"(?:\+\+|--)\s*{access}|{access}\s*(?:\+\+|--|[-+|&^]?=(?!=))"
        for match in re.finditer(operator, text):
            line = text.count("\n", 0, match.start())
            if not NAMED_ATOMIC.search(code[line]):
                yield line, f"an operator on the atomic {name} is seq_cst: name the order"


def check(root):
    paths = source_tree.files(root, {".hpp", ".cpp", ".h", ".c"}, ("src", "include"))
    names = aliases(root, paths)
    alias = re.compile(rf"[(,]\s*(?:\w+::)*(?:{'|'.join(names)})\s*[,)]") if names else None
    for path in paths:
        code, comments = source_tree.split((root / path).read_text())
        for index in strong_lines(code, alias):
            if not names_partner(code, comments, index):
                yield path, index + 1, 'stronger than relaxed without a comment "pairs with ..."'
        for index, message in default_orders(code):
            yield path, index + 1, message


if __name__ == "__main__":
    source_tree.main(check)
