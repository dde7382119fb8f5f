# SPDX-License-Identifier: Apache-2.0
"""Compiles pi.c, which stands for a module with OpenMP that a package brings."""

import ctypes
import pathlib
import shutil
import subprocess
import sys
import tempfile

LEFT_OUT = 77  # the status of an example that lacks what it needs


def build_pi() -> str:
    """The path of the compiled module."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        print("left out: no gcc or cc to compile pi.c")
        sys.exit(LEFT_OUT)
    folder = tempfile.mkdtemp(prefix="kasuri-pi-")
    target = str(pathlib.Path(folder, "pi.so"))
    source = str(pathlib.Path(__file__).with_name("pi.c"))
    subprocess.run([compiler, "-O2", "-fopenmp", "-fPIC", "-shared", source, "-o", target],
                   check=True)
    return target


def open_pi(path: str) -> ctypes.CDLL:
    """The module, with the types of its functions."""
    module = ctypes.CDLL(path)
    module.pi.restype = ctypes.c_double
    return module
