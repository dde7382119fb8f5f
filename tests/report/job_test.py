#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A job of three ranks under `kasuri report`: the report is of all of them, and so is one of the kept profiles."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

RANKS = 3


def last_snapshot(file):
    return json.loads(file.read_text(encoding="utf-8").splitlines()[-1])


class Job:
    def __init__(self, kasuri, folder):
        self._kasuri = kasuri
        self._folder = folder
        self._environment = {k: v for k, v in os.environ.items() if not k.startswith(("KASURI_", "OMP_"))}

    def report(self, name, *words):
        """The report's figures."""
        done = subprocess.run([self._kasuri, "report", "--once", "--json", name, *words], cwd=self._folder, text=True,
                              env=self._environment, capture_output=True)
        if done.returncode != 0:
            sys.exit(f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return json.loads((self._folder / name).read_text(encoding="utf-8"))


def check(holds, what):
    if not holds:
        sys.exit(what)


def look_at(report):
    ranks = report["ranks"]
    check([row["rank"] for row in ranks] == list(range(RANKS)), f"ranks: {ranks}")
    check(all(row["work_s"] > 0 and row["host"] for row in ranks), f"ranks: {ranks}")
    matrix = report["bytes_between"]["matrix"]
    # All data is on rank 0.
    check(all(row[other] == 0 for row in matrix for other in range(1, RANKS)), f"bytes: {matrix}")
    check(report["workers"] >= RANKS, f"{report['workers']} workers")
    shares = sum(share["seconds"] for share in report["shares"])
    whole = report["workers"] * report["seconds"]
    check(abs(shares - whole) < 0.01 * whole, f"the shares are {shares} s of {whole} s")
    seen = {group["rank"] for group in report["timeline"]["groups"]}
    check(seen == set(range(RANKS)), f"ranks in the timeline: {seen}")
    check(f"on {RANKS} ranks" in report["headline"], report["headline"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kasuri", required=True, help="the command")
    parser.add_argument("--program", required=True, help="one_rank, of this folder")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        job = Job(args.kasuri, folder)
        run = job.report("run.json", "--keep", "kept", "--html", "page.html", "--cluster", "-n", str(RANKS), "--",
                         args.program, "planted", "5")
        look_at(run)
        check((folder / "page.html").stat().st_size < 1_000_000, "the page is too large")
        kept = sorted(file.name for file in folder.glob("kept*"))
        main_rank = last_snapshot(folder / "kept")["rank"]["rank"]
        others = [f"kept.{rank}" for rank in range(RANKS) if rank != main_rank]
        check(kept == ["kept", *others], f"kept: {kept}, rank {main_rank} is told of")
        meetings = last_snapshot(folder / "kept")["rank"]["meetings"]
        check(len(meetings) == 8 and all(came <= went_on for came, went_on in meetings), f"meetings: {meetings}")
        again = job.report("again.json", "--profile", "kept")
        look_at(again)
        check(again["ranks"] == run["ranks"], "the kept profiles tell another story")


if __name__ == "__main__":
    main()
