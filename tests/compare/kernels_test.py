#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The kernels of a problem are the same code at the same place in a cache line for every system."""

import os
import pathlib
import re
import subprocess
import unittest

PROGRAMS = pathlib.Path(os.environ["KASURI_PROGRAMS"])
WITH_KERNELS = ("loops", "matmul", "fft", "cilksort", "queens", "sparselu", "uts")
OWN_SOURCE = ("rayon", "goroutines", "lace", "libfork")  # another language, or a program of their own
CACHE_LINE = 64


def kernels(program):
    """{function: (place in its cache line, bytes)}"""
    told = subprocess.run(["nm", "-CS", program], capture_output=True, text=True, timeout=60, check=True)
    found = re.findall(r"^([0-9a-f]+) ([0-9a-f]+) T (bench::\w+::kernel::.*)$", told.stdout, re.MULTILINE)
    return {name: (int(at, 16) % CACHE_LINE, int(size, 16)) for at, size, name in found}


class Kernels(unittest.TestCase):
    def test_same_in_every_program(self):
        for problem in WITH_KERNELS:
            prefix = f"bench_{problem}_"
            programs = [each for each in sorted(PROGRAMS.glob(prefix + "*"))
                        if each.name[len(prefix):].split("-")[0] not in OWN_SOURCE]
            with self.subTest(problem=problem):
                self.assertTrue(programs)
                first = kernels(programs[0])
                self.assertTrue(first)
                self.assertEqual({place for place, _ in first.values()}, {0})
                for each in programs:
                    self.assertEqual(kernels(each), first, each)


if __name__ == "__main__":
    unittest.main()
