# SPDX-License-Identifier: Apache-2.0
"""What the Python programs of this folder have in common: see ../program.h."""

import ctypes
import pathlib
import sys


def read_arguments(argv):
    """(library, repaired, percent) of PROGRAM LIBRARY planted|repaired [PERCENT]."""
    library = argv[1] if len(argv) > 1 else ""
    which = argv[2] if len(argv) > 2 else ""
    percent = argv[3] if len(argv) > 3 else "100"
    if not pathlib.Path(library).is_file():
        sys.exit(f'{argv[0]}: the library is "{library}"; accepted: the path of libregions.so')
    if which not in ("planted", "repaired"):
        sys.exit(f'{argv[0]}: the second argument is "{which}"; accepted: planted, repaired')
    if not percent.isdecimal() or not 1 <= int(percent) <= 10000:
        sys.exit(f'{argv[0]}: the percentage of the work is "{percent}"; accepted: 1 to 10000')
    return load(library), which == "repaired", int(percent)


def load(path):
    library = ctypes.CDLL(path)
    for name, arguments in (("spin", (ctypes.c_uint64, ctypes.c_long)),
                            ("even_region", (ctypes.c_uint64, ctypes.c_long)),
                            ("uneven_region", (ctypes.c_uint64, ctypes.c_long, ctypes.c_bool))):
        function = getattr(library, name)
        function.argtypes, function.restype = arguments, ctypes.c_uint64
    return library


def scaled(percent, n):
    return max(1, n * percent // 100)
