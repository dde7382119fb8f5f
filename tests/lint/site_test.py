#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What gathers the pages of the site refuses what would be missing there, and the reference what has no entry."""

import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "docs/site"))

import headers  # noqa: E402
import links  # noqa: E402
import reference  # noqa: E402
import stage  # noqa: E402


class Navigation(unittest.TestCase):
    def test_rest_takes_new_pages(self):
        rules = {"A": {"": ["a/one.md", "REST a/*.md"]}, "B": {"b": ["REST */*.md"]}}
        self.assertEqual(stage.navigation(rules, ["a/new.md", "a/one.md", "c/two.md"]),
                         {"A": {"": ["a/one.md", "a/new.md"]}, "B": {"b": ["c/two.md"]}})

    def test_a_page_without_a_group(self):
        with self.assertRaisesRegex(SystemExit, "no group has b/two.md"):
            stage.navigation({"A": {"": ["REST a/*.md"]}}, ["a/one.md", "b/two.md"])

    def test_a_page_that_is_not_there(self):
        with self.assertRaisesRegex(SystemExit, "there is no page a/gone.md"):
            stage.navigation({"A": {"": ["a/gone.md"]}}, [])


class Links(unittest.TestCase):
    def rewritten(self, text):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder)
            (source / "src").mkdir()
            (source / "src/pool.hpp").write_text("", encoding="utf-8")
            rewriter = links.Rewriter(source, {"docs/how-to/a.md": "how-to/a.md", "bench/README.md": "benchmarks.md"},
                                      lambda path: f"source/{path}.md")
            return rewriter.rewrite(text, "docs/how-to/b.md", "how-to/b.md")

    def test_pages_and_files(self):
        self.assertEqual(self.rewritten("[a](a.md#x) [b](../../bench) [p](../../src/pool.hpp) [w](https://doi.org/1)"),
                         "[a](a.md#x) [b](../benchmarks.md) [p](../source/src/pool.hpp.md) [w](https://doi.org/1)")

    def test_code_is_left(self):
        text = "```cpp\n[](gone.md)\n```\n"
        self.assertEqual(self.rewritten(text), text)

    def test_a_dead_link(self):
        with self.assertRaisesRegex(SystemExit, "gone.md leads nowhere"):
            self.rewritten("[a](gone.md)")


class Readme(unittest.TestCase):
    def test_a_section_that_is_not_there(self):
        with self.assertRaisesRegex(SystemExit, "no section 'Gone'"):
            stage.readme_part("# K\n\nfirst\n\n## There\n\nwords\n", "Gone")

    def test_a_row_without_a_command(self):
        with tempfile.TemporaryDirectory() as folder:
            text = "# K\n\n## Measured\n\n| | K |\n| --- | --- |\n| a new row | 1 ns |\n"
            Path(folder, "README.md").write_text(text, encoding="utf-8")
            with self.assertRaisesRegex(SystemExit, "no command for the row 'a new row'"):
                stage.measured(Path(folder))


HEADER = """
<doxygen>
<compounddef id="a" kind="file"><compoundname>a.hpp</compoundname><location file="kasuri/a.hpp"/>
  <briefdescription><para>What a.hpp has.</para></briefdescription></compounddef>
<compounddef id="n" kind="namespace"><compoundname>kasuri</compoundname><sectiondef kind="func">
  <memberdef kind="function" id="f" prot="public"><type>int</type><name>shown</name><argsstring>(int n)</argsstring>
    <param><type>int</type><declname>n</declname></param>
    <briefdescription><para>Counts *n*.</para></briefdescription><location file="kasuri/a.hpp" line="3"/></memberdef>
</sectiondef></compounddef>
</doxygen>
"""


class Reference(unittest.TestCase):
    def missing(self, header, example):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder)
            for path, text in {"include/kasuri/a.hpp": header, "examples/x.cpp": example, "docs/x.md": "",
                               "include/kasuri/kasuri.h": "int kasuri_gone(void);\n"}.items():
                (source / path).parent.mkdir(parents=True, exist_ok=True)
                (source / path).write_text(text, encoding="utf-8")
            known = headers.Reference(list(ElementTree.fromstring(HEADER)))
            return known, [name for name, _ in reference.missing_names(source, known, None)]

    def test_pages_and_what_they_miss(self):
        known, missing = self.missing("int shown(int n);\n", "kasuri::shown(1); kasuri::unknown(2);\n")
        self.assertIn("int shown(int n);", known.pages["a.hpp"])
        self.assertIn(r"Counts \*n\*.", known.pages["a.hpp"])
        self.assertEqual(missing, ["kasuri.h", "kasuri_gone", "kasuri::unknown"])


if __name__ == "__main__":
    unittest.main()
