#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/run readme: the table is made of the figures, a row for each of Kasuri's."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUN = pathlib.Path(__file__).resolve().parents[2] / "bench" / "run"


def row(system, variant, median, benchmark="uts", metric="time", unit="s", workers=1):
    return {"benchmark": benchmark, "system": system, "variant": variant, "input": "", "metric": metric,
            "workers": workers, "unit": unit, "median": median}


def made_from(text):
    with tempfile.TemporaryDirectory() as folder:
        name = pathlib.Path(folder, "figures.json")
        name.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, RUN, "readme", "--from", name], capture_output=True, text=True,
                              timeout=60, check=False)


class Readme(unittest.TestCase):
    def test_rows(self):
        figures = {"machine": {"cpu": "a cpu", "cores": 2, "load": 0.1}, "results": [
            row("kasuri", "slow", 4.0), row("kasuri", "fast", 2.0), row("a", "x", 8.0), row("b", "x", 1.0),
            row("c", "x", 16.0), row("a", "x", 5.0, workers=2), row("kasuri", "fast", 9.0, "flat", "task", "ns"),
            row("kasuri", "fast", 3.0, "uts", "other"), row("a", "x", 3.0, "uts", "other")]}
        done = made_from(json.dumps(figures))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.splitlines()[2:], [
            "| | Kasuri | others | Kasuri / other |", "| --- | --- | --- | --- |",
            "| UTS T1, 1 worker | 2 s | b 1, a 8 | 2, 0.25 |"])
        self.assertIn("a cpu, 2 cores", done.stdout)

    def test_others_are_other_systems_that_do_the_same(self):
        spawn = {"benchmark": "fib", "metric": "time-per-spawn", "unit": "ns"}
        figures = {"machine": {"cpu": "a cpu", "cores": 2, "load": 0.1}, "results": [
            row("kasuri", "x", 2.0, **spawn), row("serial", "x", 1.0, **spawn), row("b", "x", 8.0, **spawn),
            row("gcc-openmp-kasuri", "x", 3.0, **spawn)]}
        self.assertEqual(made_from(json.dumps(figures)).stdout.splitlines()[-1],
                         "| fib without cut-off, a spawn, 1 worker | 2 ns | b 8 | 0.25 |")

    def test_what_is_no_figures(self):
        done = made_from("[]")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("accepted: what bench/run --json wrote", done.stderr)


if __name__ == "__main__":
    unittest.main()
