# SPDX-License-Identifier: Apache-2.0
"""Suspended threads of Kasuri in gdb.

  info kasuri     workers, and every suspended thread with what it waits for
  kasuri bt N     backtrace of suspended thread N of that list

Load it with "source kasuri-gdb.py"; installed next to the library, gdb loads it by itself from
folders that it trusts (set auto-load safe-path). It needs no debug information of the library: the
symbol kasuri_debugger_map tells where things are (src/task/debugger_map.cpp).
"""

import struct

import gdb
import gdb.unwinder

FIELDS = (
    "version slabs workers reason_names reason_count stagger stagger_colours "
    "slab_next slab_start slab_stride slab_stacks slab_cut "
    "stack_bytes stack_low stack_waiting suspended_context "
    "suspended_reason worker_older worker_index worker_tid worker_has_thread worker_asleep "
    "worker_native_stack"
).split()
VERSION = 2

# What a saved context holds, by architecture: registers with their offsets from the saved stack
# pointer (see the pictures in src/context/switch_*.S), and how far above it the stack goes on.
CONTEXTS = {
    "i386:x86-64": (
        {"r15": 0, "r14": 8, "r13": 16, "r12": 24, "rbx": 32, "rbp": 40, "rip": 48}, "rsp", 56),
    "aarch64": (
        dict({f"x{19 + i}": 8 * i for i in range(11)}, pc=88), "sp", 160),
}


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def word(address):
    return struct.unpack("<Q", read(address, 8))[0]


def number(address):
    return struct.unpack("<i", read(address, 4))[0]


