#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gathers the pages of the site: stage.py OUT --kasuri PROGRAM [--compare FILE]...

OUT gets Markdown: what lies in docs/, with links that fit the site; the front page, the reference of the C++ and C
interfaces, the command line and the benchmarks, made of the tree; and the text of each file that a page links to.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import commands
import headers
from links import Rewriter

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
MOVED = {  # pages whose place on the site is not that in docs/
    "docs/README.md": "all-pages.md", "docs/contributing/README.md": "contributing/recipes.md",
    "CONTRIBUTING.md": "contributing/taking-part.md", "CHANGELOG.md": "changelog.md",
    "bench/README.md": "benchmarks.md", "README.md": "index.md",
}
PARTS = {  # of the C++ reference, by folder below include/kasuri
    ".": "The library", "algorithm": "Algorithms", "coroutine": "Coroutines", "global": "Cluster",
    "global/algorithm": "Algorithms of the cluster", "global/tasks": "Tasks of the cluster",
    "global/container": "Containers of the cluster", "global/files": "Files of the cluster",
    "adapters": "Adapters for other libraries",
    "model": "The task model of the benchmarks",
}
LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".h": "c", ".c": "c", ".py": "python", ".sh": "sh", ".json": "json",
             ".js": "js", ".css": "css", ".patch": "diff"}
EXTRA = "_extra"  # files that are copied to the site as they are


def documents(source: Path) -> dict[str, str]:
    """Where each Markdown file of the tree is on the site."""
    pages = dict(MOVED)
    for path in sorted((source / "docs").rglob("*.md")):
        name = path.relative_to(source).as_posix()
        if not name.startswith("docs/site/"):
            pages.setdefault(name, name.removeprefix("docs/"))
    for path in pictures(source):
        pages[path] = path.removeprefix("docs/")
    for path in sorted((source / headers.INCLUDE).rglob("*.h*")):
        name = path.relative_to(source / headers.INCLUDE).as_posix()
        if headers.is_public(name):
            pages[f"{headers.INCLUDE}/{name}"] = header_page(name)
    return pages


def pictures(source: Path) -> list[str]:
    return [path.relative_to(source).as_posix() for path in sorted((source / "docs").rglob("*.svg"))]


def header_page(header: str) -> str:
    if header == "kasuri.h":
        return "reference/c.md"
    return f"reference/{'c' if header.endswith('.h') else 'cpp'}/{Path(header).with_suffix('.md')}"


Navigation = dict[str, dict[str, list[str]]]  # pages by caption and group; those of the group "" stand alone


def navigation(rules: Navigation, pages: list[str]) -> Navigation:
    """Which pages each group has. A name without a star must be there; REST takes what no other rule has named."""
    found: Navigation = {caption: {group: [] for group in groups} for caption, groups in rules.items()}
    left = sorted(pages)
    for rest in (False, True):
        for caption, groups in rules.items():
            for group, patterns in groups.items():
                for pattern in patterns:
                    if pattern.startswith("REST ") != rest:
                        continue
                    wanted = pattern.removeprefix("REST ")
                    taken = [page for page in left
                             if fnmatch.fnmatch(page, wanted) and page.count("/") == wanted.count("/")]
                    if not taken and "*" not in wanted:
                        raise SystemExit(f"docs/site/navigation.json: {group or caption}: there is no page {wanted}")
                    found[caption][group] += taken
                    left = [page for page in left if page not in taken]
    if left:
        raise SystemExit(f"docs/site/navigation.json: no group has {', '.join(left)}")
    return {caption: {group: taken for group, taken in groups.items() if taken} for caption, groups in found.items()}


