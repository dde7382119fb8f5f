#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every program of the problems that are about their inputs has right answers for each kind of them, and refuses
what is none."""

import json
import os
import pathlib
import subprocess
import unittest

PROGRAMS = pathlib.Path(os.environ["KASURI_PROGRAMS"])
KEPT = {name: value for name, value in os.environ.items() if not name.startswith(("KASURI_", "OMP_"))}
GOOD = {
    "loops": ["n=1", "n=10", "n=1000", "n=4097", "n=300001"],
    "sort": ["random,n=1", "almost,n=1000", "sorted,n=5000", "few,n=5000", "n=200003", "strings,n=3000",
             "strings,sorted,n=1000", "records,n=30000", "records,almost,n=3000", "records,few,n=20000"],
}
BAD = {"loops": ["n=0", "n=", "n=1x", "n=2000000000", "few"],
       "sort": ["n=0", "n=+5", "almost,", ",n=5", "almost,sorted", "strings,records", "n=3,n=4", "mixed"]}


def programs(problem):
    prefix = f"bench_{problem}_"
    return {path.name[len(prefix):]: path for path in sorted(PROGRAMS.glob(prefix + "*"))}


def run(path, *arguments):
    return subprocess.run([path, *arguments], capture_output=True, text=True, timeout=100, check=False,
                          env=KEPT)


class Inputs(unittest.TestCase):
    def test_right_answers(self):
        for problem, inputs in GOOD.items():
            self.assertLessEqual({"serial", "kasuri"}, set(programs(problem)))
            for system, path in programs(problem).items():
                variants = {line.split("\t")[0] for line in run(path, "--list").stdout.splitlines()}
                workers = "1" if system == "serial" else "2"
                for text in inputs:
                    with self.subTest(problem=problem, system=system, input=text):
                        done = run(path, "--input", text, "--workers", workers, "--reps", "2")
                        self.assertEqual((done.returncode, done.stderr), (0, ""))
                        lines = [json.loads(line) for line in done.stdout.splitlines()]
                        self.assertEqual({line["variant"] for line in lines}, variants)
                        self.assertEqual({line["input"] for line in lines}, {text})
                        self.assertTrue(all(len(line["values"]) == 2 for line in lines))

    def test_what_is_no_input(self):
        for problem, inputs in BAD.items():
            for system, path in programs(problem).items():
                for text in inputs:
                    with self.subTest(problem=problem, system=system, input=text):
                        done = run(path, "--input", text)
                        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
                        self.assertIn(f"--input={text}: unknown; accepted: ", done.stderr)

    def test_a_size_beside_an_input_that_says_n(self):
        for problem, text in (("loops", "n=10"), ("sort", "few,n=10")):
            for system, path in programs(problem).items():
                with self.subTest(problem=problem, system=system):
                    done = run(path, "--input", text, "--size", "7")
                    self.assertEqual((done.returncode, done.stderr.count("\n")), (77, 1), done.stderr)
                    self.assertIn(f"{problem}: --size=7", done.stderr)

    def test_quick_leaves_out_what_is_long(self):
        for path in programs("loops").values():
            lists = [run(path, "--list", *more).stdout.splitlines() for more in ([], ["--quick"])]
            full, quick = ({line.split("\t")[1] for line in lines} for lines in lists)
            self.assertEqual(full, {f"n={10 ** power}" for power in range(9)})
            self.assertEqual(quick, {f"n={10 ** power}" for power in range(7)})

    def test_the_default_of_sort_has_no_input(self):
        for path in programs("sort").values():
            inputs = {line.split("\t")[1] for line in run(path, "--list").stdout.splitlines()}
            self.assertEqual(inputs, {""})


if __name__ == "__main__":
    unittest.main()
