# SPDX-License-Identifier: Apache-2.0
"""The functions that a source of C++ defines, by their braces."""

import re
import typing

NOT_NAMES = re.compile(r"^(?:if|for|while|switch|catch|return|decltype|alignas|noexcept|sizeof|requires)$")
NO_FUNCTION = re.compile(r"^\s*(?:template\s*<.*?>\s*)?(?:class|struct|namespace|enum|union|extern)\b", re.DOTALL)
LAMBDA = re.compile(r"\[[^\[\]]*\]\s*(?:<[^<>]*>\s*)?(?:\([^()]*\))?\s*(?:mutable|noexcept|->[^;{}]*|\s)*$")
NAME = re.compile(r"((?:\w+::)*(?:~?\w+|operator\s*[^\s\w(]+|operator\(\)))\s*\(")


class Function(typing.NamedTuple):
    name: str
    first: int  # lines from 0
    last: int

    @property
    def plain_name(self):
        return self.name.rsplit("::", 1)[-1]


def name_in(head):
    """The name of the function that this text before a brace begins; None if it begins something else."""
    head = re.sub(r"\[\[[^\]]*\]\]", "", head)
    if NO_FUNCTION.match(head) or LAMBDA.search(head):
        return None
    for match in NAME.finditer(head):
        if not NOT_NAMES.match(match[1]):
            before = head[: match.start()]
            control = re.search(r"\b(?:if|for|while|switch|catch|return|else|do)\b", before)
            return None if control else match[1]
    return None


def functions(code):
    """Functions in the text of a file without its comments, innermost first. A lambda is a part of the one around."""
    found, open_, begin = [], [], 0
    for at in (m.start() for m in re.finditer(r"[;{}]", code)):
        char = code[at]
        if char == "{":
            head = code[begin:at]
            open_.append((begin + len(head) - len(head.lstrip()), name_in(head)))
        elif char == "}" and open_:
            start, name = open_.pop()
            if name:
                found.append(Function(name, code.count("\n", 0, start), code.count("\n", 0, at)))
        begin = at + 1
    return found
