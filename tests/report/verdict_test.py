#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The judge itself: it accepts right reports, and refuses wrong ones for what is wrong with them."""

import json
import pathlib
import stat
import tempfile
import unittest

import judge
import programs
import verdict

CRITICAL = programs.find("openmp/gcc/critical")
LINE = CRITICAL.marked_lines()[0]


def finding(rule="lock", line=LINE, gain=1.5, file="src/critical.c", module="build/critical"):
    return {"rule": rule, "gain": gain, "place": {"file": file, "line": line, "module": module}}


def judged(*findings, program=CRITICAL, **how):
    return verdict.judge(program, {"findings": list(findings), "answer": "findings" if findings else "nothing"}, **how)


class Verdict(unittest.TestCase):
    def refuses(self, words, wrong):
        self.assertEqual(len(wrong), 1, wrong)
        self.assertIn(words, wrong[0])

    def test_right(self):
        self.assertEqual(judged(finding(), finding("others"), measured=1.4), [])
        self.assertEqual(judged(finding(line=LINE + 2), measured=1.5), [])

    def test_rule(self):
        self.refuses("finds nothing", judged(measured=1.5))
        self.refuses("serial comes first", judged(finding("serial"), finding(), measured=1.5))
        self.refuses("says stretch", judged(finding(), finding("stretch"), measured=1.5))

    def test_place(self):
        self.refuses(f"critical.c:{LINE + 3}", judged(finding(line=LINE + 3), measured=1.5))
        self.refuses("other.c", judged(finding(file="other.c"), measured=1.5))
        self.refuses("no file", judged({"rule": "lock", "gain": 1.5, "place": None}, measured=1.5))

    def test_gain(self):
        self.refuses("gain 1.50", judged(finding(), measured=1.2))
        self.refuses("gain 1.50", judged(finding(), measured=1.9))
        self.refuses("no gain", judged(finding(gain=None), measured=1.5))

    def test_stripped(self):
        self.assertEqual(judged(finding(file=None, line=None), stripped=True), [])
        self.refuses("no module", judged(finding(module=None), stripped=True))

    def test_killed(self):
        self.assertEqual(judged(finding(gain=9.0), killed=True), [])

    def test_stretch_is_not_known_of_a_killed_one(self):
        shared = programs.find("tasks/shared_line")
        self.assertEqual(judged(program=shared, killed=True), [])
        self.refuses("finds nothing", judged(program=shared))

    def test_other_programs_are_passed_over(self):
        said = verdict.without_others({"findings": [finding("others"), finding()]})
        self.assertEqual(verdict.judge(CRITICAL, said, measured=1.5), [])

    def test_healthy(self):
        healthy = programs.find("tasks/healthy_loop")
        self.assertEqual(judged(program=healthy), [])
        self.refuses("finds lock", judged(finding(), program=healthy))

    def test_nothing_may_be_right(self):
        self.assertEqual(judged(program=programs.find("tasks/triad")), [])

    def test_nothing_is_right_where_the_repair_gains_nothing(self):
        self.assertEqual(judged(measured=1.05), [])
        self.assertEqual(judged(measured=1.05, stripped=True), [])
        self.refuses("finds nothing", judged(measured=1.15))


class Marks(unittest.TestCase):
    def test_each_program_has_its_mark(self):
        for program in programs.ALL:
            with self.subTest(program.name):
                self.assertTrue(program.source().is_file())
                expected = bool(program.rules) and program.has_place
                self.assertEqual(bool(program.marked_lines()), expected)


class Command(unittest.TestCase):
    """How the judge calls the command, by one that says what it is told to."""

    def reported(self, script):
        with tempfile.TemporaryDirectory() as folder:
            command = pathlib.Path(folder) / "kasuri"
            command.write_text("#!/bin/sh\n" + script)
            command.chmod(command.stat().st_mode | stat.S_IXUSR)
            return judge.report(CRITICAL, programs.Tools(folder, folder, str(command)), folder)

    def test_report_is_read(self):
        said = {"findings": [finding()], "answer": "findings"}
        self.assertEqual(self.reported(f"[ \"$1 $2 $4\" = 'report --json --' ] && echo '{json.dumps(said)}' > $3"),
                         said)

    def test_none_and_broken_ones_are_told(self):
        self.assertIn("no report, status 3", self.reported("exit 3"))
        self.assertIn("no JSON", self.reported("echo '{' > $3"))


if __name__ == "__main__":
    unittest.main()
