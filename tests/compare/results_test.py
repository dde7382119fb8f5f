#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real programs: what the JSON holds, and that bin's work and span are those of the recurrences."""

import unittest

from study import Study

FIELDS = {"benchmark": str, "system": str, "variant": str, "input": str, "workers": int,
          "metric": str, "unit": str, "median": float, "min": float, "max": float, "n": int,
          "compiler": str, "version": str, "values": list}
MACHINE = {"cpu": str, "cores": int, "numa_nodes": int, "kernel": str, "load": float, "busy": int,
           "compilers": list, "flags": str, "versions": dict}


def recurrences(k, n):
    """(work, span) of bin(n) in times that A is consumed."""
    if n == 0:
        return 1, 1
    work, span = recurrences(k, n - 1)
    return 1 + k * (2 * work + 1), 1 + k * (span + 1)


class RealPrograms(Study):
    def test_a_small_study(self):
        done = self.compare("--quick", "--reps", "1", "--workers", "1,2", "--systems",
                            "serial,kasuri", "--variants", "call,parallel_invoke,child_first",
                            "--benchmarks", "create,create-scale,latency,diffuse,fib",
                            planted=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        document = self.results()
        self.assertEqual((document["kind"], document["version"]), ("kasuri-compare", 1))
        self.assertEqual(document["failures"], [])
        self.assertEqual(document["options"]["workers"], [1, 2])
        self.check_types(document["machine"], MACHINE)
        for row in document["results"]:
            self.check_types(row, FIELDS)
            self.assertEqual(row["n"], len(row["values"]))
            self.assertLessEqual(row["min"], row["median"])
            self.assertLessEqual(row["median"], row["max"])
        seen = {(row["benchmark"], row["system"], row["metric"]) for row in document["results"]}
        for expected in (("create", "kasuri", "cycles-by-protocol"), ("fib", "kasuri", "speedup"),
                         ("create-scale", "kasuri", "cycles-per-task"), ("fib", "kasuri", "work"),
                         ("latency", "kasuri", "child"), ("diffuse", "kasuri", "start-2"),
                         ("create", "serial", "time-per-task")):
            self.assertIn(expected, seen)
        self.assertEqual(len(done.stderr.splitlines()), 5)  # a line of progress a benchmark

    def test_loops_of_some_lengths(self):
        done = self.compare("--quick", "--reps", "1", "--workers", "1,2", "--systems", "serial,kasuri",
                            "--benchmarks", "loops", planted=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.results()["failures"], [])
        rows = self.results()["results"]
        variants = ("for", "reduce-int32", "reduce-double", "scan-int64", "scan-double")
        for metric, system, workers in (("time-per-call", "serial", 1), ("time-per-call", "kasuri", 2),
                                        ("speedup", "kasuri", 1)):
            found = [(row["variant"], row["input"]) for row in rows if row["system"] == system
                     and (row["metric"], row["workers"]) == (metric, workers)]
            self.assertEqual(sorted(found), sorted((variant, text) for variant in variants
                                                   for text in ("n=10", "n=1000", "n=100000")))

    def check_types(self, found, expected):
        self.assertEqual(set(found), set(expected))
        for name, kind in expected.items():
            self.assertIsInstance(found[name], (kind, int) if kind is float else kind, name)

    def test_work_and_span_of_bin(self):
        sets = {"A=10,K=1,n=5": (1, 5), "A=10,K=2,n=4": (2, 4), "A=1,K=3,n=3": (3, 3),
                "A=0,K=4,n=2": (4, 2)}
        inputs = [word for text in sets for word in ("--input", text)]
        done = self.compare("--quick", "--reps", "1", "--workers", "1,2", "--systems",
                            "serial,kasuri", "--benchmarks", "bin", "--size", "3", *inputs,
                            planted=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = self.results()["results"]
        self.assertEqual(self.results()["failures"], [])
        sets.update({"A=750,K=2": (2, 3), "A=23000,K=1": (1, 3)})
        for text, (k, n) in sets.items():
            work, span = recurrences(k, n)
            expected = {"T1": work, "Tinf": span, "T1-formula": work, "Tinf-formula": span}
            for metric, value in expected.items():
                found = {row["median"] for row in rows
                         if row["input"] == text and row["metric"] == metric}
                self.assertEqual(found, {value}, f"{text} {metric}")
            bounds = {row["workers"]: row["median"] for row in rows
                      if row["input"] == text and row["metric"] == "greedy-bound"}
            for workers, bound in bounds.items():
                self.assertAlmostEqual(bound, work / (work / workers + span), places=5)

    def test_refused_parameters(self):
        done = self.compare("--benchmarks", "bin", "--systems", "serial", "--workers", "1",
                            "--quick", "--reps", "1", "--size", "2", "--input", "A=x",
                            planted=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--input=A=x: unknown; accepted:", done.stdout)


if __name__ == "__main__":
    unittest.main()
