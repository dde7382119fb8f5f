#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The applications over global memory: alone, on threads and on ranks, each with its result check.

RANKS_PROGRAMS is the folder of the programs, RANKS_COMMAND the kasuri command; without it, alone.
"""

import collections
import os
import re
import subprocess
import tempfile
import unittest

PROGRAMS = os.environ["RANKS_PROGRAMS"]
COMMAND = os.environ.get("RANKS_COMMAND", "")
RANKS = (1, 2, 4) if COMMAND else (1,)


def run(program, *arguments, ranks=1, settings=None):
    """The finished job; settings of whoever runs the tests do not reach it."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KASURI_")}
    start = [COMMAND, "run", "-n", str(ranks), "--cluster"] if ranks > 1 else []
    return subprocess.run([*start, os.path.join(PROGRAMS, program), *map(str, arguments)],
                          env={**environment, **(settings or {})}, capture_output=True, text=True,
                          timeout=150, check=False)


def report(program, *arguments, ranks=1, settings=None):
    """The lines of a job that must end well, by their first word."""
    done = run(program, *arguments, ranks=ranks, settings=settings)
    assert done.returncode == 0, (program, arguments, ranks, settings, done)
    assert done.stderr == "", done.stderr
    return dict(line.split(None, 1) for line in done.stdout.splitlines())


def everywhere(settings=({}, {"KASURI_SCHED": "adws"}, {"KASURI_NUM_WORKERS": "3"},
                         {"KASURI_CHECK": "checkout", "KASURI_NUM_WORKERS": "2"})):
    """(ranks, settings) of the runs that each application must pass."""
    return [(ranks, each) for ranks in RANKS for each in settings]


class Applications(unittest.TestCase):
    def check(self, program, *arguments, same=(), right="", settings=None):
        """Runs it everywhere: the lines `same` must be the same, and `check` begin with `right`."""
        seen = set()
        for ranks, each in everywhere() if settings is None else everywhere(settings):
            with self.subTest(ranks=ranks, settings=each):
                lines = report(program, *arguments, "--check", ranks=ranks, settings=each)
                self.assertEqual(lines["ranks"].split(",")[0], str(ranks))
                self.assertTrue(lines["check"].startswith(right), lines["check"])
                seen.add(tuple(lines[word] for word in same))
        self.assertEqual(len(seen), 1, seen)

    def test_cilksort(self):
        for arguments in (("--keys", 1), ("--keys", 1000, "--cutoff", 16),
                          ("--keys", 500_000, "--repeat", 3),
                          ("--keys", 300_001, "--leaf", "digits")):
            self.check("cilksort", *arguments, right="in order, and the keys of the input")

    def test_cilksort_in_a_small_cache(self):
        self.check("cilksort", "--keys", 1_000_000, "--repeat", 2, right="in order",
                   settings=({"KASURI_CACHE_SIZE": "1M"},))

    def test_uts(self):
        self.check("uts", "--depth", 8, same=("tree",), right="the serial count")

    def test_queens(self):
        self.check("queens", "--size", 9, same=("solutions",), right="the known number")

    def test_heat(self):
        for arguments in (("--size", 1, "--steps", 3), ("--size", 64, "--steps", 0),
                          ("--size", 203, "--steps", 21, "--blocks", 13)):
            self.check("heat_cluster", *arguments, same=("heat",), right="bit-identical")

    def test_fmm(self):
        for name in ("cube", "sphere", "plummer"):
            self.check("fmm", "--particles", 6000, "--distribution", name, "--task", 300,
                       "--order", 5, same=("bodies", "check"), right="relative force error")

    def test_fmm_gets_better_with_its_order_and_worse_with_theta(self):
        def error(*arguments):
            line = report("fmm", "--particles", 5000, "--check", *arguments)["check"]
            return float(re.search(r"error (\S+)", line)[1])

        by_order = [error("--order", order) for order in (2, 4, 6, 8, 10)]
        self.assertEqual(by_order, sorted(by_order, reverse=True))
        self.assertLess(by_order[3], 2e-5)
        self.assertLess(error("--order", 6, "--theta", 0.3),
                        error("--order", 6, "--theta", 0.7) / 10)

    def test_fmm_of_two_bodies(self):
        self.check("fmm", "--particles", 2, right="relative force error")

    def test_kmer(self):
        for arguments in (("--letters", 300_000), ("--letters", 9973, "--chunk", 100, "--k", 31),
                          ("--letters", 5000, "--k", 1, "--bits", 0), ("--letters", 10)):
            self.check("kmer", *arguments, same=("k-mers",), right="the serial counts")

    def test_kmer_of_a_file(self):
        text = (">first\nACGTACGTAC\nGTNACGTTTT\n>second line with ACGT\nacgtacgtaaaacccc\r\n"
                + "ggggtttt\n"
                + ">long\n" + "\n".join("GATTACAGATTACCA" * 3 for _ in range(500)) + "\nAC")
        expected = count(text, 5)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.fa")
            with open(path, "w", encoding="ascii", newline="") as file:
                file.write(text)
            for ranks, settings in everywhere():
                lines = report("kmer", "--input", path, "--k", 5, "--chunk", 700, "--check",
                               "--spectrum", ranks=ranks, settings=settings)
                self.assertEqual(lines["k-mers"], f"{expected.total()}, {len(expected)} different")
                most = max(expected.values())
                name, times = lines["most"].split(",")
                self.assertEqual((expected[name], times.split()[0]), (most, str(most)))
                once = sum(1 for n in expected.values() if n == 1)
                self.assertEqual(lines["1"].split()[-1], str(once))

    def test_bad_input(self):
        for line, text in (
                ("cilksort --keys 0", "--keys: 0: not accepted; accepted: 1 to 1000000000000"),
                ("cilksort --leaf bubble", "bubble: not accepted; accepted: standard or digits"),
                ("uts --depth 17", "--depth: 17: not accepted; accepted: 0 to 16"),
                ("queens --size 17", "--size: 17: not accepted; accepted: 1 to 16"),
                ("heat_cluster --blocks 0", "--blocks: 0: not accepted; accepted: 1 to 65536"),
                ("fmm --order 17", "--order: 17: not accepted; accepted: 1 to 16"),
                ("fmm --distribution ring", "ring: not accepted; accepted: cube, sphere or"),
                ("fmm --theta 2", "--theta: 2: not accepted; accepted: 0.05 to 0.95"),
                ("kmer --k 32", "--k: 32: not accepted; accepted: 1 to 31"),
                ("kmer --input nothing.fa", "--input: nothing.fa: not accepted; accepted: a file"),
                ("uts --steady", "unknown option --steady")):
            with self.subTest(line=line):
                done = run(*line.split())
                self.assertEqual((done.returncode, done.stdout), (2, ""), done)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(text, done.stderr)


def count(text, k):
    """Canonical k-mers of a FASTA text, the plain way."""
    found = collections.Counter()
    record = ""

    def end():
        for piece in re.split("[^ACGT]", record.upper()):
            for i in range(len(piece) - k + 1):
                one = piece[i:i + k]
                found[min(one, one[::-1].translate(str.maketrans("ACGT", "TGCA")))] += 1

    for line in text.splitlines():
        if line.startswith(">"):
            end()
            record = ""
        else:
            record += line
    end()
    return found


if __name__ == "__main__":
    unittest.main()
