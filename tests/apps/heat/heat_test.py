#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The heat application: the same bits everywhere, right physics, a picture, bad input."""

import os
import tempfile
import unittest

import app

SMALL = ("--size", 203, "--steps", 20, "--blocks", 13)


def heat_per_point(size, steps):
    """The plate on plain lists: its mean after some steps."""
    centre, radius = (size + 1) / 2, size / 4
    now = [[1.0 if 0 < y <= size and 0 < x <= size
            and (x - centre) ** 2 + (y - centre) ** 2 <= radius ** 2 else 0.0
            for x in range(size + 2)] for y in range(size + 2)]
    for _ in range(steps):
        after = [row[:] for row in now]
        for y in range(1, size + 1):
            for x in range(1, size + 1):
                flow = now[y - 1][x] + now[y + 1][x] + now[y][x - 1] + now[y][x + 1] - 4 * now[y][x]
                after[y][x] += 0.2 * flow
        now = after
    return sum(map(sum, now)) / size ** 2


class Heat(unittest.TestCase):
    def test_same_bits_under_every_policy_and_number_of_workers(self):
        serial = app.Report(*SMALL, "--policy", "serial")
        for policy in ("near", "random", "adws"):
            for workers in (1, 2, 8):
                for kind in ("invoke", "for"):
                    for imbalance in (1, 4):
                        with self.subTest(policy=policy, workers=workers, kind=kind):
                            seen = app.Report(*SMALL, "--policy", policy, "--workers", workers,
                                              "--loop", kind, "--imbalance", imbalance, "--check")
                            self.assertEqual(seen["checksum"], serial["checksum"])
                            self.assertTrue(seen["check"].startswith("bit-identical"))

    def test_checksum_sees_a_step(self):
        steps = [app.Report("--steps", n, "--size", 64)["checksum"] for n in (0, 1, 2)]
        self.assertEqual(len(set(steps)), 3)

    def test_heat_against_the_same_scheme_on_lists(self):
        # Steps enough for heat to leave through the edge.
        seen = app.Report("--size", 20, "--blocks", 7, "--steps", 100)
        expected = heat_per_point(20, 100)
        self.assertLess(expected, 0.9 * heat_per_point(20, 0))
        self.assertAlmostEqual(seen.numbers("heat")[0], expected, delta=2e-9)

    def test_one_worker_keeps_all_blocks(self):
        for kind in ("invoke", "for"):
            seen = app.Report(*SMALL, "--loop", kind, "--workers", 1, "--locality",
                              settings={"KASURI_MONITOR": "0"})
            self.assertEqual(seen["locality"], "1.0000")
            self.assertEqual(seen.numbers("steals"), [0, 0])

    def test_locality_is_a_share_of_the_blocks(self):
        for policy in ("random", "adws"):
            seen = app.Report(*SMALL, "--workers", 4, "--policy", policy, "--locality")
            self.assertTrue(0 <= seen.numbers("locality")[0] <= 1, seen.lines)
            self.assertEqual(len(seen.numbers("steals")), 2)

    def test_under_adws_blocks_meet_their_workers_more_often_than_under_random(self):
        # By the simulator, on the tree that --loop invoke forks: how much of a run one worker does is a
        # matter of what else a real machine does.
        seen = app.simulated("jacobi", "--size", 64, "--sweeps", 60, "--machine", "4x1",
                             "--policy", "random,adws")
        if seen is None:
            self.skipTest("kasuri simulate is not here")
        self.assertEqual(seen["adws"]["same_worker"], 1)
        self.assertLess(seen["random"]["same_worker"], 0.7)

    def test_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "a.png")
            app.Report("--size", 100, "--steps", 3, "--output", name, "--pixels", 150)
            palette, rows = app.read_png(name)
        self.assertEqual((len(palette), len(rows), len(rows[0])), (256, 150, 150))
        self.assertEqual((rows[75][75], rows[2][2]), (254, 0))

    def test_bad_input(self):
        app.usage_problems(self, [
            ("--size 0", "--size: 0: not accepted; accepted: 1 to 65536"),
            ("--size 10 --blocks 11", "--blocks: 11: more than rows; accepted: 1 to 10"),
            ("--imbalance 0", "--imbalance: 0: not accepted; accepted: 1 to 1000"),
            ("--loop while", "--loop: while: not accepted; accepted: invoke or for"),
            ("--policy fast", "--policy: fast: not accepted; accepted: default, near, random"),
            ("--workers 2 --policy serial", "--workers: not with --policy serial"),
            ("--policy serial --check", "--check: not with --policy serial"),
            ("--output a.vtk", "--output: a.vtk: not accepted"),
            ("--steps", "--steps: a value is missing"),
            ("--steady", "unknown option --steady"),
        ])


if __name__ == "__main__":
    unittest.main()
