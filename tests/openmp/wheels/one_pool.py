#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A process that loads libgomp, libomp and copies of both under names of their own, as wheels
bring them, has one pool under `kasuri run`, and under its own runtimes one for each, or an end.

  one_pool.py --build DIR --kasuri build/bin/kasuri
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

import os_threads

HERE = pathlib.Path(__file__).resolve().parent
LEFT_OUT = 77
WORKERS = 2
# Compiler, how it compiles and links OpenMP, its runtime, and a name of the same length for a copy.
GCC = ("gcc", ["-fopenmp"], "libgomp.so.1", "libgomp-a.so")
CLANG = ("clang-19", ["-fopenmp=libomp"], "libomp.so.5", "libomp-a.so")


def run(command, **more):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=120,
                          **more)


def must(command):
    done = run(command)
    if done.returncode != 0:
        sys.exit(f"FAILED: {' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def copy_of_runtime(folder, compiler, name, new_name):
    """The compiler's runtime under another name, also in its own head: a wheel's private copy."""
    file = pathlib.Path(must([compiler, f"-print-file-name={name}"]).strip())
    if not file.is_absolute():
        sys.exit(f"FAILED: {compiler} does not know where {name} is")
    old, new = f"\0{name}\0".encode(), f"\0{new_name}\0".encode()
    content = file.read_bytes()
    if old not in content:
        sys.exit(f"FAILED: {file} does not hold its own name")
    (folder / new_name).write_bytes(content.replace(old, new))


def build_modules(folder, compiler, flags, name, new_name):
    """A module that needs the runtime, and one that needs the copy beside it."""
    common = [compiler, "-O1", "-fPIC", *flags]
    copy_of_runtime(folder, compiler, name, new_name)
    plain, private = folder / f"{compiler}_plain.so", folder / f"{compiler}_private.so"
    must([*common, "-shared", HERE / "module.c", "-o", plain])
    must([*common, "-c", HERE / "module.c", "-o", folder / "module.o"])
    must([compiler, "-shared", folder / "module.o", "-o", private, folder / new_name,
          "-Wl,-rpath,$ORIGIN"])
    return [plain, private]


def environment():
    return {k: v for k, v in os.environ.items()
            if not k.startswith(("OMP_", "GOMP_", "KMP_", "KASURI_"))}


def process(kasuri, modules):
    command = [sys.executable, HERE / "process.py", *modules]
    if kasuri is not None:
        command = [kasuri, "run", "--workers", WORKERS, "--", *command]
    return run(command, env=environment())


def complaints_of_kasuri(kasuri, modules):
    done = process(kasuri, modules)
    if done.returncode != 0 or done.stderr:
        yield f"status {done.returncode}: {done.stderr.strip()}"
        return
    seen = json.loads(done.stdout)
    print(f"kasuri run: {seen['threads']}")
    if seen["wrong"] or seen["right"] != sorted(m.name for m in modules):
        yield f"sums: right in {seen['right']}, wrong in {seen['wrong']}"
    yield from os_threads.complaints(seen["threads"])
    if not any(name.startswith("kasuri-") for name in seen["threads"]):
        yield "no thread of Kasuri's"


def complaints_of_own_runtimes(modules):
    """What the test above would see if Kasuri's library did not stand in for a copy."""
    gcc = [m for m in modules if m.name.startswith("gcc")]
    done = process(None, gcc)
    threads = sum(json.loads(done.stdout)["threads"].values()) if done.returncode == 0 else 0
    print(f"own runtimes: libgomp twice, {threads} threads")
    if threads < 3:  # main thread, and two pools
        yield f"libgomp twice: {threads} threads, status {done.returncode}: {done.stderr.strip()}"
    clang = [m for m in modules if m.name.startswith("clang")]
    if clang:
        done = process(None, clang)
        print(f"own runtimes: libomp twice, {done.stderr.strip().splitlines()[:1]}")
        if "Error #15" not in done.stderr:
            yield f"libomp twice: no complaint, status {done.returncode}: {done.stderr.strip()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--kasuri", type=pathlib.Path, required=True, help="the kasuri command")
    options = parser.parse_args()
    compilers = [c for c in (GCC, CLANG) if shutil.which(c[0])]
    if not compilers:
        print("left out: neither gcc nor clang-19 is installed")
        return LEFT_OUT
    folder = options.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    modules = [m for c in compilers for m in build_modules(folder, *c)]
    complaints = [*complaints_of_kasuri(options.kasuri.resolve(), modules),
                  *complaints_of_own_runtimes(modules)]
    print("\n".join(f"FAILED: {c}" for c in complaints) or "one pool")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
