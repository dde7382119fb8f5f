#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""omp_get_max_threads() under CPU quotas of a control group: the quota rounded up, if there are so many CPUs.

The quotas are files that lie over the kernel's own in a mount namespace, where this may make one.
  quota.py --compiler gcc --runtime RT --build DIR
"""

import argparse
import os
import pathlib
import subprocess
import sys

LEFT_OUT = 77
PERIOD = 100000
PROGRAM = """#include <omp.h>
#include <stdio.h>
int main(void) {
  int members = 0;
#pragma omp parallel reduction(+ : members)
  members++;
  printf("%d %d %d\\n", omp_get_max_threads(), omp_get_num_procs(), members);
}
"""


def group_files():
    """The files that hold this process' quota: of version 2 one, of version 1 two."""
    groups = {}
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        groups[controllers] = path.rstrip("/")
    for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
        fields, kind = line.split(" - ")[0].split(), line.split(" - ")[1].split()
        options = kind[2].split(",")
        if kind[0] == "cgroup" and "cpu" in options:
            path = next((p for c, p in groups.items() if "cpu" in c.split(",")), "")
            files = [fields[4] + path + "/cpu.cfs_quota_us", fields[4] + path + "/cpu.cfs_period_us"]
        elif kind[0] == "cgroup2":
            files = [fields[4] + groups.get("", "") + "/cpu.max"]
        else:
            continue
        if all(os.path.exists(f) for f in files):
            return files
    return []


def run(binary, folder, files, quota, runtime):
    """What the program says under the quota; nothing where no namespace may be made."""
    texts = [f"{quota} {PERIOD}\n"] if len(files) == 1 else [f"{quota}\n", f"{PERIOD}\n"]
    commands = []
    for i, (file, text) in enumerate(zip(files, texts)):
        ours = folder / f"quota_{i}"
        ours.write_text(text)
        commands.append(f"mount --bind '{ours}' '{file}' || exit {LEFT_OUT}")
    commands.append(f"exec '{binary}'")
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "KMP_"))}
    env["LD_LIBRARY_PATH"] = str(runtime)
    maps = [] if os.getuid() == 0 else ["--map-root-user"]
    done = subprocess.run(["unshare", "--mount", *maps, "sh", "-c", "\n".join(commands)], env=env,
                          text=True, capture_output=True, timeout=60)
    if done.returncode == LEFT_OUT or "unshare" in done.stderr:
        return None
    return done.stdout.strip() or done.stderr.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--runtime", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    folder = options.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    source, binary = folder / "quota.c", folder / "quota"
    source.write_text(PROGRAM)
    subprocess.run([options.compiler, "-fopenmp", str(source), "-o", str(binary)], check=True)
    files = group_files()
    cpus = len(os.sched_getaffinity(0))
    if not files:
        print("left out: no control group with a CPU controller")
        return LEFT_OUT
    failed = 0
    for quota, whole in ((PERIOD // 2, 1), (PERIOD, 1), (PERIOD * 3 // 2, 2), (PERIOD * 5 // 2, 3)):
        said = run(binary, folder, files, quota, options.runtime.resolve())
        if said is None:
            print("left out: no mount namespace may be made here")
            return LEFT_OUT
        wanted = " ".join([str(min(whole, cpus))] * 3)
        failed += said != wanted
        print(f"quota {quota / PERIOD}: {said}" + ("" if said == wanted else f", not {wanted}"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
