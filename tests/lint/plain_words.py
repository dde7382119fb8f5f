#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Comments say who does what to which object.

A sentence that begins with one of OPENINGS, or leans on "whoever", hides its subject. In FOLDERS, the rooms that have
been put into plain words so far, their share among all sentences of comments of each room stays below BOUND.
`plain_words.py ROOT --list [FOLDER...]` prints them, of any folder.
"""

import pathlib
import re
import sys

import source_tree

BOUND = 0.03
FOLDERS = ("include", "src/cluster", "src/context", "src/numa", "src/omp", "src/platform", "src/record", "src/sched",
           "src/task", "tools")
OPENINGS = re.compile(r"(?:\.\.\. )?(who|whoever|whom|whose|what|whatever|which|those|such|of (what|who|those|such)|"
                      r"for (who|what|those)|[bt][yo] who|with what|in what)\b", re.IGNORECASE)
LEANINGS = re.compile(r"\bwhoever\b|[,;:] who [a-z]+", re.IGNORECASE)
MARK = re.compile(r"^\s*(///?<?|\*+|/\*+)\s?")
# A sentence ends at its full stop, at an empty line, and where a list, a table or a documentation field begins.
END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])|\n\s*\n|\n(?=\s*[-@\\])|\n(?=\s*\S+(?: \S+)?\s{2,}\S)")


def blocks(text):
    """(line, text) of each comment. Behind code a comment stands alone; on lines of its own it goes on."""
    code, comments = source_tree.split(text)
    block, start = [], 0
    for number, (before, line) in enumerate(zip(code + [""], comments + [""]), 1):
        alone = not before.strip()
        if block and not (alone and line.strip()):
            yield start, "\n".join(block)
            block = []
        if not line.strip():
            continue
        said = MARK.sub("", line.strip()).removesuffix("*/")
        if not alone:
            yield number, said
        elif "SPDX-License-Identifier" not in said:
            start = start if block else number
            block.append(said)


def sentences(text):
    for start, block in blocks(text):
        at = 0
        for end in [*(m.start() for m in END.finditer(block)), len(block)]:
            words = " ".join(block[at:end].split())
            if len(words.split()) > 2:
                yield start + block.count("\n", 0, at + len(block[at:end]) - len(block[at:end].lstrip())), words
            at = end


def hides_subject(sentence):
    return not sentence.endswith("?") and bool(OPENINGS.match(sentence) or LEANINGS.search(sentence))


def survey(root, folders):
    """(all sentences, those that hide their subject as (path, line, sentence))."""
    count, found = 0, []
    for path in source_tree.files(root, source_tree.CXX, folders):
        for line, sentence in sentences((root / path).read_text(errors="replace")):
            count += 1
            if hides_subject(sentence):
                found.append((path, line, sentence))
    return count, found


def check(root):
    for folder in FOLDERS:
        count, found = survey(root, [folder])
        if len(found) > BOUND * count:
            path, line, sentence = found[0]
            yield path, line, (f"{len(found)} of {count} sentences in {folder} hide their subject, more than "
                               f"{BOUND:.0%}; this is the first: {sentence[:80]}")


if __name__ == "__main__":
    if sys.argv[2:3] == ["--list"]:
        for where in survey(pathlib.Path(sys.argv[1]), sys.argv[3:] or FOLDERS)[1]:
            print(f"{where[0]}:{where[1]}: {where[2]}")
        sys.exit(0)
    source_tree.main(check)
