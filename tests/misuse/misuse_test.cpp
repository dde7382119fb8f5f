// SPDX-License-Identifier: Apache-2.0
// Wrong settings, wrong calls, and nothing left of something: each case is a process of its own
// that must say one clear line and end as promised. What it calls is in children.hpp.

#include <gtest/gtest.h>

#include <ostream>

#include "misuse/children.hpp"
#include "support/child.hpp"
#include "support/filter.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

struct misuse {
  const char* name;
  int (*child)();
  child_setup setup;
  const char* said;  // the one line holds this
  int exit_code;
  int signal = 0;
  bool plain = false;  // needs what sanitizers and emulators take: the signal, the address space
  int lines = 1;       // 2: a warning goes before it
};

/// What a failure says of the row, which would be its bytes.
void PrintTo(const misuse& m, std::ostream* out) { *out << m.name; }

child_setup with(const char* name, const char* value) { return {.environment = {{name, value}}}; }

const misuse table[] = {
    {"workers_are_no_number", use, with("KASURI_NUM_WORKERS", "abc"),
     "KASURI_NUM_WORKERS=abc: not a whole number; accepted: 1 to 2048", 2},
    {"no_workers", use, with("KASURI_NUM_WORKERS", "0"),
     "KASURI_NUM_WORKERS=0: too small; accepted: 1 to 2048", 2},
    {"workers_beyond_numbers", use, with("KASURI_NUM_WORKERS", "99999999999999999999"),
     "too large; accepted: 1 to 2048", 2},
    {"most_workers", most_workers, with("KASURI_NUM_WORKERS", "2048"), "2048 workers", 0},
    {"stack_without_unit", use, with("KASURI_STACK_SIZE", "64Q"),
     "KASURI_STACK_SIZE=64Q: not a size; accepted: 16K to 1G", 2},
    {"stack_too_small", use, with("KASURI_STACK_SIZE", "1K"),
     "KASURI_STACK_SIZE=1K: too small; accepted: 16K to 1G", 2},
    {"policy_misspelt", use, with("KASURI_SCHED", "nera"),
     "KASURI_SCHED=nera: unknown name (did you mean near?); accepted: near or random or adws", 2},
    {"neither_on_nor_off", use, with("KASURI_BIND", "perhaps"),
     "KASURI_BIND=perhaps: neither on nor off; accepted: on or off", 2},
    {"monitor_negative", use, with("KASURI_MONITOR", "-4"),
     "KASURI_MONITOR=-4: too small; accepted: 0 to 1000", 2},
    {"queue_empty", use, with("KASURI_QUEUE_LIMIT", ""),
     "KASURI_QUEUE_LIMIT=: the value is empty; accepted: 16 to 1000000", 2},
    {"trace_to_nowhere", use, with("KASURI_TRACE", "/nowhere/at/all/trace"),
     "KASURI_TRACE=/nowhere/at/all/trace: cannot write there", 0},
    {"unknown_setting", use, with("KASURI_NUM_WORKER", "2"),
     "KASURI_NUM_WORKER is no setting of Kasuri (did you mean KASURI_NUM_WORKERS?)", 0},
    {"initialize_twice", initialize_twice, {}, "kasuri::initialize: the pool runs already", 0},
    {"too_many_workers",
     too_many_workers,
     {},
     "kasuri::initialize: workers = 5000; accepted: 1 to 2048",
     0},
    {"tiny_stack", tiny_stack, {}, "stack_size = 100; accepted: 16384 to 1073741824", 0},
    {"second_stack_size",
     second_stack_size,
     {},
     "stack_size = 1048576; the stacks of this process have 65536 bytes already",
     0},
    {"finalize_inside", finalize_inside, {}, "kasuri::finalize: called from inside", 0},
    {"overfull_semaphore",
     overfull_semaphore,
     {},
     "kasuri::semaphore::release: n = 1 more than the 4294967295",
     0},
    {"barrier_of_none",
     barrier_of_none,
     {},
     "kasuri::barrier: threads = 0; accepted: 1 to 4294967295",
     0},
    {"latch_below_zero",
     latch_below_zero,
     {},
     "kasuri::latch::count_down: n = 2; what is left: 1",
     0},
    {"condition_without_mutex", condition_without_mutex, {}, "does not hold its mutex", 0},
    {"unlock_unlocked", unlock_unlocked, {}, "kasuri: mutex::unlock: the mutex is not locked", 2},
    {"arena_of_nobody",
     arena_of_nobody,
     {},
     "kasuri::arena: max_workers = 0; accepted: 1 to 2048",
     0},
    {"arena_ended_by_its_task",
     arena_ended_by_its_task,
     {},
     "kasuri: arena: destroyed by a task of its own",
     2},
    {"arena_ended_while_inside",
     arena_ended_while_inside,
     {},
     "kasuri: arena: destroyed while tasks are in its execute: 1",
     2},
    {"group_waited_elsewhere",
     group_waited_elsewhere,
     {},
     "kasuri: task_group: waited for outside of the task",
     2},
    {"future_of_nothing", future_of_nothing, {}, "kasuri::future: no task behind it", 0},
    {"loop_from_below_zero",
     loop_from_below_zero,
     {},
     "kasuri: a loop from a negative index to an unsigned one",
     0},
    {"c_create_null", c_create_null, {}, kasuri_strerror(KASURI_ERROR_INVALID), 0},
    {"c_join_itself", c_join_itself, {}, kasuri_strerror(KASURI_ERROR_DEADLOCK), 0},
    {"c_unlock_unlocked", c_unlock_unlocked, {}, kasuri_strerror(KASURI_ERROR_PERMISSION), 0},
    {"c_wrong_key", c_wrong_key, {}, kasuri_strerror(KASURI_ERROR_INVALID), 0},
    {"no_room_for_stacks",
     wait_without_stack,
     {{{"KASURI_NUM_WORKERS", "1"}, {"KASURI_MONITOR", "0"}}, rlim_t{1} << 30},
     "each): ulimit -v allows 1048576 KiB of address space; accepted:",
     2,
     0,
     true,
     2},
    // The heap has room for the letters by which the threads that wait are woken in the end: less
    // than a stack may be left of the address space, and that is less than the heap grows by.
    {"no_stack_to_wait_with",
     no_stack_to_wait_with,
     {{{"KASURI_NUM_WORKERS", "1"}, {"KASURI_MONITOR", "0"}, {"MALLOC_TOP_PAD_", "1048576"}},
      rlim_t{1} << 30},
     "each), so what waits throws std::bad_alloc: ulimit -v allows 1048576 KiB",
     0,
     0,
     true},
    {"group_closure_throws_at_end",
     group_closure_throws_at_end,
     {},
     "kasuri: warning: the destructor of a closure threw when its task had ended",
     3},
    {"future_closure_throws_at_end",
     future_closure_throws_at_end,
     {},
     "kasuri: warning: the destructor of a closure threw when its task had ended",
     3},
    {"exit_in_arena", exit_in_arena, {}, "kasuri: a task has ended its thread", 2, 0, true},
    {"exit_in_group", exit_in_group, {}, "kasuri: a task has ended its thread", 2, 0, true},
    {"exit_in_group_on_stack_of_its_own",
     exit_in_group_on_stack_of_its_own,
     {},
     "kasuri: a task has ended its thread",
     2,
     0,
     true},
    {"exit_in_future", exit_in_future, {}, "kasuri: a task has ended its thread", 2, 0, true},
    {"exit_in_invoke", exit_in_invoke, {}, "kasuri: a task has ended its thread", 2, 0, true},
    {"exit_in_c_thread", exit_in_c_thread, {}, "kasuri: a task has ended its thread", 2, 0, true},
    {"cancel_worker", cancel_worker, {}, "kasuri: a task has ended its thread", 2},
    {"exit_inside_run", exit_inside_run, {}, "left", 0},
    {"one_slot_for_two",
     one_slot_for_two,
     {{{"KASURI_NUM_WORKERS", "1"}, {"KASURI_MAX_SPARES", "0"}}},
     "one after the other",
     0},
    {"second_frame_for_one_worker",
     second_frame,
     {},
     "kasuri: internal error: a second frame for worker",
     2},
    // Without the monitor, which would start a thread for the one that takes its time, and say that
    // there is none.
    {"no_mappings_left",
     no_mappings_left,
     {{{"KASURI_NUM_WORKERS", "1"}, {"KASURI_MONITOR", "0"}}},
     "mappings and vm.max_map_count allows ",
     0,
     0,
     true},
    {"guards_leave_mappings", guards_leave_mappings, with("KASURI_NUM_WORKERS", "2"),
     "kasuri: warning: no guard page for a stack: on this kernel each costs two mappings", 0, 0,
     true},
    {"no_room_for_deques",
     use,
     {{{"KASURI_NUM_WORKERS", "1000"}}, rlim_t{1} << 30},
     "kasuri: no address space for ",
     2,
     0,
     true},
    {"stack_overflow", overflow, with("KASURI_STACK_SIZE", "64K"),
     "kasuri: stack overflow: a task used up its stack of 64 KiB; set KASURI_STACK_SIZE", 0,
     SIGSEGV, true},
    {"membarrier_forbidden", membarrier_forbidden, {}, "right by another fence", 0, 0, true},
    {"membarrier_unknown", membarrier_unknown, {}, "right by another fence", 0, 0, true},
    {"membarrier_taken_away", membarrier_taken_away, {}, "right by another fence", 0, 0, true},
    {"membarrier_and_page_forbidden",
     membarrier_and_page_forbidden,
     {},
     "right by another fence",
     0,
     0,
     true},
    {"no_fence_at_all",
     no_fence_at_all,
     {},
     "kasuri: the kernel offers neither membarrier(PRIVATE_EXPEDITED) nor sched_setaffinity",
     2,
     0,
     true},
    {"raise_in_task", raise_in_task, {}, "raised", 0, SIGTERM},
    {"raise_handled_in_task", raise_handled_in_task, {}, "handled", 0},
    {"write_to_nobody", write_to_nobody, {}, "written", 0, SIGPIPE},
    {"profile_worker", profile_worker, {}, "sampled", 0},
    {"wait_for_signal", wait_for_signal, {}, "waited for", 0},
    {"stack_overflow_of_main", overflow_main, with("KASURI_NUM_WORKERS", "1"),
     "kasuri: stack overflow: the main thread used up its stack of", 0, SIGSEGV, true},
    {"stack_overflow_of_guest", overflow_guest, with("KASURI_NUM_WORKERS", "1"),
     "used up its stack; enlarge it by pthread_attr_setstacksize or `ulimit -s`", 0, SIGSEGV, true},
    {"null_pointer", null_pointer, {}, "no overflow", 0, SIGSEGV, true},
    {"no_threads", without_threads, with("KASURI_NUM_WORKERS", "4"),
     "the system gives no thread for worker", 0, 0, true},
};

class misuses : public testing::TestWithParam<misuse> {};

TEST_P(misuses, say_one_clear_line_and_end_as_promised) {
  const misuse& m = GetParam();
  if (m.plain && !full_size) GTEST_SKIP() << "needs a plain build";
  const child_result r = run_child(m.name, m.setup);
  EXPECT_NE(r.err.find(m.said), std::string::npos) << r.err;
  EXPECT_EQ(r.lines(), m.lines) << r.err;
  EXPECT_EQ(r.signal(), m.signal) << r.err;
  if (m.signal == 0) {
    EXPECT_EQ(r.exit_code(), m.exit_code) << r.err;
  }
}

INSTANTIATE_TEST_SUITE_P(table, misuses, testing::ValuesIn(table),
                         [](const auto& row) { return std::string(row.param.name); });

int run_case(const char* name) {
  for (const misuse& m : table)
    if (std::strcmp(m.name, name) == 0) return m.child();
  return 126;
}

}  // namespace
}  // namespace kasuri::test

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--child") == 0) return kasuri::test::run_case(argv[2]);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
