# SPDX-License-Identifier: Apache-2.0
"""Whether the shares of a report are all of the workers' time, and no more."""

TOLERANCE = 0.01


def wrong_shares(report, exact=False):
    """What is wrong with them; empty: nothing. `exact`: nothing may have been cut off to make them fit, either. Short
    runs need that, as the watcher looks at a program every few milliseconds only."""
    if not report.get("workers"):
        return []
    capacity = report["workers"] * report["seconds"]
    shares = report.get("shares") or []
    if not shares:
        return ["it has no shares"]
    wrong = [f"the share {s['name']} is {s['seconds']:.3g} s" for s in shares if not 0 <= s["seconds"] <= 1.01 * capacity]
    total = sum(s["seconds"] for s in shares)
    if abs(total - capacity) > TOLERANCE * capacity:
        wrong.append(f"the shares add up to {total:.3f} s; expected {capacity:.3f} s")
    too_much = report.get("shares_too_much_s")
    if too_much is None:
        wrong.append("it does not say what was counted beyond the workers' time")
    elif exact and too_much > TOLERANCE * capacity:
        wrong.append(f"the workers' sums are {too_much:.3f} s more than they had; that was cut off")
    return wrong
