# SPDX-License-Identifier: Apache-2.0
"""Whether a report of a program is right: its first finding, its place, its gain, and what it must not say."""

import pathlib

NEAR = 2  # lines: a statement may have several
TOLERANCE = 0.2
LEAST_GAIN = 1.1  # where the repaired twin gains less, this machine does not show the bottleneck


def first_finding(report):
    findings = report.get("findings") or []
    return findings[0] if findings else None


def without_others(report):
    """As if no other programs had run: what they say of the program itself."""
    rest = [f for f in report.get("findings") or [] if f["rule"] != "others"]
    return report | {"findings": rest}


def may_be_nothing(program, measured, killed):
    """A program that was killed is not run on one worker, so nobody knows what takes longer on several."""
    shows_nothing = measured is not None and measured < LEAST_GAIN
    return program.may_be_nothing or shows_nothing or (killed and program.rules == ("stretch",))


def wrong_rules(program, report, measured=None, killed=False):
    said = [f["rule"] for f in report.get("findings") or []]
    if not program.rules:
        return [f"it finds {', '.join(said)}, and nothing is wrong"] if said else []
    if not said and may_be_nothing(program, measured, killed):
        return []
    if not said:
        return [f"it finds nothing (answer: {report.get('answer')}); expected {program.rules[0]}"]
    wrong = [] if said[0] in program.rules else [f"{said[0]} comes first; expected {program.rules[0]}"]
    return wrong + [f"it says {rule}" for rule in said if rule in program.never]


def wrong_place(program, finding):
    """The line is a marked one, or near it."""
    lines = program.marked_lines()
    if not lines:
        return []
    place = finding.get("place") or {}
    file, line = pathlib.Path(place.get("file") or "").name, place.get("line") or 0
    wanted = program.source().name
    if file == wanted and any(abs(line - n) <= NEAR for n in lines):
        return []
    return [f"it names {file or 'no file'}:{line}; expected {wanted}:{' or '.join(map(str, lines))}"]


def wrong_module(program, finding):
    """Of a stripped program only the file is known."""
    module = pathlib.Path((finding.get("place") or {}).get("module") or "").name.split("+")[0]
    return [] if module == program.stem else [f"it names {module or 'no module'}; expected {program.stem}"]


def wrong_gain(finding, measured):
    gain = finding.get("gain")
    if gain is None or measured is None:
        return ["it says no gain"] if gain is None else []
    return [] if abs(gain - measured) <= TOLERANCE * measured else [f"gain {gain:.2f}; measured {measured:.2f}"]


def judge(program, report, measured=None, stripped=False, killed=False):
    """What is wrong with the report; empty: it is right. `measured`: what the repaired twin gains."""
    wrong = wrong_rules(program, report, measured, killed)
    finding = first_finding(report)
    if wrong or not program.rules or finding is None:
        return wrong
    if program.has_place:
        wrong += wrong_module(program, finding) if stripped else wrong_place(program, finding)
    if not killed and not stripped and program.has_gain:
        wrong += wrong_gain(finding, measured)
    return wrong
