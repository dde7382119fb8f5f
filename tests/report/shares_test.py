#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports of a program of this folder at a small size: the shares add up to workers times seconds."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import programs
import shares

BROKEN = {
    "it has no shares": {"workers": 2, "seconds": 1.0, "shares": []},
    "add up to 1.000 s": {"workers": 2, "seconds": 1.0, "shares": [{"name": "work", "seconds": 1.0}],
                          "shares_too_much_s": 0.0},
    "is -1 s": {"workers": 2, "seconds": 1.0, "shares": [{"name": "a", "seconds": -1.0}, {"name": "b", "seconds": 2.0}],
                "shares_too_much_s": 0.0},
    "does not say": {"workers": 2, "seconds": 1.0, "shares": [{"name": "work", "seconds": 2.0}]},
    "that was cut off": {"workers": 2, "seconds": 1.0, "shares": [{"name": "work", "seconds": 2.0}],
                         "shares_too_much_s": 0.5},
}


def check_the_check():
    for words, report in BROKEN.items():
        wrong = shares.wrong_shares(report, exact=True)
        if not any(words in w for w in wrong):
            sys.exit(f"the check says {wrong}; expected: {words}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, help="the folder that the programs were built in")
    parser.add_argument("--runtime", required=True, help="the folder of the OpenMP runtime")
    parser.add_argument("--kasuri", required=True, help="the command")
    parser.add_argument("--percent", type=int, default=5, help="of the usual work")
    parser.add_argument("name")
    args = parser.parse_args()
    check_the_check()
    tools = programs.Tools(args.programs, args.runtime, args.kasuri)
    program = programs.find(args.name)
    ranks = ["-n", "2", "--cluster"] if program.room == "cluster" else []
    for which in ("planted", "repaired"):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "report.json"
            run = subprocess.run([tools.kasuri, "report", "--once", *ranks, "--json", out, "--",
                                  *program.reported(tools, which, args.percent)], env=program.environment(tools),
                                 text=True, capture_output=True, check=False)
            if run.returncode != 0 or not out.is_file():
                sys.exit(f"{args.name} {which}: status {run.returncode}\n{run.stderr}")
            wrong = shares.wrong_shares(json.loads(out.read_text()))
        if wrong:
            sys.exit(f"{args.name} {which}: {'; '.join(wrong)}")


if __name__ == "__main__":
    main()
