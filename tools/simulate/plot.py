#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of what `kasuri simulate --json` wrote: plot.py OUT.svg FILE.json...

A row of bars for each file: speed-up as a share of the ideal, and the share of blocks that met the
worker of the sweep before. Plain SVG for light and dark pages; Python's own library is enough.
"""

import json
import sys
from xml.sax.saxutils import escape

COLOURS = {"random": "#8a8a8a", "near": "#2f7ed8", "numa": "#3a9d4f", "custom": "#c77a1f",
           "adws": "#d1383d"}
LEFT, WIDTH, BAR, GAP, TOP = 190, 250, 12, 22, 44
COLUMNS = (("speed-up, % of the workers", lambda run, row: row["speed_up"] / run["workers"]),
           ("blocks on the worker of the sweep before, %", lambda run, row: row["same_worker"]))


def text(x, y, words, anchor="start"):
    return (f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" '
            f'fill="currentColor">{escape(words)}</text>')


def bars(run, row, y):
    for column, (_, share) in enumerate(COLUMNS):
        x = LEFT + column * (WIDTH + 70)
        value = share(run, row)
        yield (f'<rect x="{x}" y="{y}" width="{max(value, 0) * WIDTH:.1f}" height="{BAR - 2}" '
               f'fill="{COLOURS[row["policy"]]}"/>')
        yield text(x + max(value, 0) * WIDTH + 4, y + BAR - 3, f"{100 * value:.0f}")


def picture(runs):
    parts = [text(LEFT + column * (WIDTH + 70), TOP - 14, name)
             for column, (name, _) in enumerate(COLUMNS)]
    y = TOP
    for run in runs:
        parts.append(text(0, y + BAR - 3, f"{run['graph']}, {run['workers']} workers"))
        for row in run["policies"]:
            parts.append(text(LEFT - 6, y + BAR - 3, row["policy"], "end"))
            parts += bars(run, row, y)
            y += BAR
        y += GAP
    width = LEFT + 2 * (WIDTH + 70)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" '
            f'viewBox="0 0 {width} {y}" font-family="sans-serif" font-size="10" color="#777">\n'
            + "\n".join(parts) + "\n</svg>\n")


def main(words):
    if len(words) < 2:
        print("plot.py: no files; accepted: plot.py OUT.svg FILE.json...", file=sys.stderr)
        return 2
    runs = []
    for name in words[1:]:
        try:
            with open(name, encoding="utf-8") as file:
                runs.append(json.load(file))
        except (OSError, ValueError) as problem:
            print(f"plot.py: {name}: {problem}; accepted: a file that kasuri simulate --json wrote",
                  file=sys.stderr)
            return 2
    with open(words[0], "w", encoding="utf-8") as file:
        file.write(picture(runs))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
