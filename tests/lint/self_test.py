#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each lint passes a small clean tree and fails when one rule is broken in it."""

import pathlib
import shutil
import tempfile
import unittest

import cxx_functions
import documentation
import form
import frames_life
import house_rules
import include_rule
import memory_orders
import one_kernel
import plain_words

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"

CLEAN = {
    "include/kasuri/version.hpp": SPDX + "#pragma once\n#include <cstdint>\n",
    "include/kasuri/kasuri.h": SPDX + '#ifdef __cplusplus\nextern "C" {\n#endif\n',
    "include/kasuri/detail/export.hpp": SPDX + "#pragma once\n",
    "include/kasuri/detail/worker.hpp": SPDX + "#include <kasuri/detail/export.hpp>\n",
    "include/kasuri/task.hpp": SPDX + "#include <kasuri/detail/worker.hpp>\n#include <tuple>\n",
    "src/platform/thread/park.hpp": SPDX + "#include <linux/futex.h>\n#include <kasuri/version.hpp>\n",
    "src/platform/cpu/cpu.hpp": SPDX + "#if defined(__x86_64__)\n#endif\n",
    "src/context/stack.hpp": SPDX + '#include "platform/thread/park.hpp"\n',
    "src/record/format.hpp": SPDX,
    "src/record/ring.hpp": SPDX + '#include "record/format.hpp"\n#include "../context/stack.hpp"\n',
    "src/sched/pool/pool.hpp": SPDX + '#include "record/ring.hpp"\n#include <kasuri/task.hpp>\n',
    "src/task/group.cpp": SPDX + '#include "sched/pool/pool.hpp"\n#include <kasuri/task.hpp>\n',
    "src/omp/abi/api.cpp": SPDX + '#include "task/group.hpp"\n',
    "src/task/group.hpp": SPDX,
    "src/cluster/memory/heap.hpp": SPDX,
    "tools/trace/trace.cpp": SPDX + '#include "record/format.hpp"\n',
    "bench/fib/fib.cpp": SPDX + "#include <kasuri/task.hpp>\n",
    "tests/unit/sched/pool/pool_test.cpp": SPDX + '#include "sched/pool/pool.hpp"\n#include <gtest/gtest.h>\n',
    "examples/fib.cpp": SPDX + "int main() {\n  // Body:\n  return 0;\n  // end\n}\n",
    "README.md": "<!-- examples/fib.cpp: Body -->\n```cpp\nreturn 0;\n```\nhttps://github.com/x\n",
    "src/sched/kernel/deque.cpp": SPDX + """
#include <atomic>
constexpr auto acquire = std::memory_order_acquire;
std::atomic<int> top{0};
struct latch { void release(int n); };
int look(latch& l) {
  // pairs with the release in publish()
  int seen = top.load(std::memory_order_acquire);
  seen += top.load(acquire);  // pairs with publish()
  /* The fence pairs
     with that of the thief. */
  std::atomic_thread_fence(
      std::memory_order_seq_cst);
  l.release(1);
  int next = top.load(std::memory_order_relaxed);  // relaxed: after the fence above
  // relaxed: nobody else writes it
  top.store(next + 1, std::memory_order_relaxed);
  const char* text = "top.load()";
  return seen == text[0];
}
""",
}


class LintCase(unittest.TestCase):
    """Subclasses name the lint; `broken` overlays files on the clean tree."""

    lint = None

    def findings(self, broken):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**CLEAN, **broken}.items():
                path = pathlib.Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return [f"{p}: {m}" for p, _, m in self.lint.check(pathlib.Path(root))]

    def assert_caught(self, name, text, message):
        """The text in file name is the tree's one finding; the clean tree has none."""
        self.assertEqual(self.findings({}), [])
        found = self.findings({name: text})
        self.assertEqual(len(found), 1, found)
        self.assertIn(name, found[0])
        self.assertIn(message, found[0])