def toctree(pages: list[str], caption: str = "", titles: dict[str, str] | None = None) -> str:
    lines = ["", "```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), ""]
    for page in pages:
        title, place = (titles or {}).get(page.lstrip("/")), page.removesuffix(".md")
        lines.append(f"{title} <{place}>" if title else place)
    return "\n".join([*lines, "```", ""])


def group_page(group: str) -> str:
    return f"groups/{re.sub('[^a-z]+', '-', group.lower())}.md"


def readme_part(readme: str, title: str) -> str:
    """A section of the README with its heading; without a title, what stands before the first one."""
    parts = re.split(r"^(?=## )", readme, flags=re.MULTILINE)
    if not title:
        return parts[0].split("\n", 1)[1].strip()
    for part in parts:
        if part.startswith(f"## {title}\n"):
            return part.strip()
    raise SystemExit(f"docs/site/front.md.in: README.md has no section {title!r}")


def front(source: Path) -> str:
    """The front page: its own words, and parts of the README."""
    readme = (source / "README.md").read_text(encoding="utf-8")
    lines = []
    for line in (HERE / "front.md.in").read_text(encoding="utf-8").splitlines():
        if line.endswith("<!-- where there -->"):
            links = re.findall(r"\]\(/([^)#]+)", line)
            if not all((source / link).exists() for link in links):
                continue
            line = line.removesuffix("<!-- where there -->").rstrip()
        found = re.fullmatch(r"<!-- README\.md(?:: (.+))? -->", line)
        lines.append(readme_part(readme, found[1] or "") if found else line)
    return "\n".join(lines) + "\n"


def measured(source: Path) -> str:
    """The table of the README with the command of each row."""
    commands_of = json.loads((HERE / "figures.json").read_text(encoding="utf-8"))
    table = readme_part((source / "README.md").read_text(encoding="utf-8"), "Measured")
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in table.splitlines() if line.startswith("|")]
    text = "| | Kasuri | others | Kasuri / other | command |\n| --- | --- | --- | --- | --- |\n"
    unused = set(commands_of)
    for row in rows[2:]:
        found = [start for start in commands_of if row[0].startswith(start)]
        if not found:
            raise SystemExit(f"docs/site/figures.json: no command for the row {row[0]!r} of README.md")
        command = commands_of[found[0]]
        if not (source / "bench" / command.split()[1]).is_dir():
            raise SystemExit(f"docs/site/figures.json: {command}: there is no such benchmark")
        unused.discard(found[0])
        text += f"| {' | '.join(row)} | `{command}` |\n"
    if unused:
        raise SystemExit(f"docs/site/figures.json: README.md has no row {sorted(unused)}")
    return text


def benchmarks(source: Path) -> str:
    text = (source / "bench/README.md").read_text(encoding="utf-8")
    head, rest = text.split("\n", 1)
    table = "The figures of the [front page](../README.md#measured), on the machine that it names, with the " \
            f"command that measures each row on yours:\n\n{measured(source)}\nEach command takes `--workers 1,2`.\n"
    return f"{head}\n\n{table}\n## How to run them\n{rest}"


