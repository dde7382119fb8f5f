# SPDX-License-Identifier: Apache-2.0
"""The figures of the page, in the manner of the paper's figures 1 to 6, as SVG for a page that is
read in light and in dark."""

import io
import re

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot, ticker  # pylint: disable=wrong-import-position

from measure import SPEEDUP
from results import APPLICATIONS, BIN_INPUTS, SHARES, TIMES, middle_trial, trials

INK = "#010203"  # becomes the colour of the page's text
COLOURS = {"serial": "#8a8a8a", "kasuri": "#d1383d", "onetbb": "#2f7ed8", "rayon": "#c77a1f",
           "goroutines": "#17a3b8", "gcc-openmp": "#3a9d4f", "llvm-openmp": "#8f63c9",
           "gcc-openmp-kasuri": "#9bc23c", "llvm-openmp-kasuri": "#d070b8"}
MORE_COLOURS = ["#a0703c", "#5f8f8f", "#b0a030", "#6f7fd0", "#d0885f", "#50a080", "#b05070"]
LINES = ["-", "--", ":", "-."]
MARKERS = "osD^vPX"
# Of each share its colour, the colour of its hatches, and these: as --work, --serial, ... of
# tools/report/page/page.css.
SHARE_COLOURS = [("#0072b2", None, None), ("#0072b2", "#56b4e9", "///"), ("#009e73", None, None),
                 ("#f0e442", "#b3a800", "\\\\\\"), ("#c8cdd2", None, None)]
TRIALS_SHOWN = 20

pyplot.rcParams.update({
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9,
    "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK,
    "ytick.color": INK, "axes.facecolor": "none", "figure.facecolor": "none",
    "savefig.facecolor": "none", "legend.frameon": False, "axes.spines.top": False,
    "axes.spines.right": False, "axes.axisbelow": True, "grid.color": INK, "grid.alpha": 0.18,
})


class Style:
    """A colour for a system, a line for each of its variants; the same in every figure."""

    def __init__(self, results):
        known = dict(COLOURS)
        spare = iter(MORE_COLOURS * 4)
        self._of = {}
        for row in results.rows:
            if row.system not in known:
                known[row.system] = next(spare)
            variants = self._of.setdefault(row.system, {})
            variants.setdefault(row.variant, len(variants))
        self._colours = known

    def colour(self, row):
        return self._colours[row.system]

    def line(self, row):
        index = self._of[row.system][row.variant]
        return {"color": self.colour(row), "linestyle": LINES[index % len(LINES)],
                "marker": MARKERS[index % len(MARKERS)], "markersize": 4, "linewidth": 1.4}


def svg(figure, name):
    """The figure as an element for HTML: no prologue, nothing that refers elsewhere."""
    pyplot.rcParams["svg.hashsalt"] = name
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)
    text = buffer.getvalue()
    text = text[text.index("<svg"):]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r' xmlns(:\w+)?="[^"]*"', "", text).replace("xlink:href", "href")
    # Ids are unique within a figure only.
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    text = re.sub(r"url\(#", f"url(#{name}-", text)
    return text.replace(INK, "currentColor")


def number(value):
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def bars(axis, entries, unit, log=True):
    """Horizontal bars with their values: [(label, value, colour, hatch)], the first on top."""
    places = range(len(entries))
    axis.barh(places, [value for _, value, _, _ in entries],
              color=[colour for _, _, colour, _ in entries],
              hatch=[hatch for _, _, _, hatch in entries], edgecolor=INK, linewidth=0.4)
    axis.set_yticks(list(places), [label for label, _, _, _ in entries])
    axis.invert_yaxis()
    if log:
        axis.set_xscale("log")
        axis.set_xlim(right=axis.get_xlim()[1] * 3)
    axis.set_xlabel(unit)
    axis.grid(axis="x")
    for place, (_, value, _, _) in zip(places, entries):
        axis.annotate(" " + number(value), (value, place), va="center", fontsize=8)


def create(results, style):
    """Figure 1: what a task costs on one worker."""
    rows = sorted(results.find("create", "cycles-by-protocol", 1), key=lambda row: row.median())
    if not rows:
        return None
    figure, axis = pyplot.subplots(figsize=(7.5, 0.8 + 0.27 * len(rows)))
    bars(axis, [(results.label(row), max(row.median(), 1e-2), style.colour(row),
                 "//" if row.variant.endswith("_raw") else None) for row in rows],
         "cycles for a task spawned and waited for, one worker (hatched: the system's own calls)")
    return svg(figure, "create")


def worker_axis(axis, workers):
    if len(workers) > 1:
        axis.set_xscale("log", base=2)
    axis.set_xticks(workers, [str(count) for count in workers])
    axis.xaxis.set_minor_locator(ticker.NullLocator())
    axis.set_xlabel("workers")
    axis.grid(True)


