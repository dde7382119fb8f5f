#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Data races of whole programs under KASURI_CHECK=checkout, in one run each, alone and on ranks.

RACY is the program, RANKS_COMMAND the kasuri command; without it, alone.
"""

import os
import re
import subprocess
import unittest

RACY = os.environ["RACY"]
COMMAND = os.environ.get("RANKS_COMMAND", "")
RANKS = (1, 2, 3) if COMMAND else (1,)

# The uses that the line names, in either order, with their tasks.
RACES = {
    "write-write": ("writing of 50 bytes by task 1L", "writing of 10 bytes by task 1R"),
    "write-read": ("writing of 9000 bytes by task 1L", "reading of 1 bytes by task 1R"),
    "read-write": ("reading of 20 bytes by task 1L", "writing of 11 bytes by task 1R"),
    "nested": ("reading of 1 bytes by task 1L", "writing of 100 bytes by task 1R.1R.1R"),
    "neighbours": ("writing of 101 bytes by task 1", "writing of 10"),
    "put-get": ("writing of 1 bytes by task 1L", "reading of 1 bytes by task 1R"),
    "atomic-read": ("atomic operation on 8 bytes by task 1L", "reading of 5 bytes by task 1R"),
    "deallocated": ("deallocation of 40 bytes by task 1L", "reading of 1 bytes by task 1R"),
    "behind-a-join": ("writing of 10 bytes by task 1L", "writing of 10 bytes by task 1R"),
    "apart": ("writing of 4 bytes by task 1L", "reading of 4 bytes by task 1R"),
}
CLEAN = ("joined", "atomics", "handed-on", "portable", "inside-another")
# What the line says of a use of bytes that are not checked out, or not for that.
BOUNDS = {
    "write-a-reading": r"byte 7 of the checkout of 50 bytes with access read at .*\(element 100 of the array of "
                       r"10000 elements of 1 bytes\) on rank \d was written; accepted: reading, or",
    "write-past-end": r"the byte 1 past the end of the checkout of 200 bytes with access write at .* was used",
    "read-past-end": r"the byte 1 past the end of the checkout of 1000 bytes with access read at .* was used",
    "write-before": r"the byte 3 before the begin of the checkout of 50 bytes with access read_write at .* was written",
    "across-another": r"the checkout of 50 bytes with access read at .*\(element 50 .* reaches beyond the checkout of "
                      r"50 bytes with access write at .*\(element 10 .*, which the same task holds",
}
# What a closure holds that means nothing elsewhere: the function that makes it, and where it points to.
ADDRESSES = {
    "by-reference": ("by_reference", r"memory of this process, its heap or a stack|the stack of the main thread"),
    "pointer-to-heap": ("pointer_to_heap", "memory of this process, its heap or a stack|the heap of this process"),
    "function-pointer": ("function_pointer", "code or data of /"),
    "literal": ("literal", "code or data of /"),
}


def run(kind, ranks, **settings):
    """The finished job; settings of whoever runs the tests do not reach it."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KASURI_")}
    start = [COMMAND, "run", "-n", str(ranks), "--cluster"] if ranks > 1 else []
    return subprocess.run([*start, RACY, kind], env={**environment, **settings},
                          capture_output=True, text=True, timeout=100, check=False)


def everywhere():
    return [(ranks, settings) for ranks in RANKS
            for settings in ({"KASURI_NUM_WORKERS": "1"}, {"KASURI_NUM_WORKERS": "3"},
                             {"KASURI_NUM_WORKERS": "2", "KASURI_SCHED": "adws"})]


