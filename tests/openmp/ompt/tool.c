// SPDX-License-Identifier: Apache-2.0
// A tool that writes one line for each event to the file named by OMPT_RECORD:
//     THREAD EVENT KEY=VALUE ...
// Threads, tasks and regions are numbers that the tool gave them when they began.

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef union {
  uint64_t value;
  void* pointer;
} data;

typedef struct {
  data exit, enter;
  int exit_flags, enter_flags;
} frame;

typedef void (*function)(void);
typedef function (*lookup_function)(const char*);

typedef struct {
  int (*initialize)(lookup_function, int, data*);
  void (*finalize)(data*);
  data tool;
} start_result;

static FILE* out;
static data* (*get_thread_data)(void);
static uint64_t (*get_unique_id)(void);
static int (*get_task_info)(int, int*, data**, frame**, data**, int*);
static int (*get_parallel_info)(int, data**, int*);

static unsigned long long of(const data* d) { return d != NULL ? d->value : 0; }

static void line(const char* format, ...) {
  va_list rest;
  va_start(rest, format);
  flockfile(out);
  fprintf(out, "%llu ", of(get_thread_data()));
  vfprintf(out, format, rest);
  fputc('\n', out);
  funlockfile(out);
  va_end(rest);
}

static void on_thread_begin(int kind, data* thread) {
  thread->value = get_unique_id();
  line("thread_begin kind=%d", kind);
}
static void on_thread_end(data* thread) { line("thread_end same=%d", thread == get_thread_data()); }

static void on_parallel_begin(data* task, const frame* f, data* region, unsigned asked, int flags,
                              const void* at) {
  region->value = get_unique_id();
  line("parallel_begin task=%llu region=%llu asked=%u enter=%d at=%d flags=%x", of(task),
       of(region), asked, f->enter.pointer != NULL, at != NULL, (unsigned)flags);
}
static void on_parallel_end(data* region, data* task, int flags, const void* at) {
  (void)flags;
  line("parallel_end task=%llu region=%llu at=%d", of(task), of(region), at != NULL);
}
static void on_implicit_task(int where, data* region, data* task, unsigned size, unsigned number,
                             int flags) {
  if (where == 1) task->value = get_unique_id();
  if (where == 1 && (flags & 1) != 0) region->value = get_unique_id();
  line("implicit_task where=%d region=%llu task=%llu size=%u number=%u initial=%d", where,
       of(region), of(task), size, number, flags & 1);
}
static void on_task_create(data* task, const frame* f, data* made, int flags, int depends,
                           const void* at) {
  (void)f;
  made->value = get_unique_id();
  line("task_create task=%llu made=%llu undeferred=%d depends=%d at=%d", of(task), of(made),
       (flags & 0x8000000) != 0, depends, at != NULL);
}
static void on_task_schedule(data* from, int status, data* to) {
  data* current = NULL;
  get_task_info(0, NULL, &current, NULL, NULL, NULL);
  line("task_schedule from=%llu status=%d to=%llu", of(from), status, of(to));
}
static void on_sync_region(int kind, int where, data* region, data* task, const void* at) {
  (void)region, (void)at;
  line("sync_region kind=%d where=%d task=%llu", kind, where, of(task));
}
static void on_sync_wait(int kind, int where, data* region, data* task, const void* at) {
  (void)region, (void)at;
  line("sync_wait kind=%d where=%d task=%llu", kind, where, of(task));
}
static void on_work(int kind, int where, data* region, data* task, uint64_t count, const void* at) {
  (void)region, (void)at;
  line("work kind=%d where=%d task=%llu count=%llu", kind, where, of(task),
       (unsigned long long)count);
}
static void on_dispatch(data* region, data* task, int kind, data what) {
  const uint64_t* chunk = what.pointer;
  (void)region;
  line("dispatch kind=%d task=%llu iterations=%llu", kind, of(task),
       kind == 2 ? 1ull : (unsigned long long)chunk[1]);
}
static void on_masked(int where, data* region, data* task, const void* at) {
  (void)region, (void)at;
  line("masked where=%d task=%llu", where, of(task));
}
static void on_acquire(int kind, unsigned hint, unsigned impl, uint64_t id, const void* at) {
  (void)hint, (void)impl;
  line("mutex_acquire kind=%d id=%llx at=%d", kind, (unsigned long long)id, at != NULL);
}
static void on_acquired(int kind, uint64_t id, const void* at) {
  line("mutex_acquired kind=%d id=%llx at=%d", kind, (unsigned long long)id, at != NULL);
}
static void on_released(int kind, uint64_t id, const void* at) {
  line("mutex_released kind=%d id=%llx at=%d", kind, (unsigned long long)id, at != NULL);
}
static void on_nest_lock(int where, uint64_t id, const void* at) {
  line("nest_lock where=%d id=%llx at=%d", where, (unsigned long long)id, at != NULL);
}
static void on_init(int kind, unsigned hint, unsigned impl, uint64_t id, const void* at) {
  (void)hint, (void)impl;
  line("lock_init kind=%d id=%llx at=%d", kind, (unsigned long long)id, at != NULL);
}
static void on_destroy(int kind, uint64_t id, const void* at) {
  line("lock_destroy kind=%d id=%llx at=%d", kind, (unsigned long long)id, at != NULL);
}
static void on_dependences(data* task, const void* list, int count) {
  (void)list;
  line("dependences task=%llu count=%d", of(task), count);
}
static void on_task_dependence(data* first, data* second) {
  line("task_dependence first=%llu second=%llu", of(first), of(second));
}
static int on_control(uint64_t command, uint64_t modifier, void* argument, const void* at) {
  int size = 0;
  data* region = NULL;
  (void)argument;
  get_parallel_info(0, &region, &size);
  line("control_tool command=%llu modifier=%llu size=%d at=%d", (unsigned long long)command,
       (unsigned long long)modifier, size, at != NULL);
  return 42;
}

