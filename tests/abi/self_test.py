#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""packaging/abi/check finds what breaks programs, and passes what does not: self_test.py SOURCE_DIR CC CXX

A small library with the C header and one of C++ stands for the real one; each case changes a header or the library.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

BOX = """#include <atomic>
#include <vector>
namespace kasuri {
struct hidden;
struct box {
  std::atomic<int> first;
  long second;
  hidden* inside;
};
struct label {
  int number;
};
int open(const box& b);
std::vector<label> labels();
}
"""
LIBRARY = """#include <kasuri/kasuri.h>
#include <kasuri/box.hpp>
struct kasuri::hidden {
  int of_the_library;
};
int kasuri::open(const box& b) { return b.first + static_cast<int>(b.second) + b.inside->of_the_library; }
std::vector<kasuri::label> kasuri::labels() { return {label{1}}; }
int kasuri_init(int workers) { return workers; }
int kasuri_thread_create_with(kasuri_thread_t* thread, void* (*fn)(void*), void* arg,
                              const kasuri_thread_options_t* options) {
  return thread != 0 && fn != 0 && arg != 0 && options != 0;
}
"""
ADDED = "extern \"C\" int kasuri_new(void) { return 0; }\n"
# What changes: in a header, in the library; and what is said of it, or None where it is no break.
CASES = {
    "nothing": ((), (), None),
    "a function more": ((), (("#include <kasuri/kasuri.h>\n", "#include <kasuri/kasuri.h>\n" + ADDED),), None),
    "a function less": ((), (("int kasuri_init(int workers) { return workers; }\n", ""),), "[D] kasuri_init"),
    "an argument of another type": ((("int kasuri_init(int workers);", "int kasuri_init(long workers);"),),
                                    (("kasuri_init(int", "kasuri_init(long"),), "parameter 1 of type 'int' changed"),
    "a member more": ((("  size_t hint_bytes; ", "  int more;\n  size_t hint_bytes; "),), (), "kasuri_thread_options"),
    "members in another order": ((("  int kind;  /**<", "  int index_; /**<"), ("  int index; /**<", "  int kind; /**<")),
                                 (), "kasuri_place"),
    "a member more in C++": ((("  long second;\n", "  long second;\n  long third;\n"),), (),
                             "type size changed from 192 to 256"),
    "a member more in what a vector holds": ((("  int number;\n", "  int number;\n  int more;\n"),), (),
                                             "type size changed from 32 to 64"),
    "a member more in a type that no header defines":
        ((), (("  int of_the_library;\n", "  long more;\n  int of_the_library;\n"),), None),
    "another value": ((("KASURI_ERROR_BUSY = 3,", "KASURI_ERROR_BUSY = 30,"),), (),
                      "'kasuri_error::KASURI_ERROR_BUSY' from value '3' to '30'"),
    "another value without a type": ((("KASURI_NODE = 1,", "KASURI_NODE = 7,"),), (),
                                     "KASURI_NODE' from value '1' to '7'"),
}


def changed(text, pairs):
    for old, new in pairs:
        if text.count(old) != 1:
            sys.exit(f"{old!r} is {text.count(old)} times in the text that it should be changed in")
        text = text.replace(old, new)
    return text


class tree:
    def __init__(self, source, compiler, cxx, folder):
        self.source, self.compiler, self.cxx, self.folder = source, compiler, cxx, folder
        self.headers = {"kasuri.h": (source / "include/kasuri/kasuri.h").read_text(encoding="utf-8"), "box.hpp": BOX}

    def build(self, name, in_header=(), in_library=()):
        """The include folder and the library of a case."""
        include = self.folder / name / "include"
        (include / "kasuri").mkdir(parents=True)
        for header, text in self.headers.items():
            pairs = [pair for pair in in_header if (pair[0] in BOX) == (header == "box.hpp")]
            (include / "kasuri" / header).write_text(changed(text, pairs), encoding="utf-8")
        code, library = self.folder / name / "library.cpp", self.folder / name / "library.so"
        code.write_text(changed(LIBRARY, in_library), encoding="utf-8")
        subprocess.run([self.cxx, "-g", "-shared", "-fPIC", f"-I{include}", code, "-o", library], check=True)
        return include, library

    def check(self, include, library, *more):
        return subprocess.run([self.source / "packaging/abi/check", "--include", include, "--baseline",
                               self.folder / "last", *more, library], text=True, capture_output=True, check=False,
                              env={**os.environ, "CC": self.compiler})


def main():
    source, compiler, cxx = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        at = tree(source, compiler, cxx, Path(folder))
        done = at.check(*at.build("last release"), "--renew")
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        for name, (in_header, in_library, said) in CASES.items():
            done = at.check(*at.build(name, in_header, in_library))
            if done.returncode != (0 if said is None else 1) or done.stderr or (said or "") not in done.stdout:
                wrong.append(f"{name}: status {done.returncode}, says:\n{done.stdout}{done.stderr}")
        # A comparison that cannot be made is no pass.
        include, library = at.build("without types")
        subprocess.run(["strip", "--strip-debug", library], check=True)
        done = at.check(include, library)
        if done.returncode != 2 or "no types" not in done.stderr:
            wrong.append(f"without types: status {done.returncode}, says:\n{done.stdout}{done.stderr}")
        library.write_text("no library", encoding="utf-8")
        if at.check(include, library).returncode != 2:
            wrong.append("no library: status is not 2")
    print("\n".join(wrong) or f"{len(CASES)} cases are told as they are")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