class Races(unittest.TestCase):
    def test_each_is_found_and_named(self):
        for kind, uses in RACES.items():
            for ranks, settings in everywhere():
                with self.subTest(kind=kind, ranks=ranks, settings=settings):
                    done = run(kind, ranks, KASURI_CHECK="checkout", **settings)
                    self.assertNotEqual(done.returncode, 0)
                    self.assertNotIn("done", done.stdout)
                    lines = [s for s in done.stderr.splitlines() if "a data race on" in s]
                    self.assertGreaterEqual(len(lines), 1, done.stderr)
                    for line in lines:
                        for use in uses:
                            self.assertIn(use, line)
                        self.assertEqual(len(re.findall(r"task \S+ on rank \d", line)), 2, line)
                        self.assertRegex(line, "of the array of 10000 bytes|the heap of rank")

    def test_uses_after_free(self):
        for kind, use in (("after-free", "checkout for reading of 4 bytes"),
                          ("after-a-join", "checkout for writing of 1 bytes")):
            for ranks, settings in everywhere():
                with self.subTest(kind=kind, ranks=ranks, settings=settings):
                    done = run(kind, ranks, KASURI_CHECK="checkout", **settings)
                    self.assertEqual(done.returncode, 2, done)
                    self.assertRegex(done.stderr, rf"a use after free of \d bytes at .* \(the heap of rank \d\): "
                                                  rf"{use} by task root on rank 0 comes behind deallocation of 40 "
                                                  r"bytes by task (root|1R) on rank \d")

    def test_uses_of_what_is_not_checked_out(self):
        for kind, line in BOUNDS.items():
            for ranks, cache in [(ranks, "on") for ranks in RANKS] + [(RANKS[-1], "off")]:
                with self.subTest(kind=kind, ranks=ranks, cache=cache):
                    done = run(kind, ranks, KASURI_CHECK="checkout", KASURI_CACHE=cache, KASURI_NUM_WORKERS="2")
                    self.assertEqual(done.returncode, 2, done)
                    self.assertRegex(done.stderr, line)

    def test_addresses_in_closures_are_found_and_their_type_named(self):
        for kind, (maker, place) in ADDRESSES.items():
            for ranks, settings in everywhere():
                with self.subTest(kind=kind, ranks=ranks, settings=settings):
                    done = run(kind, ranks, KASURI_CHECK="checkout", **settings)
                    self.assertEqual(done.returncode, 2, done)
                    self.assertNotIn("done", done.stdout)
                    # GCC names the function that makes a closure, Clang the line.
                    closure = rf"(\S*{maker}.*lambda.*|\(lambda at \S*racy\.cpp:\d+:\d+\))"
                    self.assertRegex(done.stderr, rf"the closure {closure} holds at byte 0 the "
                                                  rf"address 0x[0-9a-f]+, in ({place})")

    def test_bytes_and_addresses(self):
        done = run("write-write", 1, KASURI_CHECK="checkout")
        self.assertRegex(done.stderr, r"a data race on 1 bytes at global address \d+ \(byte 149 of "
                                      r"the array of 10000 bytes at global address \d+\)")

    @unittest.skipUnless(COMMAND, "no ranks")
    def test_ranks_are_named(self):
        done = run("apart", 2, KASURI_CHECK="checkout", KASURI_NUM_WORKERS="1")
        # Both sides check out at once: whichever comes second finds the first.
        uses = ("checkout for reading of 4 bytes by task 1R on rank 1",
                "checkout for writing of 4 bytes by task 1L on rank 0")
        first_or_second = "|".join((" is parallel to ".join(uses), " is parallel to ".join(reversed(uses))))
        self.assertRegex(done.stderr, first_or_second)

    def test_none_is_found_where_there_is_none(self):
        for kind in CLEAN:
            for ranks, settings in everywhere():
                with self.subTest(kind=kind, ranks=ranks, settings=settings):
                    done = run(kind, ranks, KASURI_CHECK="checkout", **settings)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_nobody_looks_without_the_setting(self):
        # Of these one side touches nothing: ThreadSanitizer has no race to see.
        for kind in ("write-read", "read-write", "nested"):
            self.assertEqual(run(kind, RANKS[-1]).returncode, 0)

    def test_too_little_memory(self):
        done = run("joined", 1, KASURI_CHECK="checkout", KASURI_CHECK_MEMORY="1000")
        self.assertEqual(done.returncode, 2)
        self.assertIn("KASURI_CHECK_MEMORY", done.stderr)


if __name__ == "__main__":
    unittest.main()
