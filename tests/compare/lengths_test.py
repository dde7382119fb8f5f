#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/run lengths: a table for each variant and number of workers, by the best system and the serial one."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUN = pathlib.Path(__file__).resolve().parents[2] / "bench" / "run"


def row(system, median, n, workers=1, benchmark="loops", variant="for", metric="time-per-call", unit="ns"):
    return {"benchmark": benchmark, "system": system, "variant": variant, "input": f"n={n}", "metric": metric,
            "workers": workers, "unit": unit, "median": median}


def made_from(text):
    with tempfile.TemporaryDirectory() as folder:
        name = pathlib.Path(folder, "figures.json")
        name.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, RUN, "lengths", "--from", name], capture_output=True, text=True,
                              timeout=60, check=False)


class Lengths(unittest.TestCase):
    def lines(self, *rows):
        machine = {"cpu": "a cpu", "cores": 2, "load": 0.1}
        done = made_from(json.dumps({"machine": machine, "results": rows}))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()[2:]

    def test_lengths_in_order_each_by_its_own_best_and_serial_time(self):
        self.assertEqual(self.lines(
            row("serial", 200.0, 100), row("kasuri", 400.0, 100), row("b", 100.0, 100),
            row("serial", 10.0, 9), row("kasuri", 5.0, 9)), [
                "loops for, 1 worker: the time by the best system's, by the serial one's", "",
                "| n | serial | best | kasuri | b |", "| --- | --- | --- | --- | --- |",
                "| 9 | 10 ns | kasuri 5 ns | 1, 0.5 |  |",
                "| 100 | 200 ns | b 100 ns | 4, 2 | 1, 0.5 |"])

    def test_more_workers_have_the_serial_time_of_one(self):
        self.assertEqual(self.lines(row("serial", 2e-3, 7, 1, "sort", "stable", "time", "s"),
                                    row("kasuri", 1e-3, 7, 2, "sort", "stable", "time", "s"))[-1],
                         "| 7 | 2 ms | kasuri 1 ms | 1, 0.5 |")

    def test_other_metrics_and_inputs_are_left_out(self):
        other = {**row("kasuri", 3.0, 8), "input": "records,n=8"}
        self.assertEqual(self.lines(row("kasuri", 3.0, 8, metric="speedup"), other,
                                    row("kasuri", 3.0, 8, benchmark="fib")), [])

    def test_what_is_no_figures(self):
        done = made_from("[]")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("bench/run lengths: --from", done.stderr)


if __name__ == "__main__":
    unittest.main()
