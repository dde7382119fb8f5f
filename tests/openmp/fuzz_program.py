# SPDX-License-Identifier: Apache-2.0
"""Random OpenMP programs in C whose output is known whatever the schedule.

A node is a piece of C and its meaning: run() does what one thread does that meets it, run_team()
what a whole team does. Everything is arithmetic modulo 2**64 on `totals`, so that members and tasks
may come in any order, or an order that OpenMP promises (ordered, depend, doacross, barriers).
"""

import random

MASK = (1 << 64) - 1
TOTALS = 6
PRIVATE_WORDS = 8192  # of each thread: 64 KiB of thread-locals
FRAME_BYTES = 200_000  # of the one function with a large frame

PRELUDE = """\
#include <omp.h>
#include <stdio.h>

typedef unsigned long ulong;
static ulong totals[%d], locked_totals[%d];
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

static void add(int at, ulong value) {
#pragma omp atomic
  totals[at] += value;
}

static void add_locked(int at, ulong value) {
  omp_set_lock(&lock);
  locked_totals[at] += value;
  omp_unset_lock(&lock);
}

static ulong of_thread[%d];
#pragma omp threadprivate(of_thread)

__attribute__((noinline)) static void add_from_stack(int at, ulong value) {
  volatile char large[%d];
  for (unsigned i = 0; i < sizeof large; i += 4096) large[i] = (char)value;
  add(at, value + (ulong)(unsigned char)large[4096]);
}
"""

# A tree of tasks: each node of depth d adds d + 1, and has two below it. The waits stand in a function, because
# Clang 19 makes wrong code of variables in untied tasks that wait themselves.
TREE = """\
static void %(name)s(int depth, int at) {
  %(before)s
  if (depth > 0) {
#pragma omp task%(clauses)s
    %(name)s(depth - 1, at);
#pragma omp task%(clauses)s
    %(name)s(depth - 1, at);
  }
  %(after)s
  add(at, (ulong)depth + 1);
}
"""
TREES = {"": "tied", " untied": "untied"}
WAITS = {"wait": ("", "\n#pragma omp taskwait\n"), "none": ("", ""),
         "group": ("\n#pragma omp taskgroup\n", ""), "yield": ("", "\n#pragma omp taskyield\n")}
TREE_FUNCTIONS = "\n".join(
    TREE % {"name": f"{name}_{wait}", "before": before, "after": after, "clauses": clauses}
    for clauses, name in TREES.items() for wait, (before, after) in WAITS.items())


class Node:
    """lines: the C text. one: what one thread does; without `team` each member does it."""

    def __init__(self, lines, one, team=None):
        self.lines = lines
        self.one = one
        self.team = team

    def run(self, env):
        self.one(env)

    def run_team(self, env, size):
        if self.team:
            self.team(env, size)
            return
        for member in range(size):
            self.one({**env, "member": member})


class Context:
    """What may stand here: names in scope, whether a team meets it, how deep regions are nested. The team of level
    0 is the one of the initial thread alone, outside all regions."""

    def __init__(self, names=(), in_team=False, level=0, depth=0, in_target=False):
        self.names, self.in_team, self.level, self.depth = tuple(names), in_team, level, depth
        self.in_target = in_target

    def inner(self, *names, in_team=False, level=None, in_target=False):
        level = self.level if level is None else level
        return Context(self.names + names, in_team, level, self.depth + 1,
                       in_target or self.in_target)


def indent(lines):
    return ["  " + line if not line.startswith("#") else line for line in lines]