class IncludeRule(LintCase):
    lint = include_rule

    def test_floor_below_includes_floor_above(self):
        self.assert_caught("src/context/x.hpp", SPDX + '#include "sched/pool/pool.hpp"\n', "floor 2")

    def test_relative_path_does_not_hide_it(self):
        self.assert_caught("src/record/x.hpp", SPDX + '#include "../task/group.hpp"\n', "floor 3")

    def test_low_floor_sees_no_inlined_part(self):
        self.assert_caught("src/record/x.hpp", SPDX + "#include <kasuri/task.hpp>\n", "floor 3")

    def test_front_ends_do_not_meet(self):
        text = SPDX + '#include "cluster/memory/heap.hpp"\n'
        self.assert_caught("src/omp/work/x.cpp", text, "never include each other")

    def test_room_below_includes_room_above(self):
        rooms = {"src/sched/kernel/deque.hpp": SPDX + '#include "sched/pool/wake.hpp"\n', "src/sched/pool/wake.hpp": SPDX}
        found = self.findings(rooms)
        self.assertEqual(len(found), 1, found)
        self.assertIn("room kernel includes", found[0])
        rooms = {"src/sched/kernel/deque.hpp": SPDX, "src/sched/pool/wake.hpp": SPDX + '#include "sched/kernel/deque.hpp"\n'}
        self.assertEqual(self.findings(rooms), [])

    def test_file_in_no_room(self):
        for name in ("src/omp/x.cpp", "src/platform/x.hpp", "src/cluster/misc/x.cpp", "tests/unit/sched/x_test.cpp",
                     "tests/unit/omp/misc/x_test.cpp"):
            self.assert_caught(name, SPDX, "lies in no room of")
        self.assertEqual(self.findings({"src/record/x.cpp": SPDX, "tests/unit/task/x_test.cpp": SPDX}), [])

    def test_folders_in_a_circle(self):
        files = {"src/omp/abi/gomp/a.hpp": SPDX + '#include "omp/abi/kmpc/b.hpp"\n',
                 "src/omp/abi/kmpc/b.hpp": SPDX,
                 "src/omp/abi/kmpc/c.cpp": SPDX + '#include "omp/abi/gomp/d.hpp"\n',
                 "src/omp/abi/gomp/d.hpp": SPDX}
        found = self.findings(files)
        self.assertEqual(len(found), 1, found)
        self.assertIn("src/omp/abi/kmpc includes src/omp/abi/gomp", found[0])
        self.assertEqual(self.findings({**files, "src/omp/abi/kmpc/c.cpp": SPDX}), [])

    def test_crowded_folder(self):
        files = {f"src/omp/work/{n}.cpp": SPDX for n in range(20)}
        self.assertEqual(self.findings(files), [])
        found = self.findings({**files, "src/omp/work/README.md": "text\n"})
        self.assertEqual(len(found), 1, found)
        self.assertIn("src/omp/work: 21 files", found[0])

    def test_unknown_floor(self):
        self.assert_caught("src/misc/x.cpp", SPDX + '#include "task/group.hpp"\n', "no floor")

    def test_library_includes_no_test(self):
        text = SPDX + '#include "tests/support/x.hpp"\n'
        found = self.findings({"src/task/x.cpp": text, "tests/support/x.hpp": SPDX})
        self.assertEqual(len(found), 1, found)
        self.assertIn("above all floors", found[0])

    def test_public_header_stands_alone(self):
        text = SPDX + '#include "../../src/record/ring.hpp"\n'
        self.assert_caught("include/kasuri/x.hpp", text, "a public header")
        text = SPDX + "#include <hwloc.h>\n"
        self.assert_caught("include/kasuri/detail/x.hpp", text, "standard library")

    def test_adapter_includes_its_system(self):
        text = SPDX + "#include <lace.h>\n"
        self.assertEqual(self.findings({"include/kasuri/model/lace.hpp": text}), [])
        self.assert_caught("include/kasuri/model.hpp", text, "standard library")

    def test_reader_of_recordings(self):
        text = SPDX + '#include "sched/pool/pool.hpp"\n'
        self.assert_caught("tools/trace/x.cpp", text, "what reads recordings")

    def test_users_see_the_public_face(self):
        for name in ("bench/x/x.cpp", "examples/x.cpp", "tests/package/cpp/main.cpp"):
            self.assert_caught(name, SPDX + '#include "sched/pool/pool.hpp"\n', "public face")
            self.assert_caught(name, SPDX + "#include <kasuri/detail/worker.hpp>\n", "public face")

    def test_unit_test_of_one_floor(self):
        text = SPDX + '#include "sched/pool/pool.hpp"\n'
        self.assert_caught("tests/unit/context/x_test.cpp", text, "floor 2")

    def test_missing_file(self):
        self.assert_caught("src/task/x.cpp", SPDX + '#include "gone.hpp"\n', "not in the tree")

    def test_commented_include_is_none(self):
        text = SPDX + '// #include "sched/pool/pool.hpp"\n/*\n#include "sched/pool/pool.hpp"\n*/\n'
        self.assertEqual(self.findings({"src/platform/base/x.hpp": text}), [])