def legend_beside(axis):
    axis.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), fontsize=8)


def create_scale(results, style):
    """Figure 2: the same on all workers at once."""
    lines = results.by_label(results.find("create-scale", "cycles-per-task"))
    if not lines:
        return None
    figure, axis = pyplot.subplots(figsize=(6.2, 4.4))
    for label, rows in lines.items():
        axis.plot([row.workers for row in rows], [row.median() for row in rows], label=label,
                  **style.line(rows[0]))
    axis.set_yscale("log")
    axis.set_ylabel("cycles for a task, mean of the workers")
    worker_axis(axis, sorted({row.workers for rows in lines.values() for row in rows}))
    legend_beside(axis)
    return svg(figure, "create-scale")


def latency(results, style):
    """Figure 3: when the child and when the parent goes on."""
    counts = sorted({row.workers for row in results.find("latency", "child")})
    if not counts:
        return None
    children = results.find("latency", "child", counts[0])
    pairs = sorted(((row, results.one(row, "parent"), results.one(row, "later"))
                    for row in children), key=lambda pair: pair[2])
    figure, axis = pyplot.subplots(figsize=(7.5, 0.9 + 0.36 * len(pairs)))
    for place, (row, parent, _) in enumerate(pairs):
        colour = style.colour(row)
        for value, shift, hatch in ((row.median(), -0.19, None), (parent, 0.19, "////")):
            axis.barh(place + shift, max(value, 1), 0.36, color=colour, hatch=hatch,
                      edgecolor=INK, linewidth=0.4)
            axis.annotate(" " + number(value), (max(value, 1), place + shift), va="center",
                          fontsize=7)
    axis.set_yticks(range(len(pairs)), [results.label(row) for row, _, _ in pairs])
    axis.invert_yaxis()
    axis.set_xscale("log")
    axis.set_xlim(right=axis.get_xlim()[1] * 3)
    axis.grid(axis="x")
    axis.set_xlabel("cycles from before the spawn; plain: the child begins, hatched: the parent "
                    f"goes on; {counts[0]} workers")
    return svg(figure, "latency")


def diffuse_groups(results):
    workers = results.most_workers("diffuse")
    rows = [row for row in results.rows
            if row.benchmark == "diffuse" and row.workers == workers
            and row.metric.startswith("start-")]
    return results.by_label(rows)


def start_axis(axis, count):
    axis.set_yscale("symlog", linthresh=0.1)
    axis.set_ylim(bottom=0)
    axis.xaxis.set_major_locator(ticker.MaxNLocator(integer=True, nbins=min(count, 6)))
    axis.grid(True)


def one_trial(results, style):
    """Figure 4: the sorted start times of one trial."""
    groups = diffuse_groups(results)
    if not groups:
        return None
    figure, axis = pyplot.subplots(figsize=(6.2, 4.0))
    for label, rows in groups.items():
        times = middle_trial(trials(rows))
        axis.plot(range(1, len(times) + 1), times, label=label, **style.line(rows[0]))
    start_axis(axis, len(next(iter(groups.values()))))
    axis.set_xlabel("leaves, in the order of their start")
    axis.set_ylabel("us since the root began")
    legend_beside(axis)
    return svg(figure, "one-trial")


def all_trials(results, style):
    """Figure 5: many trials on top of one another."""
    groups = diffuse_groups(results)
    if not groups:
        return None
    columns = 4
    lines = (len(groups) + columns - 1) // columns
    figure, axes = pyplot.subplots(lines, columns, figsize=(9, 1.9 * lines), sharex=True,
                                   sharey=True, squeeze=False)
    for axis in axes.flat[len(groups):]:
        axis.set_visible(False)
    for axis, (label, rows) in zip(axes.flat, groups.items()):
        for times in trials(rows)[:TRIALS_SHOWN]:
            axis.plot(range(1, len(times) + 1), times, color=style.colour(rows[0]), alpha=0.45,
                      linewidth=0.8, marker="o", markersize=2)
        axis.set_title(label, fontsize=8)
        start_axis(axis, len(rows))
    figure.supxlabel("leaves, in the order of their start", fontsize=9)
    figure.supylabel("us since the root began", fontsize=9)
    figure.tight_layout()
    return svg(figure, "all-trials")