static const struct {
  int number;
  function code;
} callbacks[] = {
    {1, (function)on_thread_begin},   {2, (function)on_thread_end},
    {3, (function)on_parallel_begin}, {4, (function)on_parallel_end},
    {5, (function)on_task_create},    {6, (function)on_task_schedule},
    {7, (function)on_implicit_task},  {11, (function)on_control},
    {16, (function)on_sync_wait},     {17, (function)on_released},
    {18, (function)on_dependences},   {19, (function)on_task_dependence},
    {20, (function)on_work},          {21, (function)on_masked},
    {23, (function)on_sync_region},   {24, (function)on_init},
    {25, (function)on_destroy},       {26, (function)on_acquire},
    {27, (function)on_acquired},      {28, (function)on_nest_lock},
    {32, (function)on_dispatch},
};

static int initialize(lookup_function lookup, int device, data* tool) {
  int (*set_callback)(int, function) = (int (*)(int, function))lookup("ompt_set_callback");
  (void)device, (void)tool;
  get_thread_data = (data * (*)(void)) lookup("ompt_get_thread_data");
  get_unique_id = (uint64_t (*)(void))lookup("ompt_get_unique_id");
  get_task_info = (int (*)(int, int*, data**, frame**, data**, int*))lookup("ompt_get_task_info");
  get_parallel_info = (int (*)(int, data**, int*))lookup("ompt_get_parallel_info");
  if (lookup("ompt_no_such_entry") != NULL) return 0;
  for (unsigned i = 0; i != sizeof callbacks / sizeof *callbacks; ++i)
    if (set_callback(callbacks[i].number, callbacks[i].code) != 5) return 0;
  return 1;
}

static void finalize(data* tool) {
  (void)tool;
  fputs("0 finalize\n", out);
  fclose(out);
}

start_result* ompt_start_tool(unsigned version, const char* runtime) {
  static start_result result = {initialize, finalize, {0}};
  const char* name = getenv("OMPT_RECORD");
  if (version < 201611 || runtime == NULL || name == NULL) return NULL;
  out = fopen(name, "w");
  return out != NULL ? &result : NULL;
}