class MemoryOrders(LintCase):
    lint = memory_orders
    partner = 'without a comment "pairs with'

    def assert_line_caught(self, line, message):
        text = SPDX + "std::atomic<int> a; std::atomic<bool> flags[4];\nvoid f() {\n" + line + "\n}\n"
        self.assert_caught("src/task/x.cpp", text, message)
        self.assert_caught("include/kasuri/detail/x.hpp", text, message)

    def test_order_without_partner(self):
        for order in ("memory_order_acquire", "memory_order_release", "memory_order_acq_rel",
                      "memory_order_seq_cst", "memory_order::release"):
            self.assert_line_caught(f"g(a.exchange(1, std::{order}));", self.partner)

    def test_alias_without_partner(self):
        self.assert_line_caught("a.load(acquire);", self.partner)

    def test_fence_without_partner(self):
        self.assert_line_caught("atomics::fence_heavy();", self.partner)
        self.assert_line_caught("std::atomic_thread_fence(order);", self.partner)

    def test_comment_too_far_above(self):
        line = "// pairs with g\nx();\ny();\nz();\na.load(std::memory_order_acquire);"
        self.assert_line_caught(line, self.partner)

    def test_partner_in_a_string_does_not_count(self):
        line = 'a.store(g("pairs with"), std::memory_order_release);'
        self.assert_line_caught(line, self.partner)

    def test_a_comment_serves_one_access(self):
        line = "// pairs with g\na.load(std::memory_order_acquire);\na.load(std::memory_order_acquire);"
        self.assert_line_caught(line, self.partner)
        line = "// pairs with g\ng(a.load(std::memory_order_acquire), a.load(std::memory_order_acquire));"
        self.assert_line_caught(line, self.partner)
        line = "// pairs with g\na.load(std::memory_order_acquire);  // pairs with h"
        self.assert_line_caught(line, "a second comment")

    def test_one_access_on_two_lines(self):
        text = SPDX + "std::atomic<int> a;\nvoid f(int x) {\n  // pairs with g\n  a.compare_exchange_strong(x, 1,\n" \
            "    std::memory_order_acq_rel,\n    std::memory_order_acquire);\n}\n"
        self.assertEqual(self.findings({"src/task/x.cpp": text}), [])

    fence = "atomics::fence_full();  // pairs with g\n"
    load = "a.load(std::memory_order_relaxed);"

    def test_relaxed_beside_a_fence(self):
        self.assert_line_caught(self.load + "\n" + self.fence, 'without a comment "relaxed:')
        self.assert_line_caught(f"// relaxed: a hint\n{self.load}\n{self.load}\n{self.fence}", "of its own")

    def test_fence_that_is_not_there(self):
        self.assert_line_caught(f"{self.load}  // relaxed: after the fence above\n{self.fence}", "no fence above")
        self.assert_line_caught(f"{self.fence}{self.load}  // relaxed: before the fence below", "no fence below")
        self.assert_line_caught(f"{self.load}  // relaxed: after the fence above", "no fence above")

    def test_fence_of_another_function(self):
        self.assert_line_caught(f"{self.load}  // relaxed: after the fence in f()", "has no function f with a fence")
        self.assert_line_caught(f"{self.load}  // relaxed: before the fence in there", "names no function")
        self.assert_line_caught(f"{self.load}  // relaxed: before the fence in g() of sched/none.cpp", "no such file")
        named = "// relaxed: before the fences in take() and look() of sched/kernel/deque.cpp\n"
        self.assert_line_caught(named + self.load, "sched/kernel/deque.cpp has no function take")
        text = SPDX + "std::atomic<int> a;\nvoid h() {\n" + self.fence + "}\nvoid f() {\n" \
            "// relaxed: before the fence in look() of\n// sched/kernel/deque.cpp and h(), which see it\n" + self.load + "\n}\n"
        self.assertEqual(self.findings({"src/task/x.cpp": text}), [])

    def test_default_order(self):
        for call in ("a.load()", "a.store(1)", "p->fetch_add(g(1, 2))", "a.exchange(\n  1)",
                     "a.compare_exchange_strong(x, y)"):
            self.assert_line_caught(call + ";", "without a memory order")

    def test_operator_on_atomic(self):
        for use in ("++a", "a += 2", "a = 7", "flags[1] = true", "a--"):
            self.assert_line_caught(use + ";", "is seq_cst")


