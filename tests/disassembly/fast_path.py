#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looks at the machine code of parallel_invoke: fast_path.py COMPILER INCLUDE_DIR

The fast path is every instruction of fork_join that lies on some way from its entry to its return
on which nothing but the two closures is called. There must be such a way, and no fence and no locked
instruction may lie on any. First it must find what is planted: a fence, a locked instruction, a call.
"""
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = """
#include <atomic>
#include <kasuri/invoke.hpp>
long first(long);
long second(long);
void other();
std::atomic<long> word;
long both(long n) {
  const auto [a, b] = kasuri::parallel_invoke([n] { PLANTED; return first(n); },
                                              [n] { return second(n); });
  return a + b;
}
"""
PLANTS = {
    "a fence": "std::atomic_thread_fence(std::memory_order_seq_cst)",
    "a locked instruction": "word.fetch_add(1, std::memory_order_relaxed)",
    "an exchange": "word.exchange(1, std::memory_order_relaxed)",
    "a call": "other()",
}
CLOSURES = re.compile(r"^(first|second)\(long\)|both\(long\)::.*(operator\(\)|lambda).*\) const$")
FORBIDDEN = re.compile(r"^(lock\b|[mls]fence\b|xchg\s.*\(|cpuid\b|int\b|syscall\b)")


def disassembly(compiler, include, plant):
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "both.cpp"), Path(folder, "both.o")
        source.write_text(SOURCE.replace("PLANTED", plant))
        command = [compiler, "-std=c++20", "-O3", "-I", include, "-c", source, "-o", binary]
        subprocess.run(command, check=True)
        dump = ["objdump", "-dr", "--no-show-raw-insn", "-C", "-w", binary]
        return subprocess.run(dump, check=True, capture_output=True, text=True).stdout


def instructions_of_fork_join(text):
    """{address: (instruction, relocated name)} of the one hot instantiation."""
    code = {}
    inside = False
    for line in text.splitlines():
        if header := re.match(r"^[0-9a-f]+ <(.*)>:$", line):
            name = header[1]
            inside = "::fork_join<" in name and ".cold" not in name
            if inside and code:
                sys.exit("fast_path: more than one fork_join")
        elif inside and (found := re.match(r"^\s*([0-9a-f]+):\t(.*?)\s*$", line)):
            last = code[int(found[1], 16)] = [found[2], None]
        if inside and (found := re.search(r"R_[A-Z0-9_]+\t(\S.*?)([-+]0x[0-9a-f]+)?$", line)):
            last[1] = found[1]
    if not code:
        sys.exit("fast_path: no fork_join in the machine code")
    return code


def target(instruction):
    found = re.match(r"^j\w+\s+([0-9a-f]+)", instruction)
    return int(found[1], 16) if found else None


def successors(code):
    """What may come after each instruction; a call of anything else than a closure ends the way."""
    order = sorted(code)
    following = dict(zip(order, order[1:]))
    ways = {}
    for at, (instruction, name) in code.items():
        after = [following[at]] if at in following else []
        if instruction.startswith("call"):
            called = name or re.sub(r"^call\s+\S+\s+<(.*)>$", r"\1", instruction)
            ways[at] = after if CLOSURES.search(called) else []
        elif instruction.startswith("jmp"):
            ways[at] = [target(instruction)] if name is None else []
        elif instruction.startswith("j"):
            ways[at] = after + ([target(instruction)] if name is None else [])
        else:
            ways[at] = [] if instruction.startswith("ret") else after
    return {at: [to for to in after if to in code] for at, after in ways.items()}


def reachable(start, ways):
    seen, left = set(), list(start)
    while left:
        at = left.pop()
        if at not in seen:
            seen.add(at)
            left += ways[at]
    return seen


def problems(compiler, include, plant=""):
    code = instructions_of_fork_join(disassembly(compiler, include, plant))
    ways = successors(code)
    back = {at: [] for at in code}
    for at, after in ways.items():
        for to in after:
            back[to].append(at)
    returns = [at for at, (instruction, _) in code.items() if instruction.startswith("ret")]
    path = reachable([min(code)], ways) & reachable(returns, back)
    if min(code) not in path:
        return ["every way calls something else than the closures"]
    return [f"{at:x}: {code[at][0]}" for at in sorted(path) if FORBIDDEN.match(code[at][0])]


def main():
    if platform.machine() != "x86_64":
        print("fast_path: only for x86-64")
        return 77
    compiler, include = sys.argv[1:]
    for what, plant in PLANTS.items():
        if not problems(compiler, include, plant):
            sys.exit(f"fast_path: did not find {what} that was planted")
    found = problems(compiler, include)
    for line in found:
        print(f"fast_path: {line}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
