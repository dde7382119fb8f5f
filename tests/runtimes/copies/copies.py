#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Private copies of oneTBB in one process, under the preloaded library and without it.

  copies.py --runtime build/lib/kasuri/omp --tbb /usr/lib/x86_64-linux-gnu/libtbb.so.12 --build DIR
"""

import argparse
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
NAMES = (b"libtbb.so.12", b"libtbA.so.12", b"libtbB.so.12")
SETTINGS = [{}, {"KASURI_NUM_WORKERS": "1"}, {"KASURI_NUM_WORKERS": "5"}, {"KASURI_ONETBB": "off"}]


def build(tbb, folder):
    """The program, and a library for each copy of oneTBB: another name in the file makes another library."""
    libraries = []
    for name in NAMES[1:]:
        copy = folder / name.decode()
        copy.write_bytes(tbb.read_bytes().replace(NAMES[0] + b"\0", name + b"\0"))
        plugin = folder / f"plugin_{name[5:6].decode()}.so"
        subprocess.run(["g++", "-std=c++17", "-O1", "-w", "-shared", "-fPIC", HERE / "plugin.cpp", "-o", plugin, copy,
                        f"-Wl,-rpath,{folder}"], check=True)
        libraries.append(plugin)
    subprocess.run(["g++", "-std=c++20", "-O1", HERE / "copies.cpp", "-o", folder / "copies", "-pthread", "-ldl"],
                   check=True)
    return libraries


def run(folder, how, libraries, env):
    try:
        done = subprocess.run([folder / "copies", how, *libraries], env=env, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return "does not end"
    if (done.returncode, done.stdout, done.stderr) == (0, "right\n", ""):
        return None
    return f"status {done.returncode} {done.stdout.strip()} {done.stderr.strip()[:300]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runtime", type=pathlib.Path, required=True)
    parser.add_argument("--tbb", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    folder = options.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    libraries = build(options.tbb, folder)
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "KASURI_", "LD_"))}
    preload = {"LD_PRELOAD": str(options.runtime.resolve() / "libgomp.so.1")}
    right = True
    for setting in SETTINGS:
        for how in ("together", "reloaded", "forked"):
            problem = run(folder, how, libraries, plain | preload | setting)
            print(f"{how} {setting}: {problem or 'right'}", flush=True)
            right &= problem is None
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