class Functions(unittest.TestCase):
    def names(self, code):
        return [f.name for f in cxx_functions.functions(code)]

    def test_what_is_a_function(self):
        for code in ("void f() {}", "[[nodiscard]] bool f(int (*g)()) const noexcept { if (x) { y(); } }",
                     "template <class T>\nrequires small<T>\nauto f(T t) -> int { return [t](int i) { return t + i; }(1); }",
                     "struct s { void f() {} };", "namespace n { int a[] = {1, 2};\nvoid f() { for (;;) {} } }"):
            self.assertEqual(self.names(code), ["f"], code)
        self.assertEqual(self.names("s::s(int a) : a_(a) {}\ns::~s() {}"), ["s::s", "s::~s"])
        self.assertEqual(self.names("bool operator==(s, s) { return true; }"), ["operator=="])

    def test_their_lines(self):
        found = cxx_functions.functions("int x;\n\nvoid\nf() {\n}\nvoid g() {}")
        self.assertEqual([(f.first, f.last) for f in found], [(2, 4), (5, 5)])


class HouseRules(LintCase):
    lint = house_rules

    def test_marks(self):
        for mark in ("TODO", "FIXME", "XXX", "HACK"):
            self.assert_caught("src/task/x.cpp", SPDX + f"// {mark}: later\n", "unfinished")

    def test_long_file(self):
        self.assert_caught("src/task/x.cpp", SPDX + "\n" * 700, "701 lines")
        self.assertEqual(self.findings({"src/task/x.cpp": SPDX + "\n" * 699}), [])

    def test_conditionals(self):
        for line in ("#if X", "#ifdef __cplusplus", "# ifndef X", "#elif X"):
            self.assert_caught("src/sched/pool/x.hpp", SPDX + line + "\n", "conditional compilation")
        self.assert_caught("include/kasuri/x.h", SPDX + "#ifdef _GNU_SOURCE\n", "conditional")

    def test_licence(self):
        self.assert_caught("src/task/x.cpp", "int x;\n" + SPDX, "the first line must be")
        self.assert_caught("bench/plot.py", "#!/usr/bin/env python3\n", "the first line must be")

    def test_private_places(self):
        self.assert_caught("docs/x.md", "see `/home/someone/kasuri`\n", "path of one machine")
        self.assert_caught("cmake/x.cmake", "set(x /scratch/build)\n", "path of one machine")
        self.assert_caught("docs/x.md", "from https://mirror.internal/x\n", "public sites")
        self.assertEqual(self.findings({"docs/y.md": "`/proc/self/maps`, ${root}/src, a/b/c\n"}), [])


class Documentation(LintCase):
    lint = documentation

    def test_block_without_file(self):
        self.assert_caught("docs/x.md", "```cpp\nint x;\n```\n", "names no file")

    def test_python(self):
        self.assert_caught("docs/x.md", "```python\nx = 1\n```\n", "names no file")
        part = "<!-- examples/x.py: Part -->\n```python\n{}\n```\n"
        source = "# SPDX-License-Identifier: Apache-2.0\nif True:\n    # Part:\n    x = 1\n    # end\n"
        self.assertEqual(self.findings({"examples/x.py": source, "docs/x.md": part.format("x = 1")}), [])
        found = self.findings({"examples/x.py": source, "docs/x.md": part.format("x = 2")})
        self.assertTrue(any("differs from examples/x.py" in f for f in map(str, found)), found)

    def test_block_differs(self):
        text = "<!-- examples/fib.cpp: Body -->\n```cpp\nreturn 1;\n```\n"
        self.assert_caught("docs/x.md", text, "differs from examples/fib.cpp")

    def test_missing_part(self):
        text = "<!-- examples/fib.cpp: Other -->\n```cpp\nreturn 0;\n```\n"
        self.assert_caught("docs/x.md", text, "no such file or part")

    def test_link_into_nowhere(self):
        self.assert_caught("docs/x.md", "see [this](../examples/gone.cpp#part)\n", "leads nowhere")
        text = "[a](../README.md#x) [b](https://github.com/x) [c](#here) [d](../examples)\n"
        self.assertEqual(self.findings({"docs/x.md": text}), [])


