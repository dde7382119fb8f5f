# SPDX-License-Identifier: Apache-2.0
"""The results of one machine or several as one HTML file that refers to nothing outside of it."""

from html import escape
from pathlib import Path

import figures
from measure import NOT_RUN, SPEEDUP, TIMED, given_up
from programs import system_order
from results import SHARES, Results

HERE = Path(__file__).resolve().parent
STYLE = (HERE / "page.css").read_text(encoding="utf-8")
SCRIPT = (HERE / "page.js").read_text(encoding="utf-8")

FIGURES = [
    ("Figure 1: the cost of a task on one worker", figures.create,
     "An empty task is spawned and waited for, 1000 times, 31 times over; the mean without the "
     "first five. Logarithmic."),
    ("Figure 2: the cost of a task on all workers at once", figures.create_scale,
     "The same loop on every worker after a barrier. A cost that grows with the workers is a "
     "bottleneck inside the system. Both axes logarithmic."),
    ("Figure 3: the two latencies", figures.latency,
     "How long after the spawn the child begins, and how long until the parent goes on, on "
     "different workers. Systems that run the child first have a short plain bar and a long "
     "hatched one, those that run the parent first the reverse; the longer one is what more "
     "parallelism costs. Medians, logarithmic."),
    ("Figure 4: how tasks spread, one trial", figures.one_trial,
     "Sorted start times of the leaves of a binary tree with as many leaves as workers; the trial "
     "whose last start is the median."),
    ("Figure 5: how tasks spread, all trials", figures.all_trials,
     f"The same, up to {figures.TRIALS_SHOWN} trials on top of one another: how far they scatter."),
    ("Figure 6: speed-up of a tree of tasks", figures.bin_speedups,
     "bin(n): consume A cycles; K times spawn bin(n-1), call bin(n-1), wait, consume A. Dashed: "
     "what a greedy scheduler is sure to reach, T1 / (T1/P + Tinf)."),
    ("Loops of every length", figures.loops,
     "Trivial iterations over an array: a loop, sums, prefix sums. How many times the serial "
     "program's speed a call has that shares n of them. Dashed: the serial program, and as many "
     "times as workers. Both axes logarithmic."),
    ("Applications", figures.applications,
     "The same source for every system; dashed: as many times as workers."),
]
SPLIT_CAPTION = (
    "Section 3 of the paper, in the words of kasuri report. Work: as in the serial program. "
    "Stretch: what it takes longer on several workers than on one. Runtime: calls into the "
    "runtime, those that are inlined (one worker against the serial program) and those that are "
    "not. Late: idle although a task was ready. No work: idle without any. Kasuri keeps this "
    "account itself.")


def number(value):
    return f"{value:.4g}" if abs(value) < 1e6 else f"{value:.3e}"


class Tables:
    """Tables with a button each that copies them."""

    def __init__(self):
        self._count = 0

    def html(self, head, lines, numeric):
        self._count += 1
        name = f"table-{self._count}"
        cells = self._row("th", head, numeric)
        cells += "".join(self._row("td", line, numeric) for line in lines)
        return (f'<div class="scroll" tabindex="0"><table id="{name}">{cells}</table></div>'
                f'<button data-table="{name}">copy</button>')

    @staticmethod
    def _row(tag, cells, numeric):
        return "<tr>" + "".join(
            f'<{tag}{" class=n" if column in numeric else ""}>{escape(str(cell))}</{tag}>'
            for column, cell in enumerate(cells)) + "</tr>"


def order(row):
    return (row.input, row.metric, row.workers, system_order(row.system))


def benchmark_table(results, benchmark, tables):
    lines = []
    for row in sorted((r for r in results.rows if r.benchmark == benchmark), key=order):
        speedup = results.one(row, SPEEDUP) if row.metric in TIMED else None
        if row.metric == SPEEDUP:
            continue
        lines.append((row.metric, row.input, row.system, row.variant, row.workers,
                      number(row.median()), number(min(row.values)), number(max(row.values)),
                      row.unit, "" if speedup is None else number(speedup)))
    head = ("metric", "input", "system", "variant", "workers", "median", "min", "max", "unit",
            "against serial")
    return tables.html(head, lines, (4, 5, 6, 7, 9))


