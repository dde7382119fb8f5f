#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The AMR application: the same bits everywhere, right physics, well-formed files, bad input."""

import collections
import json
import math
import os
import tempfile
import unittest

import app

SMALL = ("--levels", 3, 8, "--steps", 30, "--cut-off", 32)
RADIUS, CENTRE, VELOCITY, CFL = 0.2, 0.5, 0.1, 0.4


def disc(x, y):
    return 1.0 if (x - CENTRE) ** 2 + (y - CENTRE) ** 2 <= RADIUS ** 2 else 0.0


def read_vtk(path):
    """(corners, {name: values}) of a legacy grid of squares; corners are four points a cell."""
    with open(path, encoding="ascii") as file:
        assert file.readline().startswith("# vtk DataFile Version")
        file.readline()
        assert file.readline().strip() == "ASCII"
        words = iter(file.read().split())

    def expect(*texts):
        for text in texts:
            word = next(words)
            assert word == text, (word, text)

    expect("DATASET", "UNSTRUCTURED_GRID", "POINTS")
    points = int(next(words))
    expect("double")
    coordinates = [tuple(float(next(words)) for _ in range(3)) for _ in range(points)]
    expect("CELLS")
    cells, size = int(next(words)), int(next(words))
    assert size == 5 * cells
    corners = []
    for _ in range(cells):
        expect("4")
        corners.append([coordinates[int(next(words))] for _ in range(4)])
    expect("CELL_TYPES", str(cells), *["8"] * cells, "CELL_DATA", str(cells))
    fields = {}
    for word in words:
        assert word == "SCALARS", word
        name = next(words)
        assert next(words) in ("double", "int")
        expect("1", "LOOKUP_TABLE", "default")
        fields[name] = [float(next(words)) for _ in range(cells)]
    return corners, fields