class FramesLife(LintCase):
    lint = frames_life
    page = "docs/design/a-frames-life.md"

    def walk(self, *stations, promise="At most 1 files."):
        rows = "".join(f"| A | `{file}` | `{function}` | runs |\n" for file, function in stations)
        return f"## A walk\n\n{promise}\n\n{rows}"

    def findings(self, broken):
        return super().findings({self.page: self.walk(("src/sched/kernel/deque.cpp", "look")), **broken})

    def test_a_station_that_is_not_there(self):
        self.assert_caught(self.page, self.walk(("src/sched/kernel/none.cpp", "look")), "no such file")
        self.assert_caught(self.page, self.walk(("src/sched/kernel/deque.cpp", "steal")), "has no steal")

    def test_a_walk_that_is_too_long(self):
        self.assert_caught(self.page, self.walk(("src/sched/kernel/deque.cpp", "look"), ("src/sched/pool/pool.hpp", "include")),
                           "one file more")
        self.assert_caught(self.page, self.walk(("src/sched/kernel/deque.cpp", "look"), promise=""), "promises no number")


class PlainWords(LintCase):
    lint = plain_words
    file = "src/sched/pool/pool.hpp"

    def test_sentences_that_hide_their_subject(self):
        for sentence in ("// What a thread has pushed.\n", "int x;  // whoever gets it owns it\n",
                         "// The owner pushes.\n// Who takes it runs it.\n"):
            self.assert_caught(self.file, SPDX + sentence, "hide their subject")

    def test_plain_sentences_and_code(self):
        text = SPDX + "// A thief takes those frames.\n// What is next?\nint who;  // the owner of it\n"
        self.assertEqual(self.findings({self.file: text}), [])


class OneKernel(LintCase):
    lint = one_kernel
    seats = {
        "src/sched/kernel/victim.hpp": "bool a = d.steal(f);\nbool b = d->rescue();\n",
        "src/sched/kernel/publish.hpp": "void f() { own.answer(); }\n",
        "src/sched/kernel/parking_lot.hpp": "void f() { count_.fetch_add(1, std::memory_order_relaxed); }\n",
        "src/sched/kernel/wait_queue.hpp": "void f() { last->next = n; }\n",
        "src/sched/kernel/random.hpp": "void f() { state ^= state << 13; }\n",
        "include/kasuri/detail/group_count.hpp": "void f() { elsewhere_.fetch_add(n, order); }\n",
    }

    def findings(self, broken):
        return super().findings({**{name: SPDX + text for name, text in self.seats.items()}, **broken})

    def test_a_second_implementation(self):
        for text in self.seats.values():
            for line in text.splitlines():
                self.assert_caught("src/omp/api.cpp", SPDX + line + "\n", "once")

    def test_an_idea_that_has_left_its_seat(self):
        for name in self.seats:
            self.assertIn("nothing here does it any more", self.findings({name: SPDX})[0])


@unittest.skipUnless(shutil.which("clang-format-19"), "there is no clang-format-19")
class Form(unittest.TestCase):
    def findings(self, text):
        with tempfile.TemporaryDirectory() as root:
            path = pathlib.Path(root, "src", "a.cpp")
            path.parent.mkdir()
            path.write_text(text)
            pathlib.Path(root, ".clang-format").write_text("BasedOnStyle: Google\n")
            return [m for _, _, m in form.check(pathlib.Path(root), "clang-format-19")]

    def test_form_and_width(self):
        self.assertEqual(self.findings("int a;\n"), [])
        self.assertIn("not in the form", self.findings("int  a;\n")[0])
        self.assertEqual(self.findings(f"// {'x' * 98}\n"), ["101 columns; the limit is 100"])


if __name__ == "__main__":
    unittest.main()
