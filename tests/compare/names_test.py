#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is wrong on the command line is said in one line that names what would be right."""

import unittest

from study import GOOD, Study


class Names(Study):
    def refused(self, options, *parts):
        done = self.compare(*options)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for part in ("kasuri: compare: ", "see kasuri compare --help", *parts):
            self.assertIn(part, done.stderr)

    def setUp(self):
        super().setUp()
        self.plant("good", GOOD)
        self.plant("other", GOOD)

    def test_unknown_system(self):
        self.refused(["--systems", "good,cilk"], "unknown system 'cilk'", "known: good, other")

    def test_unknown_benchmark(self):
        self.refused(["--benchmarks", "fob"], "unknown benchmark 'fob'", "known: fib")

    def test_bad_numbers(self):
        self.refused(["--workers", "0"], "--workers", "'0'; accepted: a number from 1 on")
        self.refused(["--reps", "x"], "--reps", "'x'; accepted: a number from 1 on")

    def test_unknown_option(self):
        self.refused(["--fast"], "--fast")

    def test_places_that_cannot_be_written(self):
        self.refused(["--json", "/nowhere/x.json"], "--json /nowhere/x.json")
        self.refused(["--html", "/nowhere/x.html"], "--html /nowhere/x.html")

    def test_files_that_are_no_results(self):
        (self.folder / "other.json").write_text("{}", encoding="utf-8")
        self.refused(["--merge", "other.json"], "--merge other.json", "no results")
        self.refused(["--merge", "gone.json"], "--merge gone.json")
        self.refused(["--page-only"], "name files with --merge")

    def test_list(self):
        done = self.compare("--list")
        self.assertEqual((done.returncode, done.stdout.split()), (0, ["fib", "good", "other"]))


if __name__ == "__main__":
    unittest.main()