class Stage:
    """Writes the pages into a folder."""

    def __init__(self, source: Path, out: Path):
        self._source, self._out = source, out
        self._pages = documents(source)
        self._source_pages: dict[str, str] = {}
        self._rewriter = Rewriter(source, self._pages, self._need_source_page)

    def write(self, page: str, text: str, path: str) -> None:
        """A page whose links are those of the file `path` of the tree."""
        target = self._out / page
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(self._rewriter.rewrite(text, path, page), encoding="utf-8")

    def documents(self, texts: dict[str, str]) -> None:
        """All Markdown files of the tree; `texts` has those that are changed on the way."""
        for path, page in list(self._pages.items()):
            if path.endswith(".md"):
                text = texts.get(path) or (self._source / path).read_text(encoding="utf-8")
                self.write(page, text, path)
        for picture in pictures(self._source):
            target = self._out / self._pages[picture]
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self._source / picture, target)

    def reference(self, pages: dict[str, str]) -> None:
        index = "# C++ reference\n\nWhat the headers say, a page for each. `kasuri/kasuri.hpp` includes what most " \
                "programs need. C has [a page of its own](/include/kasuri/kasuri.h).\n"
        for folder, title in PARTS.items():
            index += self._part(title, [header for header in sorted(pages) if header.endswith(".hpp")
                                        and Path(header).parent.as_posix() == folder], pages)
        of_c = [header for header in sorted(pages) if header.endswith(".h") and header != "kasuri.h"]
        index += self._part("More headers for C", of_c, pages) if of_c else ""
        for header, text in pages.items():
            self.write(header_page(header), text, f"{headers.INCLUDE}/{header}")
        missing = {Path(header).parent.as_posix() for header in pages} - set(PARTS)
        if missing:
            raise SystemExit(f"docs/site/stage.py: PARTS has no title for {sorted(missing)}")
        self.write("reference/cpp.md", index, headers.INCLUDE)

    @staticmethod
    def _part(title: str, listed: list[str], pages: dict[str, str]) -> str:
        """A part of the list of headers, each with the first sentence of its page."""
        text = f"\n## {title}\n\n| header | what |\n| --- | --- |\n"
        for header in listed:
            brief = pages[header].split("\n\n", 2)[1].strip().replace("\n", " ")
            text += f"| [`kasuri/{header}`](/include/kasuri/{header}) | {brief} |\n"
        return text + toctree([header_page(header).removeprefix("reference/") for header in listed])

    def source_pages(self) -> None:
        """The files that pages link to."""
        for path, page in self._source_pages.items():
            target = self._out / page
            target.parent.mkdir(parents=True, exist_ok=True)
            head = f"---\norphan: true\nnosearch: true\n---\n\n# `{path}`\n\n"
            file = self._source / path
            if file.is_dir():
                target.write_text(head + "".join(f"- `{one.name}`\n" for one in sorted(file.iterdir())),
                                  encoding="utf-8")
                continue
            text = file.read_text(encoding="utf-8")
            fence = "`" * max(4, 1 + max(map(len, re.findall("`+", text)), default=0))
            language = LANGUAGES.get(file.suffix, "text")
            target.write_text(f"{head}{fence}{{code-block}} {language}\n:linenos:\n\n{text}{fence}\n", encoding="utf-8")

    def index(self, text: str, more: list[str]) -> None:
        """The front page with the navigation, which has the documents and the pages of `more`."""
        pages = [page for path, page in self._pages.items() if path.endswith(".md") and page != "index.md"]
        rules = json.loads((HERE / "navigation.json").read_text(encoding="utf-8"))
        titles = rules["titles"]
        stale = set(titles) - set(pages) - set(more)
        if stale:
            raise SystemExit(f"docs/site/navigation.json: titles: there is no page {', '.join(sorted(stale))}")
        for caption, groups in navigation(rules["captions"], [*pages, *more]).items():
            listed = []
            for group, found in groups.items():
                listed += [group_page(group)] if group else found
                if group:
                    self._group(group, found, titles)
            text += toctree(listed, caption, titles)
        self.write("index.md", text, "README.md")

    def _group(self, group: str, found: list[str], titles: dict[str, str]) -> None:
        headings = [(self._out / page).read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ") for page in found]
        text = f"# {group}\n\n" + "".join(f"- [{title}](../{page})\n" for title, page in zip(headings, found))
        target = self._out / group_page(group)
        target.parent.mkdir(exist_ok=True)
        target.write_text(text + toctree([f"/{page}" for page in found], titles=titles), encoding="utf-8")

    def _need_source_page(self, path: str) -> str:
        self._pages[path] = self._source_pages[path] = f"source/{path}.md"
        return self._source_pages[path]


def study(source: Path, out: Path, files: list[Path]) -> str:
    """The page of the study; where results are given, with the page that `kasuri compare` makes of them."""
    text = (source / "docs/design/study.md").read_text(encoding="utf-8")
    if not files:
        return text
    page = out / EXTRA / "design/kasuri-compare.html"
    page.parent.mkdir(parents=True)
    run = subprocess.run([sys.executable, "-B", source / "bench/runner/compare.py", "--programs", source / "bench",
                          "--page-only", "--html", page, "--merge", *files], capture_output=True, text=True, check=False)
    if run.returncode != 0 or not page.exists():
        raise SystemExit(f"no page of {', '.join(map(str, files))}: {run.stderr.strip()}")
    head, rest = text.split("\n## ", 1)
    return f'{head}\n<a href="kasuri-compare.html">The figures of one run</a>, as the command shows them: drawings ' \
           f"and tables.\n\n## {rest}"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("out", type=Path)
    options.add_argument("--kasuri", type=Path, default=SOURCE / "build/bin/kasuri", metavar="PROGRAM")
    options.add_argument("--compare", type=Path, action="append", default=[], metavar="FILE",
                         help="results of kasuri compare, to be shown as figures")
    given = options.parse_args()
    try:
        reference = headers.Reference(headers.read_headers(SOURCE))
    except headers.ReferenceError as error:
        raise SystemExit(f"docs/site/stage.py: {error}") from None
    shutil.rmtree(given.out, ignore_errors=True)
    given.out.mkdir(parents=True)
    (given.out / EXTRA).mkdir()
    stage = Stage(SOURCE, given.out)
    command_line = commands.page(given.kasuri, SOURCE)
    stage.documents({"bench/README.md": benchmarks(SOURCE), "README.md": front(SOURCE),
                     "docs/design/study.md": study(SOURCE, given.out, given.compare)})
    stage.reference(reference.pages)
    stage.write("reference/commands.md", command_line, "docs/reference/commands.md")
    stage.index(front(SOURCE), ["reference/cpp.md", "reference/c.md", "reference/commands.md"])
    stage.source_pages()
    return 0


if __name__ == "__main__":
    sys.exit(main())
