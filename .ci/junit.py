#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""junit.py FILE: "PASSED FAILED SKIPPED", then the end of the output of every test that failed."""

import sys
import xml.etree.ElementTree as xml

LAST_LINES = 30

suite = xml.parse(sys.argv[1]).getroot()
tests, failures, skipped, disabled = (
    int(suite.get(key, 0)) for key in ("tests", "failures", "skipped", "disabled"))
unused = skipped + disabled
print(tests - failures - unused, failures, unused)
for case in suite.iter("testcase"):
    if case.get("status") == "fail":
        output = (case.findtext("system-out") or "").rstrip().split("\n")
        print(f"--- {case.get('name')} failed:", *output[-LAST_LINES:], sep="\n")
