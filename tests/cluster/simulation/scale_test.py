#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many ranks, by cluster_simulate: what they move, how often they go, and that a seed replays.

SIMULATE is the program.
"""

import csv
import functools
import os
import subprocess
import unittest

PROGRAM = os.environ["SIMULATE"]


def start(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=250,
                          check=False)


@functools.lru_cache
def simulate(*words):
    done = start(*words, "--csv")
    assert done.returncode == 0 and done.stderr == "", done
    (row,) = csv.DictReader(done.stdout.splitlines())
    return {name: value if name in ("problem", "policy", "memory") else float(value)
            for name, value in row.items()}


def cilksort(*words):
    return simulate("cilksort", 64, 1, "--size", 50_000_000, *words)


class Scale(unittest.TestCase):
    def test_uts_keeps_256_ranks_busy(self):
        row = simulate("uts", 256, 1, "--size", 12)
        self.assertGreaterEqual(row["efficiency"], 0.95)
        self.assertEqual(row["most_trips"], 3)

    def test_the_cache_saves_fetches_and_time(self):
        for policy in ([], ["--adws"]):
            cached, uncached = cilksort("--data", *policy), cilksort("--uncached", *policy)
            if not policy:
                self.assertLess(cached["fetched_bytes"], 0.9 * uncached["fetched_bytes"])
            self.assertGreater(cached["efficiency"], uncached["efficiency"], policy)
            for row in (cached, uncached):
                self.assertLessEqual(row["most_trips"], 3)
                # Nothing is sorted by less than reading and writing each element once a level.
                self.assertGreater(row["fetched_bytes"], 4 * 50_000_000)

    def test_adws_writes_where_the_arrays_lie(self):
        at_random, by_plan = cilksort("--data"), cilksort("--data", "--adws")
        self.assertLess(by_plan["written_back_bytes"], 0.5 * at_random["written_back_bytes"])
        self.assertLess(by_plan["fetched_bytes"], at_random["fetched_bytes"])

    def test_a_seed_replays(self):
        words = ("cilksort", 32, 7, "--size", 5_000_000, "--data", "--jitter", 3000, "--csv")
        self.assertEqual(start(*words).stdout, start(*words).stdout)

    def test_what_is_not_accepted_is_named(self):
        for words, line in (
                (("sort", 4), "problem: sort"),
                (("uts", 0), "RANKS: 0; accepted: 1 to 65536"),
                (("cilksort", 4, 1, "--block", 5000), "--block: 5000; accepted: a power of two")):
            done = start(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(line, done.stderr)


if __name__ == "__main__":
    unittest.main()
