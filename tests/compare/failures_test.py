#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A system that fails is shown with its reason; the others go on."""

import pathlib
import sys
import time
import unittest

from study import GOOD, Study

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from processes import is_alive  # noqa: E402

LIST = "[ $1 = --list ] && printf 'one\\t\\n' && exit"


class Failures(Study):
    def test_each_way_to_fail_has_its_reason(self):
        self.plant("good", GOOD)
        self.plant("crash", f"{LIST}; kill -SEGV $$")
        self.plant("wrong", f"{LIST}; echo 'fib one: wrong answer: 3, expected 2' >&2; exit 1")
        self.plant("nonsense", f"{LIST}; echo hello")
        self.plant("silent", f"{LIST}; exit 0")
        done = self.compare("--workers", "1", "--reps", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        reasons = {one["system"]: one["reason"] for one in self.results()["failures"]}
        self.assertEqual(set(reasons), {"crash", "wrong", "nonsense", "silent"})
        self.assertIn("SIGSEGV", reasons["crash"])
        self.assertIn("3, expected 2", reasons["wrong"])
        self.assertIn("not what a benchmark prints", reasons["nonsense"])
        self.assertIn("no results", reasons["silent"])
        good = [row for row in self.results()["results"] if row["system"] == "good"]
        self.assertEqual([row["values"] for row in good], [[2.5, 2.5]])
        self.assertIn("4 cases failed (crash, nonsense, silent, wrong), the others are "
                      "complete", done.stdout)
        for system, reason in reasons.items():
            self.assertIn(f"failed: fib {system} one with 1 workers: {reason}", done.stdout)

    def test_what_a_hanging_program_started_ends_with_it(self):
        child = self.folder / "child"
        self.plant("hang", f"{LIST}; sleep 3600 & echo $! > '{child}'; wait")
        limit = 1
        while not child.exists() or not child.read_text(encoding="utf-8"):  # on a busy machine
            self.compare("--workers", "1", "--limit", str(limit))
            limit *= 2
        pid = int(child.read_text(encoding="utf-8"))
        while is_alive(pid):  # until ctest ends this
            time.sleep(0.05)

    def test_a_system_that_always_hangs_is_given_up(self):
        self.plant("hang", f"{LIST}; sleep 100")
        done = self.compare("--workers", "1,2,3,4", "--reps", "1", "--limit", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        reasons = [one["reason"] for one in self.results()["failures"]]
        self.assertEqual(len(reasons), 4)
        self.assertEqual(sum("not finished after 1 s" in one for one in reasons), 2)
        given_up = [one for one in reasons if "not run: hang one did not finish 2 times" in one]
        self.assertEqual(len(given_up), 2)
        self.assertIn("failed: 2 cases of hang one: not run: ", done.stdout)

    def test_what_does_not_apply_is_no_failure(self):
        self.plant("one", f"{LIST}; exit 77")
        done = self.compare("--workers", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.results()["failures"], [])


if __name__ == "__main__":
    unittest.main()