def bin_speedups(results, style):
    """Figure 6: speed-up against the ideal and the greedy bound."""
    inputs = [text for text in BIN_INPUTS if results.find("bin", "speedup", text=text)]
    inputs += [text for text in results.inputs("bin") if text not in BIN_INPUTS]
    if not inputs:
        return None
    figure, axes = pyplot.subplots(1, len(inputs), figsize=(1.6 + 3.7 * len(inputs), 4.2),
                                   squeeze=False)
    for axis, text in zip(axes.flat, inputs):
        lines = results.by_label(results.find("bin", "speedup", text=text))
        counts = sorted({row.workers for rows in lines.values() for row in rows})
        for label, rows in lines.items():
            axis.plot([row.workers for row in rows], [row.median() for row in rows], label=label,
                      **style.line(rows[0]))
        axis.plot(counts, counts, color=INK, linewidth=0.8, label="ideal")
        bound = {row.workers: row.median()
                 for row in results.find("bin", "greedy-bound", text=text)}
        axis.plot(counts, [bound[count] for count in counts], color=INK, linewidth=0.8,
                  linestyle="--", label="greedy bound")
        axis.set_title(text, fontsize=9)
        axis.set_xticks(counts)
        axis.set_xlabel("workers")
        axis.set_ylim(bottom=0)
        axis.grid(True)
    axes.flat[0].set_ylabel("speed-up over the serial program")
    legend_beside(axes.flat[-1])
    return svg(figure, "bin")


def loops(results, style):
    """Speed of loops by their length."""
    workers = results.most_workers("loops")
    rows = [row for row in results.find("loops", SPEEDUP, workers) if row.input.startswith("n=")]
    panels = list(dict.fromkeys(row.variant for row in rows))
    if not panels:
        return None
    figure, axes = pyplot.subplots(1, len(panels), figsize=(1.6 + 2.6 * len(panels), 3.6),
                                   sharey=True, squeeze=False)
    shown = {}
    for axis, variant in zip(axes.flat, panels):
        for system in dict.fromkeys(row.system for row in rows if row.variant == variant):
            points = sorted((int(row.input[2:]), row.median()) for row in rows
                            if (row.variant, row.system) == (variant, system))
            line = style.line(next(row for row in rows if row.system == system))
            shown[system], = axis.plot([point[0] for point in points],
                                       [point[1] for point in points], **line)
        for level in {1, workers}:
            axis.axhline(level, color=INK, linewidth=0.8, linestyle="--")
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel("n")
        axis.set_title(variant, fontsize=9)
        axis.grid(True)
    axes.flat[0].set_ylabel(f"times the serial speed, {workers} workers")
    axes.flat[-1].legend(shown.values(), shown.keys(), loc="center left", bbox_to_anchor=(1.02, 0.5),
                         fontsize=8)
    return svg(figure, "loops")


def applications(results, style):
    """Speed-ups of the programs that do something."""
    panels = [(name, metric) for name in APPLICATIONS for metric in TIMES
              if results.find(name, metric)]
    panels = [(name, metric) for name, metric in panels if results.serial(name, metric, "")]
    if not panels:
        return None
    columns = 2
    lines = (len(panels) + columns - 1) // columns
    most = max(len(results.by_label(results.find(name, metric))) for name, metric in panels)
    figure, axes = pyplot.subplots(lines, columns, figsize=(10, (0.7 + 0.21 * most) * lines),
                                   squeeze=False)
    for axis in axes.flat[len(panels):]:
        axis.set_visible(False)
    for axis, (name, metric) in zip(axes.flat, panels):
        workers = results.most_workers(name)
        serial = results.serial(name, metric, "")
        rows = [row for row in results.find(name, metric, workers) if row.system != "serial"]
        entries = sorted(((results.label(row), serial / row.median(), style.colour(row), None)
                          for row in rows), key=lambda entry: -entry[1])
        bars(axis, entries, "", log=False)
        axis.axvline(workers, color=INK, linewidth=0.8, linestyle="--")
        axis.set_xlim(right=max(workers, *(entry[1] for entry in entries)) * 1.15)
        axis.tick_params(axis="y", labelsize=7)
        axis.set_title(f"{name}, {workers} workers: times the serial program's speed", fontsize=9)
    figure.tight_layout()
    return svg(figure, "applications")


def split_of_time(results):
    """Where the workers' time went."""
    splits = results.splits()
    if not splits:
        return None
    figure, axis = pyplot.subplots(figsize=(7.5, 1.0 + 0.24 * len(splits)))
    left = [0.0] * len(splits)
    for share, (colour, edge, hatch) in zip(SHARES, SHARE_COLOURS):
        values = [100 * parts[share] for _, _, parts in splits]
        axis.barh(range(len(splits)), values, left=left, color=colour, edgecolor=edge, hatch=hatch,
                  linewidth=0, label=share, height=0.8)
        left = [a + b for a, b in zip(left, values)]
    names = [f"{name}: {label}" for name, label, _ in splits]
    axis.set_yticks(range(len(splits)), names, fontsize=7)
    axis.invert_yaxis()
    axis.set_xlim(0, 100)
    axis.set_xlabel("% of all workers' time")
    axis.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncol=3, fontsize=8)
    return svg(figure, "split")
