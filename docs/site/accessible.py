# SPDX-License-Identifier: Apache-2.0
"""Mends in the built pages what the theme leaves out for those who read by keyboard or ear."""

import re
from pathlib import Path

from sphinx.errors import ExtensionError

# What is replaced, by what, and on which pages it must be.
EVERY, SEARCH, SOME = "every page", "search.html", "some page"
MENDED = (
    (r'<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">', EVERY),
    (r'<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="Pages">', EVERY),
    (r'<aside class="toc-drawer( no-toc)?">', r'<aside class="toc-drawer\1" aria-label="On this page">', EVERY),
    # What scrolls must be reached by the keyboard.
    (r"<pre>", '<pre tabindex="0">', SOME),
    (r'<div class="table-wrapper ([^"]*)">', r'<div class="table-wrapper \1" tabindex="0">', SOME),
    (r'<th class="head"><p></p></th>', "<td></td>", SOME),
    (r'<div id="search-results">', '<h1>Search</h1>\n<div id="search-results">', SEARCH),
)


def mend(app, exception):
    if exception is not None or app.builder.name != "html":
        return
    counts = [0] * len(MENDED)
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if "sidebar-drawer" not in text:  # no page of the theme
            continue
        for number, (old, new, where) in enumerate(MENDED):
            text, count = re.subn(old, new, text)
            counts[number] += count
            if count == 0 and where in (EVERY, page.relative_to(app.outdir).as_posix()):
                raise ExtensionError(f"docs/site/accessible.py: {page.name} has no {old}: the theme has changed")
        page.write_text(text, encoding="utf-8")
    for (old, _, _), count in zip(MENDED, counts):
        if count == 0:
            raise ExtensionError(f"docs/site/accessible.py: no page has {old}: the theme has changed")


def setup(app):
    app.connect("build-finished", mend)
    return {"parallel_read_safe": True}