def analysis_table(results, tables):
    """bin: the formulas beside what was counted, the bound beside what was measured."""
    lines = []
    for row in sorted(results.find("bin", "T1"), key=order):
        values = [results.one(row, metric) for metric in
                  ("T1-formula", "Tinf", "Tinf-formula", "greedy-bound", SPEEDUP)]
        lines.append((row.input, row.system, row.variant, row.workers,
                      *("" if value is None else f"{value:.0f}"
                        for value in (row.median(), *values[:3])),
                      *("" if value is None else number(value) for value in values[3:])))
    head = ("input", "system", "variant", "workers", "T1 counted", "T1 formula", "Tinf counted",
            "Tinf formula", "greedy bound", "speed-up")
    return tables.html(head, lines, range(3, 10)) if lines else ""


def split_table(results, tables):
    lines = [(name, label, *(f"{100 * parts[share]:.1f}" for share in SHARES))
             for name, label, parts in results.splits()]
    return tables.html(("benchmark", "way", *(f"{share}, %" for share in SHARES)), lines,
                       range(2, 7))


def failures(results):
    lines = [f"{one['system']} left out: {one['reason']}" for one in results.left_out]
    lines += given_up(results.failures)
    for one in results.failures:
        if one["reason"].startswith(NOT_RUN):
            continue
        what = " ".join(filter(None, (one["benchmark"], one["system"], one["variant"],
                                      one["input"])))
        lines.append(f"{what} with {one['workers']} workers failed: {one['reason']}")
    if not lines:
        return "<p>Every case ran, and every answer was right.</p>"
    items = "".join(f'<li class="failed">{escape(line)}</li>' for line in lines)
    return f"<ul>{items}</ul>"


def heading(results):
    about = results.about
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    return (f"{about['cpu']}, {about['cores']} cores, {about['numa_nodes']} NUMA nodes, Linux "
            f"{about['kernel']}; {', '.join(about['compilers'])}, {about['flags']}; {versions}; "
            f"{results.options['rounds']} rounds"
            f"{', small sizes' if results.options['quick'] else ''}; load {about['load']:.1f}")


def machine_section(document, index, count, tables):
    results = Results(document)
    style = figures.Style(results)
    name = f"machine {index + 1}: " if count > 1 else ""
    parts = [f"<h2>{escape(name)}{escape(results.about['cpu'])}</h2>",
             f"<p>{escape(heading(results))}</p>", failures(results)]
    for title, make, caption in FIGURES:
        drawing = make(results, style)
        if drawing is None:
            parts.append(f"<h3>{escape(title)}</h3><p>Not measured here.</p>")
            continue
        parts.append(f"<h3>{escape(title)}</h3><figure>{distinct(drawing, index)}"
                     f"<figcaption>{escape(caption)}</figcaption></figure>")
    drawing = figures.split_of_time(results)
    if drawing:
        parts.append(f"<h3>The split of time</h3><figure>{distinct(drawing, index)}"
                     f"<figcaption>{escape(SPLIT_CAPTION)}</figcaption></figure>")
        parts.append(split_table(results, tables))
    parts.append("<h3>Work, span and the greedy bound of bin</h3>")
    parts.append(analysis_table(results, tables))
    for benchmark in results.benchmarks():
        parts.append(f"<h3>{escape(benchmark)}</h3>{benchmark_table(results, benchmark, tables)}")
    return "\n".join(parts)


def distinct(drawing, index):
    """Several machines on one page draw figures of the same names."""
    for mark in ('id="', 'href="#', "url(#"):
        drawing = drawing.replace(mark, f"{mark}m{index}-")
    return drawing


def render(documents):
    tables = Tables()
    sections = [machine_section(document, index, len(documents), tables)
                for index, document in enumerate(documents)]
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Task systems compared</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<style>{STYLE}</style></head><body><main>
<h1>Task systems compared</h1>
<p>One program per benchmark, run on every system in turns, after Taura and Nakajima, A Comparative
Study of Six Task Parallel Programming Systems (2013). Figures are medians of the rounds; every
answer was checked.</p>
{"".join(sections)}
</main><script>{SCRIPT}</script></body></html>
"""