def block(lines):
    return ["{", *indent(lines), "}"]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.fresh = 0
        # Variables of the program. Not static: GCC 12 keeps those in registers across doacross.
        self.shared = []

    def name(self, prefix):
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    def shared_name(self, prefix, suffix=""):
        name = self.name(prefix)
        self.shared.append(f"ulong {name}{suffix};")
        return name

    def number(self, low=1, high=9):
        return self.random.randint(low, high)

    def choose(self, *options):
        return self.random.choice(options)

    # Expressions: their text and a function from the environment to the value.
    def expression(self, context):
        a, b = self.number(), self.number(0, 99)
        if context.in_team and self.random.random() < 0.4:
            return (f"(ulong)omp_get_thread_num() * {a} + {b}",
                    lambda env: env["member"] * a + b)
        if not context.names:
            return str(a * 100 + b), lambda env: a * 100 + b
        name = self.random.choice(context.names)
        if self.random.random() < 0.3:
            return f"(ulong)({name} * {name}) + {b}", lambda env: (env[name] ** 2 + b) & MASK
        return f"(ulong){name} * {a} + {b}", lambda env: (env[name] * a + b) & MASK

    def schedule(self):
        kind = self.choose("", "static", "static", "dynamic", "guided", "runtime",
                           "nonmonotonic : dynamic", "monotonic : guided")
        if not kind:
            return ""
        chunk = f", {self.number(1, 5)}" if kind != "runtime" and self.random.random() < 0.6 else ""
        return f" schedule({kind}{chunk})"

    def body(self, context, most=3):
        """A few statements: their lines and their nodes."""
        nodes = [self.statement(context) for _ in range(self.number(1, most))]
        return [line for node in nodes for line in node.lines], nodes

    def statement(self, context):
        kinds = [self.leaf, self.leaf, self.critical, self.serial_loop, self.large_frame]
        if context.depth < 4:
            kinds += [self.task_pair, self.dependences, self.group, self.taskloop, self.tasks,
                      self.tree, self.cancelled_group]
            if not context.in_target:
                kinds += [self.target]
            if context.in_team:
                kinds += 2 * [self.loop, self.single, self.sections, self.masked, self.broadcast]
            if context.in_team and context.level <= 1:  # these share variables of the program
                kinds += 2 * [self.reduced_loop, self.phases, self.ordered, self.doacross]
                kinds += [self.cancelled_loop, self.conditional_last, self.task_reduction]
            if context.in_team and not context.in_target:  # where threadprivate variables may not stand
                kinds += [self.private_words]
            if context.level < 2:
                kinds += [self.region, self.region_loop] * (3 if context.level == 0 else 1)
                kinds += [self.cancelled_region]
        return self.random.choice(kinds)(context)

    def leaf(self, context):
        at = self.number(0, TOTALS - 1)
        text, value = self.expression(context)

        def one(env):
            env["totals"][at] += value(env)

        return Node([f"{self.choose('add', 'add_locked')}({at}, {text});"], one)

    def large_frame(self, context):
        at = self.number(0, TOTALS - 1)
        text, value = self.expression(context)

        def one(env):
            env["totals"][at] += value(env) + (value(env) & 255)

        return Node([f"add_from_stack({at}, {text});"], one)

    def private_words(self, context):
        """Each member writes a word of its own copy and finds it again."""
        at, word, factor = (self.number(0, TOTALS - 1), self.number(0, PRIVATE_WORDS - 1),
                            self.number())
        lines = [f"of_thread[{word}] = (ulong)omp_get_thread_num() * {factor} + 1;",
                 "#pragma omp barrier", f"add({at}, of_thread[{word}]);", "#pragma omp barrier"]

        def team(env, size):
            env["totals"][at] += sum(member * factor + 1 for member in range(size))

        return Node(block(lines), None, team)

    def tree(self, context):
        at, depth = self.number(0, TOTALS - 1), self.number(1, 7)
        function = self.choose(*TREES.values()) + "_" + self.choose(*WAITS)

        def one(env):
            env["totals"][at] += sum(2 ** (depth - d) * (d + 1) for d in range(depth + 1))

        return Node([f"{function}({depth}, {at});"], one)

    def target(self, context):
        """On the host. For GCC's programs levels and control variables begin anew in it, so it has one level of
        regions, with numbers of threads of their own."""
        lines, nodes = self.body(context.inner(level=1, in_target=True), 2)
        clauses = self.choose("", "", " thread_limit(8)", " nowait", " if (0)")

        def one(env):
            for node in nodes:
                node.run(env)

        return Node([f"#pragma omp target{clauses}", *block(lines)], one)

    def cancelled_group(self, context):
        """One of its tasks cancels the group, and is not dropped, since nobody else does."""
        at, name, count = self.number(0, TOTALS - 1), self.name("t"), self.number(1, 30)
        found, chosen, value = self.name("found"), self.number(0, count - 1), self.number(1, 999)
        lines = [f"ulong {found} = 0;", "#pragma omp taskgroup",
                 f"for (int {name} = 0; {name} < {count}; {name}++) {{",
                 f"#pragma omp task shared({found}){self.choose('', ' untied', ' if (0)')}",
                 f"  if ({name} == {chosen}) {{", "#pragma omp atomic write", f"    {found} = {value};",
                 "#pragma omp cancel taskgroup", "  } else {",
                 "#pragma omp cancellation point taskgroup", "  }", "}",
                 f"add({at}, {found});"]

        def one(env):
            env["totals"][at] += value

        return Node(block(lines), one)

    def cancelled_loop(self, context):
        name, head, values = self.bounds()
        at, value, found = self.number(0, TOTALS - 1), self.number(1, 999), self.shared_name("found")
        chosen = self.random.choice(values) if values else 0
        schedule = self.schedule()
        lines = ["#pragma omp single", f"{found} = 0;", f"#pragma omp for{schedule}", head,
                 f"  if ({name} == {chosen}) {{", f"    {found} = {value};", "#pragma omp cancel for",
                 "  }", "#pragma omp cancellation point for", "}",
                 "#pragma omp single", f"add({at}, {found});"]

        def team(env, size):
            env["totals"][at] += value if values else 0

        return Node(block(lines), None, team)

    def cancelled_region(self, context):
        """A member cancels before a barrier, which nobody passes then."""
        at, size, factor = self.number(0, TOTALS - 1), self.number(1, 4), self.number()
        chosen = self.number(0, size - 1)
        lines = [f"#pragma omp parallel num_threads({size})", "{",
                 f"  add({at}, (ulong)omp_get_thread_num() * {factor} + 1);", "#pragma omp barrier",
                 f"  if (omp_get_thread_num() == {chosen}) {{", "#pragma omp cancel parallel", "  }",
                 "#pragma omp barrier", f"  add({at}, 1000000);", "}"]

        def one(env):
            env["totals"][at] += sum(member * factor + 1 for member in range(size))

        return Node(lines, one)

    def conditional_last(self, context):
        """Clang 19 makes garbage of the value where the last member has none, under any runtime."""
        name, head, values = self.bounds()
        at, step, last = self.number(0, TOTALS - 1), self.number(2, 5), self.shared_name("last")
        hits = [v for v in values if v % step == 0]
        result = hits[-1] * 3 if hits else 5
        lines = ["#ifdef __clang__", "#pragma omp single", f"{last} = {result};", "#else",
                 "#pragma omp single", f"{last} = 5;",
                 f"#pragma omp for lastprivate(conditional : {last}){self.schedule()}", head,
                 f"  if ({name} % {step} == 0) {last} = (ulong){name} * 3;", "}", "#endif",
                 "#pragma omp single", f"add({at}, {last});"]

        def team(env, size):
            env["totals"][at] += result

        return Node(block(lines), None, team)

    def task_reduction(self, context):
        """Tasks that take part in the reduction of a loop."""
        name, head, values = self.bounds()
        at, total = self.number(0, TOTALS - 1), self.shared_name("sum")
        lines = ["#pragma omp single", f"{total} = 3;",
                 f"#pragma omp for reduction(task, + : {total})", head,
                 f"#pragma omp task in_reduction(+ : {total})", f"  {total} += {name} * 2ul;", "}",
                 "#pragma omp single", f"add({at}, {total});"]

        def team(env, size):
            env["totals"][at] += 3 + sum(2 * v for v in values)

        return Node(block(lines), None, team)

    def orphan(self):
        """What the initial thread meets outside all regions, as a team of one."""
        node = self.statement(Context(in_team=True))

        def one(env):
            node.run_team({**env, "member": 0}, 1)

        return Node(node.lines, one)

    def critical(self, context):
        at = self.number(0, TOTALS - 1)
        text, value = self.expression(context)
        hold = self.choose(["#pragma omp critical"], [f"#pragma omp critical(name{at})"])
        if self.random.random() < 0.3:
            lines = ["omp_set_nest_lock(&nest_lock);", "omp_set_nest_lock(&nest_lock);",
                     f"add({at}, {text});", "omp_unset_nest_lock(&nest_lock);",
                     "omp_unset_nest_lock(&nest_lock);"]
        else:
            lines = [*hold, f"add({at}, {text});"]

        def one(env):
            env["totals"][at] += value(env)

        return Node(lines, one)

    def serial_loop(self, context):
        name, count = self.name("i"), self.number(1, 4)
        lines, nodes = self.body(context.inner(name, in_team=context.in_team), 2)
        head = f"for (int {name} = 0; {name} < {count}; {name}++) {{"

        def one(env):
            for i in range(count):
                for node in nodes:
                    node.run({**env, name: i})

        def team(env, size):
            for i in range(count):
                for node in nodes:
                    node.run_team({**env, name: i}, size)

        return Node([head, *indent(lines), "}"], one, team)

    def region(self, context):
        size = None if context.level == 0 and self.random.random() < 0.6 else self.number(1, 4)
        clause = "" if size is None else f" num_threads({size})"
        if self.random.random() < 0.15:
            size, clause = 1, f" if ({self.number(1, 3)} > 5)"
        lines, nodes = self.body(context.inner(in_team=True, level=context.level + 1))

        def one(env):
            for node in nodes:
                node.run_team(env, env["threads"] if size is None else size)

        return Node([f"#pragma omp parallel{clause}", *block(lines)], one)

    def bounds(self):
        """The head of a loop and the values of its variable."""
        name = self.name("k")
        kind = self.choose("int", "long", "ulong")
        low, high, step = self.number(1, 9), self.number(10, 30), self.number(1, 4)
        if kind != "ulong" and self.random.random() < 0.3:
            head = f"for ({kind} {name} = {high}; {name} > {low}; {name} -= {step}) {{"
            return name, head, range(high, low, -step)
        if self.random.random() < 0.1:
            high = low
        head = f"for ({kind} {name} = {low}; {name} < {high}; {name} += {step}) {{"
        return name, head, range(low, high, step)

    def region_loop(self, context):
        name, head, values = self.bounds()
        lines, nodes = self.body(context.inner(name, level=context.level + 1), 2)
        pragma = f"#pragma omp parallel for num_threads({self.number(1, 4)}){self.schedule()}"

        def one(env):
            for value in values:
                for node in nodes:
                    node.run({**env, name: value})

        return Node([pragma, head, *indent(lines), "}"], one)

    def loop(self, context):
        name, head, values = self.bounds()
        lines, nodes = self.body(context.inner(name), 2)
        nowait = self.choose("", " nowait")
        if self.random.random() < 0.3:
            return self.collapsed_loop(context, nowait)

        def team(env, size):
            for value in values:
                for node in nodes:
                    node.run({**env, name: value})

        return Node([f"#pragma omp for{self.schedule()}{nowait}", head, *indent(lines), "}"],
                    None, team)

    def collapsed_loop(self, context, nowait):
        first, outer_head, outer = self.bounds()
        second, inner_head, inner = self.bounds()
        lines, nodes = self.body(context.inner(first, second), 1)

        def team(env, size):
            for a in outer:
                for b in inner:
                    for node in nodes:
                        node.run({**env, first: a, second: b})

        return Node([f"#pragma omp for collapse(2){self.schedule()}{nowait}", outer_head,
                     "  " + inner_head, *indent(indent(lines)), "  }", "}"], None, team)

    def reduced_loop(self, context):
        """Several operators at once, and the last value (libomp loses those of dynamic loops)."""
        name, head, values = self.bounds()
        at, c = self.number(0, TOTALS - 1), self.number(1, 20)
        total, odd, most, last = (self.shared_name(p) for p in ("sum", "xor", "most", "last"))
        schedule = self.choose("", " schedule(static, 3)", " schedule(guided)")
        lines = ["#pragma omp single", f"{total} = {odd} = {most} = {last} = {c};",
                 f"#pragma omp for reduction(+ : {total}) reduction(^ : {odd}) "
                 f"reduction(max : {most}) lastprivate({last}){schedule}", head,
                 f"  {total} += {name} * 3ul;", f"  {odd} ^= {name} * 5ul;",
                 f"  {most} = {name} > {most} ? {name} : {most};", f"  {last} = {name} + 1ul;", "}",
                 "#pragma omp single",
                 f"add({at}, {total} + 3 * {odd} + 5 * {most} + {7 if values else 0} * {last});"]

        def team(env, size):
            sums = c + sum(3 * v for v in values)
            odds, final = c, c
            for v in values:
                odds ^= 5 * v
                final = v + 1
            last_value = 7 * final if values else 0  # unspecified after no iteration
            env["totals"][at] += sums + 3 * odds + 5 * max([c, *values]) + last_value

        return Node(block(lines), None, team)

    def single(self, context):
        lines, nodes = self.body(context.inner())
        pragma = f"#pragma omp single{self.choose('', ' nowait')}"

        def team(env, size):
            for node in nodes:
                node.run(env)

        return Node([pragma, *block(lines)], None, team)

    def masked(self, context):
        lines, nodes = self.body(context.inner(), 2)

        def team(env, size):
            for node in nodes:
                node.run(env)

        return Node(["#pragma omp masked", *block(lines)], None, team)

    def broadcast(self, context):
        name, at, value = self.name("b"), self.number(0, TOTALS - 1), self.number(1, 1000)
        lines = [f"ulong {name} = 0;", f"#pragma omp single copyprivate({name})",
                 f"{name} = {value};", f"add({at}, {name});"]

        def team(env, size):
            env["totals"][at] += value * size

        return Node(block(lines), None, team)

    def sections(self, context):
        lines, nodes = [], []
        for _ in range(self.number(1, 4)):
            some, more = self.body(context.inner(), 2)
            lines += ["#pragma omp section", *block(some)]
            nodes += more

        def team(env, size):
            for node in nodes:
                node.run(env)

        pragma = f"#pragma omp sections{self.choose('', ' nowait')}"
        return Node([pragma, *block(lines)], None, team)

    def phases(self, context):
        """Each member writes its cell, then reads its neighbour's, in turns kept by barriers."""
        at, rounds = self.number(0, TOTALS - 1), self.number(1, 4)
        name = self.shared_name("cells", "[64]")
        lines = ["int me = omp_get_thread_num(), size = omp_get_num_threads();",
                 f"for (int round = 1; round <= {rounds}; round++) {{",
                 f"  {name}[me] = (ulong)(me * 10 + round);", "#pragma omp barrier",
                 f"  add({at}, {name}[(me + 1) % size] * (ulong)round);",
                 "#pragma omp barrier", "}"]

        def team(env, size):
            for turn in range(1, rounds + 1):
                for member in range(size):
                    env["totals"][at] += ((member + 1) % size * 10 + turn) * turn

        return Node(block(lines), None, team)

    def in_turns(self, context, pragma, head, name, values, enter, leave):
        """A loop whose iterations multiply and add in their order."""
        at, chain = self.number(0, TOTALS - 1), self.shared_name("chain")
        lines = ["#pragma omp single", f"{chain} = 1;", pragma, head,
                 *enter, f"  {chain} = {chain} * 31 + (ulong){name};", *leave, "}",
                 "#pragma omp single", f"add({at}, {chain});"]

        def team(env, size):
            value = 1
            for i in values:
                value = (value * 31 + i) & MASK
            env["totals"][at] += value

        return Node(block(lines), None, team)

    def ordered(self, context):
        name, head, values = self.bounds()
        schedule = self.schedule().replace("nonmonotonic : ", "")
        return self.in_turns(context, f"#pragma omp for ordered{schedule}", head, name, values,
                             ["#pragma omp ordered"], [])

    def doacross(self, context):
        name, count = self.name("k"), self.number(5, 25)
        head = f"for (long {name} = 1; {name} < {count}; {name}++) {{"
        return self.in_turns(context, f"#pragma omp for ordered(1){self.schedule()}".replace(
            "nonmonotonic : ", ""), head, name, range(1, count),
            [f"#pragma omp ordered depend(sink : {name} - 1)"],
            ["#pragma omp ordered depend(source)"])

    def task_clauses(self, body=()):
        clause = self.choose("", "", "", " untied", " mergeable", " if (0)", " final(1)",
                             f" priority({self.number()})")
        if clause == " untied" and any("#pragma omp" in line for line in body):
            return ""  # Clang 19 makes wrong code of variables in untied tasks that wait
        return clause

    def tasks(self, context):
        """Tasks that nobody waits for here."""
        name, count = self.name("t"), self.number(1, 12)
        lines, nodes = self.body(context.inner(name), 2)

        def one(env):
            for i in range(count):
                for node in nodes:
                    node.run({**env, name: i})

        pragma = f"#pragma omp task{self.task_clauses(lines)}"
        return Node([f"for (int {name} = 0; {name} < {count}; {name}++) {{", pragma, *indent(
            block(lines)), "}"], one)

    def task_pair(self, context):
        at, left, right = self.number(0, TOTALS - 1), self.name("left"), self.name("right")
        lines, nodes = self.body(context.inner(), 2)
        a, b = self.number(1, 1000), self.number(1, 1000)
        text = [f"ulong {left} = 0, {right} = 0;",
                f"#pragma omp task shared({left}){self.task_clauses(lines)}",
                *block([*lines, f"{left} = {a};"]),
                f"#pragma omp task shared({right}){self.task_clauses()}", f"{right} = {b};",
                self.choose("#pragma omp taskyield", "#pragma omp flush"),
                "#pragma omp taskwait", f"add({at}, {left} * 3 + {right});"]

        def one(env):
            for node in nodes:
                node.run(env)
            env["totals"][at] += a * 3 + b

        return Node(block(text), one)

    def dependences(self, context):
        """A random graph over a few cells; its meaning is the order of the program."""
        at, cells, count = self.number(0, TOTALS - 1), self.name("cells"), self.number(2, 4)
        lines = [f"ulong {cells}[{count}] = {{0}};"]
        steps = []
        for _ in range(self.number(3, 12)):
            target, source, c = self.number(0, count - 1), self.number(0, count - 1), self.number()
            to, come = f"{cells}[{target}]", f"{cells}[{source}]"
            if self.random.random() < 0.25:
                lines += [f"#pragma omp task depend(mutexinoutset : {to}) shared({cells})",
                          f"{to} += {c};"]
                steps.append(lambda v, t=target, c=c: v.__setitem__(t, v[t] + c))
                continue
            kinds = f"depend(inout : {to})" + (f" depend(in : {come})" if source != target else "")
            lines += [f"#pragma omp task {kinds} shared({cells}){self.task_clauses()}",
                      f"{to} = {to} * 7 + {come} + {c};"]
            steps.append(lambda v, t=target, s=source, c=c: v.__setitem__(
                t, (v[t] * 7 + v[s] + c) & MASK))
            if self.random.random() < 0.15:
                lines += [f"#pragma omp taskwait depend(in : {to})"]
        lines += ["#pragma omp taskwait", *(f"add({at}, {cells}[{i}] * {i + 1});"
                                            for i in range(count))]

        def one(env):
            values = [0] * count
            for step in steps:
                step(values)
            env["totals"][at] += sum(v * (i + 1) for i, v in enumerate(values))

        return Node(block(lines), one)

    def group(self, context):
        at, total, name, count = (self.number(0, TOTALS - 1), self.name("sum"), self.name("t"),
                                  self.number(1, 15))
        lines, nodes = self.body(context.inner(name), 2)
        text = [f"ulong {total} = 5;", f"#pragma omp taskgroup task_reduction(+ : {total})",
                f"for (int {name} = 0; {name} < {count}; {name}++) {{",
                f"#pragma omp task in_reduction(+ : {total})",
                *indent(block([f"{total} += (ulong){name} * 2;", *lines])), "}",
                f"add({at}, {total});"]

        def one(env):
            for i in range(count):
                for node in nodes:
                    node.run({**env, name: i})
            env["totals"][at] += 5 + count * (count - 1)

        return Node(block(text), one)

    def taskloop(self, context):
        at, total = self.number(0, TOTALS - 1), self.name("sum")
        name, head, values = self.bounds()
        clause = self.choose("", f" grainsize({self.number(1, 6)})",
                             f" num_tasks({self.number(1, 9)})")
        lines, nodes = self.body(context.inner(name), 1)
        text = [f"ulong {total} = 1;", f"#pragma omp taskloop reduction(+ : {total}){clause}", head,
                f"  {total} += (ulong){name};", *indent(lines), "}", f"add({at}, {total});"]

        def one(env):
            for value in values:
                for node in nodes:
                    node.run({**env, name: value})
            env["totals"][at] += 1 + sum(values)

        return Node(block(text), one)


def generate(seed):
    """The text of a program, and a function from OMP_NUM_THREADS to what it must print."""
    generator = Generator(seed)
    nodes = [generator.orphan() if generator.random.random() < 0.4 else generator.region(Context())
             for _ in range(generator.number(2, 5))]
    lines = [line for node in nodes for line in node.lines]
    text = "\n".join([
        "// seed " + str(seed), PRELUDE % (TOTALS, TOTALS, PRIVATE_WORDS, FRAME_BYTES),
        TREE_FUNCTIONS, *generator.shared, "", "int main(void) {",
        "  omp_set_max_active_levels(3);", "  omp_init_lock(&lock);",
        "  omp_init_nest_lock(&nest_lock);", *indent(lines),
        f"  for (int i = 0; i < {TOTALS}; i++) {{",
        '    printf("%lu\\n", totals[i] + locked_totals[i]);', "  }", "}", ""])

    def answer(threads):
        totals = [0] * TOTALS
        for node in nodes:
            node.run({"totals": totals, "threads": threads})
        return "".join(f"{value & MASK}\n" for value in totals)

    return text, answer
