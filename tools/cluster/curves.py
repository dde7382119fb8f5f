#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The curves of docs/design/cluster.md: curves.py run PROGRAM OUT.csv, curves.py draw IN.csv FOLDER.

`run` has PROGRAM, which is cluster_simulate, simulate the set below, one run after the other, and
writes a line for each as it ends; lines that OUT.csv has already are not run again. `draw` makes a
picture for each problem: plain SVG for light and dark pages; Python's own library is enough.
"""

import csv
import math
import pathlib
import subprocess
import sys
from xml.sax.saxutils import escape

RANKS = (64, 256, 1024, 2432)
MEMORIES = {"cached": ["--data", "--block", "65536"], "uncached": ["--uncached", "--block", "65536"],
            "none": []}
POLICIES = {"random": [], "adws": ["--adws"]}
UTS_DEPTHS = {12: (64, 256, 1024), 13: (64, 256, 1024)}

LEFT, RIGHT, TOP, WIDTH, HEIGHT = 44, 190, 24, 420, 240
COLOURS = {"cached": "#2f7ed8", "uncached": "#d1383d", "none": "#8a8a8a", "12": "#c77a1f",
           "13": "#3a9d4f"}
NAMES = {"cached": "with the cache", "uncached": "cache off", "none": "without data",
         "12": "7.0 s of work", "13": "28 s of work"}


def runs():
    """(key, arguments) of each run; a key is what the line of its result begins with."""
    for ranks in RANKS:
        for policy, words in POLICIES.items():
            for memory, more in MEMORIES.items():
                yield (("cilksort", 0, ranks, policy, memory),
                       ["cilksort", str(ranks), "1", *words, *more])
    for depth, of_ranks in UTS_DEPTHS.items():
        for ranks in of_ranks:
            yield (("uts", depth, ranks, "random", "none"),
                   ["uts", str(ranks), "1", "--size", str(depth)])


def key_of(row):
    return (row["problem"], int(row["size"]), int(row["ranks"]), row["policy"], row["memory"])


def read(name):
    with open(name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def simulate(program, name):
    out = pathlib.Path(name)
    have = {key_of(row) for row in read(out)} if out.exists() else set()
    for key, arguments in runs():
        if key in have:
            continue
        done = subprocess.run([program, *arguments, "--csv"], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            sys.exit(f"curves.py: {' '.join([program, *arguments])}: {done.stderr.strip()}")
        head, line = done.stdout.splitlines()
        new = not out.exists()
        with out.open("a", encoding="utf-8") as file:
            file.write((head + "\n" if new else "") + line + "\n")
        print(line, flush=True)


def text(x, y, words, anchor="start", more=""):
    return (f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="currentColor"{more}>'
            f"{escape(words)}</text>")


def axes(ranks, x_of, y_of):
    for percent in range(0, 101, 20):
        y = y_of(percent / 100)
        yield (f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y:.1f}" y2="{y:.1f}" '
               'stroke="currentColor" stroke-opacity="0.25"/>')
        yield text(LEFT - 6, y + 4, str(percent), "end")
    for n in ranks:
        yield text(x_of(n), TOP + HEIGHT + 16, f"{n:,}", "middle")
    yield text(LEFT - 36, TOP - 10, "efficiency, %")
    yield text(LEFT + WIDTH, TOP + HEIGHT + 32, "ranks", "end")


def picture(series):
    """`series`: (name, colour, dashed, [(ranks, efficiency)...])."""
    ranks = sorted({n for *_, points in series for n, _ in points})
    low, high = math.log(ranks[0]), math.log(ranks[-1])

    def x_of(n):
        return LEFT + 16 + (math.log(n) - low) / (high - low) * (WIDTH - 32)

    def y_of(share):
        return TOP + (1 - share) * HEIGHT

    parts = list(axes(ranks, x_of, y_of))
    for i, (name, colour, dashed, points) in enumerate(series):
        path = " ".join(f"{x_of(n):.1f},{y_of(share):.1f}" for n, share in sorted(points))
        dash = ' stroke-dasharray="6 4"' if dashed else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                     f'stroke-width="2"{dash}/>')
        parts += [f'<circle cx="{x_of(n):.1f}" cy="{y_of(share):.1f}" r="3" fill="{colour}"/>'
                  for n, share in points]
        y = TOP + 10 + 18 * i
        parts.append(f'<line x1="{LEFT + WIDTH + 14}" x2="{LEFT + WIDTH + 40}" y1="{y}" y2="{y}" '
                     f'stroke="{colour}" stroke-width="2"{dash}/>')
        parts.append(text(LEFT + WIDTH + 46, y + 4, name))
    width, height = LEFT + WIDTH + RIGHT, TOP + HEIGHT + 40
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11" color="#777">\n'
            + "\n".join(parts) + "\n</svg>\n")


def draw(rows, folder):
    of_series = {}
    for row in rows:
        kind = row["memory"] if row["problem"] == "cilksort" else row["size"]
        of_series.setdefault((row["problem"], kind, row["policy"]), []).append(
            (int(row["ranks"]), float(row["efficiency"])))
    for problem in sorted({problem for problem, *_ in of_series}):
        series = [(NAMES[kind] + (f", {policy}" if problem == "cilksort" else ""), COLOURS[kind],
                   policy == "random" and problem == "cilksort", points)
                  for (of, kind, policy), points in of_series.items() if of == problem]
        out = pathlib.Path(folder) / f"cluster-{problem}.svg"
        out.write_text(picture(series), encoding="utf-8")


def main(words):
    if len(words) == 3 and words[0] == "run":
        simulate(words[1], words[2])
    elif len(words) == 3 and words[0] == "draw":
        try:
            draw(read(words[1]), words[2])
        except (OSError, KeyError, ValueError) as problem:
            sys.exit(f"curves.py: {words[1]}: {problem!r}; accepted: what `curves.py run` wrote")
    else:
        print("curves.py: accepted: run PROGRAM OUT.csv, draw IN.csv FOLDER", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