def text(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string()


class Map:
    """kasuri_debugger_map of the program."""

    def __init__(self):
        try:
            self.address = int(gdb.parse_and_eval("(unsigned long)&kasuri_debugger_map"))
        except gdb.error:
            raise gdb.GdbError("kasuri: the program does not use Kasuri, or is not running")
        values = struct.unpack(f"<{len(FIELDS)}Q", read(self.address, 8 * len(FIELDS)))
        self.__dict__.update(zip(FIELDS, values))
        if self.version != VERSION:
            raise gdb.GdbError(f"kasuri: this script reads version {VERSION} of the library's map, "
                               f"the library has version {self.version}")

    def reason(self, suspended):
        code = read(suspended + self.suspended_reason, 1)[0]
        if code >= self.reason_count:
            return f"reason {code}"
        return text(word(self.reason_names + 8 * code))

    def all_workers(self):
        worker = word(self.workers)
        found = []
        while worker:
            found.insert(0, worker)
            worker = word(worker + self.worker_older)
        return found

    def all_stacks(self):
        slab = word(self.slabs)
        while slab:
            start = word(slab + self.slab_start)
            stride = word(slab + self.slab_stride)
            stacks, cut = word(slab + self.slab_stacks), word(slab + self.slab_cut)
            for i in range(stacks - cut, stacks):
                end = start + stride * (i + 1) - self.stagger * (i % self.stagger_colours)
                yield (end - self.stack_bytes) & ~63
            slab = word(slab + self.slab_next)

    def has_record(self, stack):
        """Whether the memory of a stack is there: its record names where the stack begins."""
        try:
            return word(stack + self.stack_low) != 0
        except gdb.MemoryError:
            return False

    def suspended_threads(self):
        stacks = [worker + self.worker_native_stack for worker in self.all_workers()]
        ours = list(self.all_stacks())
        there = [stack for stack in ours if self.has_record(stack)]
        if len(there) != len(ours):
            print(f"kasuri: the core file lacks the memory of {len(ours) - len(there)} stacks, and so "
                  "the threads on them: gcore leaves out mappings with guard pages; take a core of "
                  "the kernel, or run the program with KASURI_GUARD_PAGES=off")
        waiting = (word(stack + self.stack_waiting) for stack in stacks + there)
        return [suspended for suspended in waiting if suspended]


class InfoKasuri(gdb.Command):
    """Workers of Kasuri, and its suspended threads with what each waits for."""

    def __init__(self):
        super().__init__("info kasuri", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        m = Map()
        for worker in m.all_workers():
            state = "runs"
            if not read(worker + m.worker_has_thread, 1)[0]:
                state = "has no thread"
            elif number(worker + m.worker_asleep) == 1:
                state = "sleeps"
            index, tid = number(worker + m.worker_index), number(worker + m.worker_tid)
            print(f"worker {index} (LWP {tid}) {state}")
        threads = m.suspended_threads()
        print(f"{len(threads)} suspended threads")
        for i, suspended in enumerate(threads, 1):
            print(f"{i:5}  {suspended:#x}  waits for: {m.reason(suspended)}")


class Kasuri(gdb.Command):
    """Commands about the suspended threads of Kasuri: kasuri bt N."""

    def __init__(self):
        super().__init__("kasuri", gdb.COMMAND_STACK, prefix=True)


class KasuriBacktrace(gdb.Command):
    """kasuri bt N: backtrace of suspended thread N of "info kasuri".

    In a process, sets the registers of the selected thread to those saved, walks, and sets them back.
    The registers of a core file cannot be set: there the saved ones are given to gdb as those of the
    caller of the selected thread's newest frame."""

    def __init__(self):
        super().__init__("kasuri bt", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        m = Map()
        threads = m.suspended_threads()
        if not argument.isdigit() or not 1 <= int(argument) <= len(threads):
            raise gdb.GdbError(f"kasuri bt {argument}: no such thread; accepted: 1 to "
                               f"{len(threads)} (info kasuri)")
        architecture = gdb.selected_frame().architecture().name()
        if architecture not in CONTEXTS:
            raise gdb.GdbError(f"kasuri bt: contexts of {architecture} are not known here")
        gdb.newest_frame().select()
        saved = word(threads[int(argument) - 1] + m.suspended_context)
        registers, stack_pointer, above = CONTEXTS[architecture]
        values = {name: word(saved + offset) for name, offset in registers.items()}
        values[stack_pointer] = saved + above
        if "core dump file" in gdb.execute("info target", to_string=True):
            show_callers(values)
        else:
            with_registers(values, lambda: gdb.execute("bt"))


class SavedCaller(gdb.unwinder.Unwinder):
    """Says that the newest frame was called from where a suspended thread stands."""

    def __init__(self, values):
        super().__init__("kasuri-suspended")
        self.values = values
        self.stack_pointer = CONTEXTS[gdb.newest_frame().architecture().name()][1]
        self.newest = int(gdb.newest_frame().read_register(self.stack_pointer))

    def __call__(self, pending):
        pointer = pending.read_register(self.stack_pointer)
        if int(pointer) != self.newest:
            return None
        info = pending.create_unwind_info(FrameId(pointer, pending.read_register("pc")))
        kind = pointer.type
        for name, value in self.values.items():
            info.add_saved_register(name, gdb.Value(value).cast(kind))
        return info


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


def show_callers(values):
    """The frames of a suspended thread, by an unwinder that is there for this one backtrace."""
    pc = values.get("rip", values.get("pc"))
    unwinder = SavedCaller(values)
    gdb.unwinder.register_unwinder(None, unwinder, replace=True)
    try:
        gdb.invalidate_cached_frames()
        frame = gdb.newest_frame()
        while frame is not None and frame.pc() != pc:
            frame = frame.older()
        level = 0
        while frame is not None and frame.is_valid():
            place = frame.find_sal()
            where = f" at {place.symtab.filename}:{place.line}" if place.symtab else ""
            print(f"#{level:<3} {frame.pc():#x} in {frame.name() or '??'}{where}")
            frame, level = frame.older(), level + 1
    finally:
        gdb.unwinder.register_unwinder(None, disabled(unwinder), replace=True)
        gdb.invalidate_cached_frames()


def disabled(unwinder):
    unwinder.enabled = False
    return unwinder


def with_registers(values, action):
    """Calls action() with the selected thread's registers set to `values`."""
    frame = gdb.newest_frame()
    before = {name: int(frame.read_register(name)) & (2**64 - 1) for name in values}
    try:
        set_registers(values)
        action()
    finally:
        set_registers(before)


def set_registers(values):
    for name, value in values.items():
        gdb.execute(f"set ${name} = {value:#x}", to_string=True)


InfoKasuri()
Kasuri()
KasuriBacktrace()
