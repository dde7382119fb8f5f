#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the OpenMP library brings into a program: the C library, and little address space.

  test.py --library LIBGOMP --kasuri LIBKASURI --include DIR --build DIR --compiler CC --cxx CXX

It needs no library but the C library, no version of libstdc++ and of libgcc; a program that had no
C++ library has none behind a region; a region runs in 64 MiB of address space; exceptions of a program
with a C++ library of its own pass as they did.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
OF_THE_C_LIBRARY = re.compile(r"(libc|libm|libdl|librt|libpthread|ld-linux[-a-z0-9_]*)\.so(\.\d+)?$")
MOST_PEAK_KIB = 320 << 10  # one heap of the C library for threads that allocate takes 128 MiB of it
LIMIT_KIB = 65536

failures = []


def check(holds, text):
    if not holds:
        failures.append(text)


def output(*command, **more):
    return subprocess.run(command, text=True, capture_output=True, **more)


def check_needed(file):
    dynamic = output("readelf", "-dW", file, check=True).stdout
    for needed in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        check(OF_THE_C_LIBRARY.match(needed), f"{file} needs {needed}")


def check_needs(library):
    check_needed(library)
    versions = output("readelf", "-VW", library, check=True).stdout
    wanted = versions[versions.find("Version needs"):]
    for version in re.findall(r"Name: (\S+)", wanted):
        check(version.startswith("GLIBC_"), f"the library needs the version {version}")
    for line in output("nm", "-D", "--defined-only", library, check=True).stdout.splitlines():
        symbol = line.split()[-1]
        check(not re.match(r"(__cxa_|_Unwind_|__gxx_|_ZSt|_ZNSt|_ZNKSt)", symbol),
              f"the library shows {symbol} of its own C++ library")


def settings(library):
    mine = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "KASURI_", "HWLOC_"))}
    return {**mine, "LD_PRELOAD": library, "OMP_NUM_THREADS": "2"}


def check_region(program, library):
    seen = output(program, env=settings(library))
    check(seen.returncode == 0 and seen.stdout.startswith("2 members\n"),
          f"a region: status {seen.returncode}: {seen.stdout}{seen.stderr}")
    for path in set(re.findall(r"(/\S+\.so\S*)", seen.stdout)):
        name = pathlib.Path(path).name
        mine = os.path.realpath(path) == os.path.realpath(library)
        check(mine or OF_THE_C_LIBRARY.match(name), f"a region brings {path} into the program")
    peak = int(re.search(r"VmPeak:\s*(\d+) kB", seen.stdout)[1])
    check(peak <= MOST_PEAK_KIB, f"a region takes {peak} KiB of addresses, more than {MOST_PEAK_KIB}")


def check_small(program, library, threads):
    line = f"ulimit -v {LIMIT_KIB}; exec env LD_PRELOAD='{library}' '{program}'"
    environment = settings(library)
    del environment["LD_PRELOAD"]
    environment["OMP_NUM_THREADS"] = str(threads)
    seen = output("sh", "-c", line, env=environment)
    check(seen.returncode == 0 and seen.stdout.startswith(f"{threads} members\n"),
          f"{threads} threads under ulimit -v {LIMIT_KIB}: status {seen.returncode}: {seen.stdout}{seen.stderr}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("library", "kasuri", "include", "build", "compiler", "cxx"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--command")  # loaded before each program that it runs
    given = parser.parse_args()
    build = pathlib.Path(given.build)
    build.mkdir(parents=True, exist_ok=True)
    region, exceptions = str(build / "region"), str(build / "exceptions")
    subprocess.run([given.compiler, "-O1", "-fopenmp", HERE / "region.c", "-o", region], check=True)
    folder = os.path.dirname(given.kasuri)
    subprocess.run([given.cxx, "-std=c++20", "-O1", "-fopenmp", f"-I{given.include}",
                    HERE / "exceptions.cpp", "-o", exceptions, given.kasuri, f"-Wl,-rpath,{folder}",
                    "-lpthread"], check=True)
    check_needs(given.library)
    if given.command:
        check_needed(given.command)
    check_region(region, given.library)
    for threads in 2, 8:
        check_small(region, given.library, threads)
    seen = output(exceptions, env=settings(given.library))
    check(seen.returncode == 0 and seen.stdout == "right\n",
          f"exceptions: status {seen.returncode}: {seen.stdout}{seen.stderr}")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
