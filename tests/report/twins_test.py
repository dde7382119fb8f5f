#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program of this folder at a small size, planted and repaired: both must end well and print the same."""

import argparse
import subprocess
import sys

import programs


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, help="the folder that the programs were built in")
    parser.add_argument("--runtime", required=True, help="the folder of the OpenMP runtime")
    parser.add_argument("--kasuri", help="the command, for programs on ranks")
    parser.add_argument("--percent", type=int, default=1, help="of the usual work")
    parser.add_argument("name")
    args = parser.parse_args()
    tools = programs.Tools(args.programs, args.runtime, args.kasuri)
    program = programs.find(args.name)
    said = {}
    for which in ("planted", "repaired"):
        run = subprocess.run(program.command(tools, which, args.percent), env=program.environment(tools),
                             text=True, capture_output=True)
        if run.returncode != 0 or not run.stdout.startswith("checksum "):
            sys.exit(f"{args.name} {which}: status {run.returncode}\n{run.stdout}{run.stderr}")
        said[which] = run.stdout
    if said["planted"] != said["repaired"]:
        sys.exit(f"{args.name}: the twins differ: {said}")
    print(said["planted"], end="")


if __name__ == "__main__":
    main()
