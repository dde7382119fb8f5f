#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens pages of the report in a browser, checks what only a browser can, and takes pictures.

usage: look.py PAGE_OF FOLDER [--browser PROGRAM]

PAGE_OF is the program of that name among the tests, FOLDER gets the pages and pictures. The pages
are made of sample.json: as it is, on 2,432 workers with 4,096 places, without most fields, and with
texts that would do harm if they were not escaped. Each is opened light, dark, on a small screen and as
printed. Ends with a status other than 0 where a page wrote to the console, where a check of CHECKS
failed or where a page took more than OPEN_SECONDS. The pictures are for a person to look at.
"""

import argparse
import copy
import json
import re
import subprocess
import sys
import time
from html import unescape
from pathlib import Path

HERE = Path(__file__).resolve().parent
OPEN_SECONDS = 2
DARK, LIGHT = (f"--blink-settings=preferredColorScheme={scheme}" for scheme in (0, 1))
HARM = "</script><script>document.title='harm'</script>" \
       "<img src=x onerror=\"document.title='harm'\">&quot;'é漢\u202e"

# Runs in the page once it is drawn; writes one line for each check that fails.
CHECKS = r"""
<script>
setTimeout(() => {
  const failed = [];
  const check = (holds, what) => { if (!holds) failed.push(what); };
  const shown = document.getElementById("page").innerText;
  check(!/\b(NaN|undefined|null|Infinity)\b|\[object/.test(shown), "a value has no words");
  check(document.title !== "harm" && !document.querySelector("#page img"), "text became markup");
  check(document.documentElement.scrollWidth <= window.innerWidth,
    "the page is wider than the window");
  check(document.querySelectorAll(".worker").length <= 64, "more than 64 rows of workers");
  for (const one of document.querySelectorAll("section"))
    check(one.innerText.split("\n").filter(line => line.trim()).length > 1, `${one.id} is empty`);
  for (const one of document.querySelectorAll("a[href^='#']"))
    check(document.getElementById(one.hash.slice(1)), `${one.hash} leads nowhere`);
  for (const section of document.querySelectorAll("#sites, #hot, #locks")) {
    const rows = () => [...section.querySelectorAll("tbody tr")];
    const button = section.querySelector("th:last-child button");
    const cells = () => rows().map(row => row.lastChild.textContent);
    button.focus();
    button.click();
    const down = cells();
    button.click();
    const up = cells();
    const most = [...section.querySelectorAll(".buttons button")]
      .find(one => /show all/.test(one.textContent));
    if (most && !most.hidden) most.click();
    check(section.querySelector("th:last-child").ariaSort, "the order is not told");
    const equal = new Set(cells().filter(Boolean)).size < 2;
    check(rows().length < 2 || equal || down.join() !== up.join(),
      `the table ${section.id} does not sort`);
  }
  for (const figure of document.querySelectorAll("figure")) {
    const drawing = figure.querySelector("svg[tabindex]");
    if (!drawing) continue;
    drawing.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
    check(/^At /.test(figure.querySelector(".readout").textContent), "no figures by arrow key");
  }
  for (const flame of document.querySelectorAll(".flame")) {
    const boxes = () => [...flame.querySelectorAll(".box")];
    const width = box => Number(box.querySelector("rect").getAttribute("width"));
    const all = boxes().length;
    const second = boxes()[1];
    const name = second.querySelector("title").textContent;
    second.dispatchEvent(new MouseEvent("click"));
    check(boxes()[0].querySelector("title").textContent === name && width(boxes()[0]) > 200,
      "a click does not widen a box");
    boxes()[0].dispatchEvent(new MouseEvent("click"));
    check(boxes().length === all, "a second click does not lead back");
  }
  const timeline = document.querySelector("#timeline");
  if (timeline) {
    const [from, to] = timeline.querySelectorAll("input");
    const button = words => [...timeline.querySelectorAll("button")]
      .find(one => one.textContent === words);
    const length = Number(to.value);
    from.value = length / 4;
    to.value = length / 2;
    to.dispatchEvent(new Event("change"));
    button("zoom to it").click();
    const marks = () => [...timeline.querySelectorAll("svg text[text-anchor=middle]")]
      .map(one => Number(one.textContent));
    check(Math.min(...marks()) >= length / 5 && Math.max(...marks()) <= length * 0.55,
      "the timeline does not zoom");
    check(timeline.querySelectorAll("svg path").length > 0, "the zoomed timeline is empty");
    let saved = null;
    const before = URL.createObjectURL;
    URL.createObjectURL = blob => { saved = blob; return "#timeline"; };
    button("save it for Perfetto").click();
    URL.createObjectURL = before;
    check(saved && saved.size > 100 && saved.type === "application/json", "no trace is saved");
    button("whole run").click();
    check(Number(to.value) === length, "the window is not the whole run again");
  }
  const result = document.createElement("pre");
  result.id = "checks";
  result.textContent = failed.join("\n") || "all hold";
  document.body.append(result);
}, 100);
</script>
"""


def big_timeline():
    """64 groups of 38 workers in 2,000 bins of which none is like the one before."""
    groups = []
    for row in range(64):
        columns = {name: [] for name in ("work", "runtime", "lock", "barrier", "late", "no_work")}
        for i in range(2000):
            work = 300 + (37 * i + 91 * row) % 400 if i > 20 * row else 0
            rest = 1000 - work
            parts = {"work": work, "lock": rest * ((i // 200) % 2) // 2, "runtime": rest // 20,
                     "barrier": rest * (i % 3) // 10, "late": rest * (i % 5) // 40}
            parts["no_work"] = 1000 - sum(parts.values())
            for name, column in columns.items():
                column.append(parts[name])
        groups.append({"first": 38 * row, "last": 38 * row + 37, **columns})
    return {"bin_s": 0.0062, "workers": 2432, "groups": groups}


def many(sample):
    """A big machine: 2,432 workers, 4,096 places."""
    report = copy.deepcopy(sample)
    report["workers"] = 2432
    report["headline"] = "12.4 s on 2432 workers: 310 times as fast as one worker (13 %)"
    accounts = report["workers_accounts"]
    report["workers_accounts"] = [{**accounts[i % len(accounts)], "worker": i} for i in range(2432)]
    for name in ("running", "waiting", "ready", "blocked"):
        report["series"][name] = [152 * value for value in report["series"][name]]
    report["series"] = {key: 16 * value if isinstance(value, list) else value / 16
                        for key, value in report["series"].items()}
    report["series"]["seconds"] = [value / 16 for value in report["series"]["seconds"]]
    report["steals"]["matrix"] = [[(i * j) % 7 if abs(i - j) < 300 else 0 for j in range(2432)]
                                  for i in range(2432)]
    report["sites"] = [{**one, "work_s": one["work_s"] / (1 + i),
                        "place": {**one["place"], "line": i, "function": "f<" + "int, " * 40 + ">"}}
                       for i in range(4096) for one in [sample["sites"][i % len(sample["sites"])]]]
    report["timeline"] = big_timeline()
    report["speedup"] = {
        "measured": [{"workers": 2432, "speedup": 310}],
        "bounds": [{"workers": n, "low": n / (1 + n / 400), "high": min(n, 1200)}
                   for n in (2 ** power for power in range(13))]}
    report["ranks"] = [
        {"rank": i, "work_s": 3 + i / 7, "waited_s": 0.1 * i, "fetched_bytes": 3 ** i}
        for i in range(19)]
    return report


def job(sample):
    """Four ranks of two hosts."""
    report = copy.deepcopy(sample)
    report["headline"] = "12.4 s on 4 ranks with 16 workers: about 6.10 times as fast as one worker (38 %)"
    report["ranks"] = [
        {"rank": i, "host": "ab"[i // 2] * 3, "workers": 4, "started_s": 0.01 * i, "run_s": 12.4 - 0.01 * i,
         "work_s": 18.1 + i, "no_work_s": 3.1, "data_wait_s": 0.4 * i, "join_wait_s": 1.2, "steals": 700 * i,
         "ran": 690 * i, "fetched_bytes": 3e8 * i, "refetched_bytes": 1e8 * i, "written_back_bytes": 7e7,
         **({"clock_off_by_s": 18e-6} if i > 1 else {})} for i in range(4)]
    report["bytes_between"] = {"matrix": [[0, 2e6, 0, 0], [3e8, 0, 4e6, 0], [6e8, 1e6, 0, 0], [9e8, 0, 0, 0]]}
    for i, group in enumerate(report["timeline"]["groups"]):
        group.update(rank=i // 4, last_rank=i // 4, first=i % 4, last=i % 4, count=1)
    for i, account in enumerate(report["workers_accounts"]):
        account["worker"] = f"{i // 4}:{i % 4}"
    return report


KEY_WORDS = ("rule", "kind", "role", "answer", "confidence")


def harmful(value):
    """The same report with a dangerous text in the place of each text that is not a key word."""
    if isinstance(value, dict):
        return {key: one if key in KEY_WORDS else harmful(one) for key, one in value.items()}
    if isinstance(value, list):
        return [harmful(one) for one in value]
    return HARM if isinstance(value, str) else value


def reports():
    sample = json.loads((HERE / "sample.json").read_text(encoding="utf-8"))
    least = {key: sample[key] for key in ("program", "seconds", "workers")}
    return {"sample": sample, "many": many(sample), "job": job(sample), "least": least, "harmful": harmful(sample),
            "nothing": {**least, "answer": "nothing", "shares": sample["shares"][:1],
                        "speedup": {"measured": [{"workers": 16, "speedup": 15.6}]}},
            "odd": {**{key: "odd" for key in sample}, "sites": [1, {}, {"place": 3, "work_s": "x"}],
                    "series": {"bin_s": 0, "running": [None]}, "steals": {"matrix": [1]}}}


class Browser:
    def __init__(self, program, folder):
        self._program = program
        self._folder = folder

    def run(self, page, *options):
        """(what it wrote to its output, messages of the page, seconds)."""
        begin = time.monotonic()
        done = subprocess.run(
            [self._program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--enable-logging=stderr", *options, page.as_uri()],
            capture_output=True, text=True, timeout=120, check=False)
        messages = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        return done.stdout, messages, time.monotonic() - begin

    def pictures(self, page):
        for name, size, scheme in (("light", "1280,800", LIGHT), ("dark", "1280,800", DARK),
                                   ("whole", "1280,4200", LIGHT), ("small", "500,2400", LIGHT)):
            picture = self._folder / f"{page.stem}-{name}.png"
            yield from self.run(page, f"--screenshot={picture}", f"--window-size={size}", scheme)[1]
        yield from self.run(page, f"--print-to-pdf={page.with_suffix('.pdf')}",
                            "--no-pdf-header-footer", DARK)[1]


def look(browser, page, nothing):
    """What is wrong with a page."""
    checked = page.with_suffix(".checked.html")
    checked.write_text(page.read_text(encoding="utf-8").replace("</body>", CHECKS + "</body>"),
                       encoding="utf-8")
    document, messages, _ = browser.run(checked, "--dump-dom", "--virtual-time-budget=2000")
    result = re.search(r'<pre id="checks">(.*?)</pre>', document, re.DOTALL)
    lines = unescape(result[1]).splitlines() if result else ["the checks did not run"]
    yield from (line for line in lines if line != "all hold")
    yield from messages
    yield from browser.pictures(page)
    seconds = browser.run(page, "--dump-dom")[2] - browser.run(nothing, "--dump-dom")[2]
    print(f"{page.name}: {page.stat().st_size} bytes, opened in {max(seconds, 0):.2f} s")
    if seconds > OPEN_SECONDS:
        yield f"took {seconds:.1f} s to open"


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("page_of", type=Path)
    options.add_argument("folder", type=Path)
    options.add_argument("--browser", default="chromium")
    given = options.parse_args()
    folder = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    nothing = folder / "nothing-at-all.html"
    nothing.write_text("<!DOCTYPE html><title>-</title>", encoding="utf-8")
    browser = Browser(given.browser, folder)
    failed = 0
    for name, report in reports().items():
        page = folder / f"{name}.html"
        with page.open("wb") as out:
            subprocess.run([given.page_of], input=json.dumps(report).encode(), stdout=out,
                           check=True)
        for line in look(browser, page, nothing):
            failed += 1
            print(f"{page.name}: {line}")
    print(f"pictures: {folder}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
