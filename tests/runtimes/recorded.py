#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A profile names the runtimes whose work ran on the pool, and no others. Workers have left them when the program ends.

  recorded.py --runtime build/lib/kasuri/omp --names oneTBB -- PROGRAM [ARGUMENT...]
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runtime", type=pathlib.Path, required=True)
    parser.add_argument("--names", nargs="+", required=True)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile"
        env = os.environ | {"LD_PRELOAD": str(options.runtime.resolve() / "libgomp.so.1"),
                            "KASURI_PROFILE": str(profile)}
        done = subprocess.run(options.program, env=env, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{options.program[0]}: status {done.returncode}\n{done.stderr}")
        last = json.loads(profile.read_text().splitlines()[-1])
    print(last["runtimes"])
    for each in last["runtimes"]:
        if not (each["stays"] >= 1 and 0 < each["s"] <= last["seconds"] * each["stays"]):
            sys.exit(f"{each['name']}: {each['stays']} stays and {each['s']} s in a run of {last['seconds']} s")
    names = sorted(each["name"] for each in last["runtimes"])
    return 0 if names == sorted(options.names) else f"recorded are {names}, not {sorted(options.names)}"


if __name__ == "__main__":
    sys.exit(main())