class Amr(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name):
        return os.path.join(self.folder.name, name)

    def test_same_bits_under_every_policy_and_number_of_workers(self):
        serial = app.Report(*SMALL, "--policy", "serial")
        for policy in ("near", "random", "adws", "custom", "numa"):
            for workers in (1, 2, 8):
                for more in ((), ("--relocate", 4)):
                    with self.subTest(policy=policy, workers=workers, more=more):
                        seen = app.Report(*SMALL, "--policy", policy, "--workers", workers,
                                          "--check", *more)
                        self.assertEqual(seen["checksum"], serial["checksum"])
                        self.assertTrue(seen["check"].startswith("bit-identical"))
                        self.assertIn(serial["checksum"], seen["check"])

    def test_checksum_sees_a_step(self):
        steps = [app.Report("--levels", 3, 7, "--steps", n, "--policy", "serial")["checksum"]
                 for n in (0, 1, 2)]
        self.assertEqual(len(set(steps)), 3)

    def test_locality_is_a_share_of_the_nodes(self):
        for policy in ("random", "adws"):
            seen = app.Report(*SMALL, "--workers", 4, "--policy", policy, "--locality")
            self.assertTrue(0 <= seen.numbers("locality")[0] <= 1, seen.lines)

    def test_under_adws_nodes_meet_their_workers_more_often_than_under_random(self):
        # By the simulator, on the tree of the mesh itself: how much of a run one worker does, and how
        # much of it is stolen, is a matter of what else a real machine does.
        name = self.file("forks.jsonl")
        app.Report("--levels", 4, 10, "--steps", 40, "--cut-off", 256, "--trace-forks", name)
        seen = app.simulated("amr:" + name, "--sweeps", 20, "--machine", "4x1", "--policy",
                             "random,adws")
        if seen is None:
            self.skipTest("kasuri simulate is not here")
        by_plan, at_random = seen["adws"], seen["random"]
        self.assertGreater(by_plan["same_worker"], at_random["same_worker"])
        self.assertGreater(at_random["steals_near"], by_plan["steals_near"])
        self.assertGreater(at_random["steals_near"], 0)

    def test_trace_of_forks(self):
        name = self.file("forks.jsonl")
        seen = app.Report(*SMALL, "--trace-forks", name)
        with open(name, encoding="ascii") as file:
            tasks = [json.loads(line) for line in file]
        self.assertEqual([task["id"] for task in tasks], list(range(len(tasks))))
        self.assertEqual((tasks[0]["parent"], tasks[0]["work"]), (-1, seen.numbers("mesh")[1]))
        children = collections.defaultdict(list)
        for task in tasks[1:]:
            self.assertLess(task["parent"], task["id"])
            children[task["parent"]].append(task["work"])
        for task in tasks:
            below = children[task["id"]]
            if task["work"] > 32:
                self.assertEqual((len(below), 1 + sum(below)), (4, task["work"]))
            else:
                self.assertEqual(below, [])

    def test_one_worker_keeps_all_nodes(self):
        seen = app.Report(*SMALL, "--workers", 1, "--locality", settings={"KASURI_MONITOR": "0"})
        self.assertEqual(seen.numbers("locality"), [1.0] * 6)
        self.assertEqual(seen.numbers("steals"), [0, 0])

    def test_mass_is_kept_and_the_mesh_balanced(self):
        seen = app.Report("--levels", 3, 9, "--steps", 100, "--policy", "serial")
        self.assertIn(", balanced", seen["mesh"])
        mass, change = seen.numbers("mass")
        self.assertAlmostEqual(mass, math.pi * RADIUS ** 2, delta=2e-3)
        self.assertLess(abs(change), 1e-12)

    def test_finer_meshes_are_nearer_to_the_exact_solution(self):
        errors = [app.Report("--levels", 4, finest, "--steps", 4 << (finest - 6), "--policy",
                             "serial").numbers("error")[0] for finest in (6, 7, 8, 9)]
        self.assertEqual(errors, sorted(errors, reverse=True))
        self.assertLess(errors[-1], errors[0] / 2)

    def test_adaptive_mesh_is_near_the_uniform_one(self):
        steps = ("--steps", 40, "--policy", "serial")
        adaptive, uniform = (app.Report("--levels", least, 8, *steps) for least in (3, 8))
        self.assertLess(adaptive.numbers("mesh")[0], uniform.numbers("mesh")[0] / 4)
        self.assertLess(adaptive.numbers("error")[0], 1.25 * uniform.numbers("error")[0])

    def test_uniform_mesh_against_an_upwind_scheme_on_an_array(self):
        level, steps = 5, 10
        side = 1 << level
        app.Report("--levels", level, level, "--steps", steps, "--output", self.file("a.vtk"))
        field = [[disc((x + 0.5) / side, (y + 0.5) / side) for x in range(side)]
                 for y in range(side)]
        for _ in range(steps):
            field = [[here - CFL * ((here - field[y][x - 1]) + (here - field[y - 1][x]))
                      for x, here in enumerate(row)] for y, row in enumerate(field)]
        corners, fields = read_vtk(self.file("a.vtk"))
        self.assertEqual(len(corners), side * side)
        for (corner, *_), value in zip(corners, fields["value"]):
            expected = field[round(corner[1] * side)][round(corner[0] * side)]
            self.assertAlmostEqual(value, expected, delta=1e-14)

    def test_vtk_cells_tile_the_domain(self):
        seen = app.Report(*SMALL, "--output", self.file("a.vtk"))
        corners, fields = read_vtk(self.file("a.vtk"))
        self.assertEqual(set(fields), {"value", "level", "worker"})
        self.assertEqual(len(corners), seen.numbers("mesh")[0])
        area = mass = 0
        for points, level, value in zip(corners, fields["level"], fields["value"]):
            side = 0.5 ** level
            x, y, _ = points[0]
            self.assertEqual(points, [(x, y, 0), (x + side, y, 0), (x, y + side, 0),
                                      (x + side, y + side, 0)])
            area += side * side
            mass += side * side * value
        self.assertEqual(area, 1)
        self.assertEqual(len({points[0] for points in corners}), len(corners))
        self.assertAlmostEqual(mass, seen.numbers("mass")[0], delta=1e-9)
        self.assertEqual((min(fields["level"]), max(fields["level"])), (3, 8))

    def test_picture(self):
        app.Report(*SMALL, "--output", self.file("a.png"), "--pixels", 300)
        palette, rows = app.read_png(self.file("a.png"))
        self.assertEqual((len(palette), len(rows), len(rows[0])), (256, 300, 300))
        self.assertEqual([palette[i] for i in (0, 254, 255)],
                         [(0, 0, 255), (255, 0, 0), (0, 0, 0)])
        self.assertIn(rows[140][145], (254, 255))
        self.assertEqual(rows[290][20], 0)
        self.assertEqual(rows[299][150], 255)  # the mesh's lowest line

    def test_bad_input(self):
        app.usage_problems(self, [
            ("--levels 8 5", "--levels: 8 5: out of order"),
            ("--levels 0 5", "--levels: 0: not accepted; accepted: 1 to 24"),
            ("--levels 5 25", "--levels: 25: not accepted; accepted: 1 to 24"),
            ("--levels 5", "--levels: a value is missing"),
            ("--steps -1", "--steps: -1: not accepted; accepted: 0 to"),
            ("--steps 1e3", "--steps: 1e3: not accepted"),
            ("--workers 0", "--workers: 0: not accepted; accepted: 1 to 2048"),
            ("--workers 2 --policy serial", "--workers: not with --policy serial"),
            ("--policy serial --check", "--check: not with --policy serial"),
            ("--cut-off 0", "--cut-off: 0: not accepted"),
            ("--policy fast", "--policy: fast: not accepted; accepted: default, near, random, "
                              "adws, serial, custom or numa"),
            ("--trace-forks a.txt", "--trace-forks: a.txt: not accepted; accepted: a name that"),
            ("--relocate 0", "--relocate: 0: not accepted"),
            ("--output mesh.gif", "--output: mesh.gif: not accepted; accepted: a name that"),
            ("--pixels 8", "--pixels: 8: not accepted; accepted: 16 to 16384"),
            ("--check=3", "--check: takes no value"),
            ("--speed 3", "unknown option --speed"),
            ("mesh", "unexpected argument mesh"),
        ])

    def test_a_file_that_cannot_be_written(self):
        name = self.file("none/a.png")
        done = app.run("--levels", 3, 4, "--steps", 1, "--output", name)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, f"amr: {name}: No such file or directory\n")


if __name__ == "__main__":
    unittest.main()
