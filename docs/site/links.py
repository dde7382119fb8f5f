# SPDX-License-Identifier: Apache-2.0
"""Links between files of the tree become links between pages of the site."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

LINK = re.compile(r"(?P<open>!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()(?P<target>[^)\s]+)(?=[)\s])")
FENCE = re.compile(r"^ *(`{3,}|~{3,})")
ELSEWHERE = re.compile(r"[a-z]+:|//")


def outside_of_code(text: str):
    """Pieces of a Markdown text: (whether links in it are links, piece)."""
    fence, piece = "", []
    for line in text.splitlines(keepends=True):
        found = FENCE.match(line)
        if found and (not fence or found[1].startswith(fence)):
            if fence:
                piece.append(line)
                yield False, "".join(piece)
                fence, piece = "", []
                continue
            yield True, "".join(piece)
            fence, piece = found[1], []
        piece.append(line)
    yield not fence, "".join(piece)


class Rewriter:
    """Knows where each file of the tree is on the site; a file without a page gets one of its text."""

    def __init__(self, source: Path, pages: dict[str, str], need_source_page):
        self._source = source
        self._pages = pages  # page on the site, by path in the tree
        self._need_source_page = need_source_page

    def rewrite(self, text: str, path: str, page: str) -> str:
        """The text of the file `path` of the tree as it stands on `page`."""
        def changed(match: re.Match) -> str:
            return match["open"] + self._target(match["target"], path, page)
        return "".join(LINK.sub(changed, piece) if prose else piece for prose, piece in outside_of_code(text))

    def _target(self, target: str, path: str, page: str) -> str:
        if ELSEWHERE.match(target) or target.startswith("#"):
            return target
        target, mark, anchor = target.partition("#")
        folder = "" if target.startswith("/") else str(PurePosixPath(path).parent)
        wanted = os.path.normpath(os.path.join(folder, target.lstrip("/")))
        found = self._pages.get(wanted) or self._pages.get(f"{wanted}/README.md")
        if found is None:
            if not (self._source / wanted).exists():
                raise SystemExit(f"{path}: the link {target} leads nowhere")
            found = self._need_source_page(wanted)
        return os.path.relpath(found, PurePosixPath(page).parent) + mark + anchor
