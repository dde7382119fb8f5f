/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/**
 * @file
 * Kasuri for C and for every language that can call C: user-level threads, objects that block the
 * thread and not the worker below it, parallel loops.
 *
 * Errors. Functions that can fail return KASURI_SUCCESS (0) or one of the codes below, and change
 * nothing when they fail; kasuri_strerror puts a code into words. No function throws.
 *
 * Threads. Unless a function says otherwise it may be called from any thread: user-level threads,
 * tasks of the C++ interface, and OS threads that have nothing to do with Kasuri.
 *
 * Objects. Initialise an object before use, with its init function or, where there is one, its
 * static initialiser. Do not copy or move it. Destroy it when nobody uses it any more; a destroy
 * function gives no memory back (there is none to give), it checks that nobody waits.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- errors ---------------------------------------------------------------------------------- */

/** The codes that functions return. */
enum kasuri_error {
  KASURI_SUCCESS = 0,
  KASURI_ERROR_INVALID = 1,    /**< an argument is null, out of range, or of the wrong kind */
  KASURI_ERROR_MEMORY = 2,     /**< no memory */
  KASURI_ERROR_BUSY = 3,       /**< the object is in use: held, or waited for */
  KASURI_ERROR_DEADLOCK = 4,   /**< the caller would wait for itself */
  KASURI_ERROR_PERMISSION = 5, /**< the caller, or nobody, holds what is to be given back */
  KASURI_ERROR_AGAIN = 6,      /**< not now: there is nothing to take, or too many exist */
  KASURI_ERROR_RANGE = 7,      /**< a counter would leave its range */
  KASURI_ERROR_STATE = 8,      /**< the pool is in the wrong state: it runs already, or is in use */
  KASURI_ERROR_TIMEOUT = 9     /**< the time of the wait was over */
};

/**
 * The meaning of an error code, as a sentence without a full stop.
 * @param error  a code that a function of this header returned.
 * @return a constant string, never null; "unknown error" for other numbers.
 */
const char* kasuri_strerror(int error);

/* ---- pool ------------------------------------------------------------------------------------ */

/**
 * Starts the pool. Optional: the first use starts it by the settings of the environment.
 * @param workers  threads that run at one time, 1 to 2048; 0: from KASURI_NUM_WORKERS or the
 *                 machine.
 * @return KASURI_ERROR_INVALID outside that range; KASURI_ERROR_STATE when the pool runs already;
 *         KASURI_ERROR_MEMORY.
 */
int kasuri_init(int workers);

/**
 * Ends the pool's threads; the next use starts it anew. Does nothing when it does not run. A
 * process that ends need not call it.
 * @return KASURI_ERROR_STATE when called from a user-level thread, or while another OS thread is
 *         inside.
 */
int kasuri_finalize(void);

/** Threads that run at one time. Starts nothing. */
int kasuri_num_workers(void);

/** The numbers of kasuri_slot lie below this. Starts nothing. Fixed while a pool runs; before, it
 *  is what a pool that started now would have. */
int kasuri_max_slots(void);

/** A small number that no other thread that runs tasks has at this time, at least 0 and below
 *  kasuri_max_slots(), or -1 outside: an index of arrays. May change at each call that can wait or
 *  that creates a thread; kasuri/task.hpp says more. */
int kasuri_slot(void);

/** The index of the worker that the caller runs on, as KASURI_WORKER means it, or -1 outside. It
 *  may be kasuri_num_workers() or more: for arrays there is kasuri_slot. May change at each call
 *  that can wait. */
int kasuri_worker(void);

/* ---- threads --------------------------------------------------------------------------------- */

/** A user-level thread. */
typedef struct kasuri_thread* kasuri_thread_t;

/** The treatment of the child and of the code behind its creation; one of the values below. */
typedef int kasuri_spawn_t;

enum {
  KASURI_PARENT_FIRST = 0, /**< queues the child and goes on */
  KASURI_CHILD_FIRST = 1   /**< runs the child now; idle workers may take the parent over,
                                  unless it stands on the stack of an OS thread that is no worker */
};

/**
 * Creates a thread that calls fn(arg).
 * @param thread  receives the thread, to be joined or detached once.
 * @param fn      its function; its result is what join gives.
 * @param arg     passed to fn.
 * @param policy  KASURI_PARENT_FIRST or KASURI_CHILD_FIRST.
 * @return KASURI_ERROR_INVALID for a null thread or fn, or another policy; KASURI_ERROR_MEMORY.
 */
int kasuri_thread_create(kasuri_thread_t* thread, void* (*fn)(void* arg), void* arg,
                         kasuri_spawn_t policy);

/** A place where a thread had better run; one of the values below says what index means. */
typedef struct kasuri_place {
  int kind;  /**< KASURI_ANYWHERE, KASURI_NODE or KASURI_WORKER */
  int index; /**< the kernel's number of the node, or the worker's index */
} kasuri_place_t;

enum {
  KASURI_ANYWHERE = 0, /**< no place; index is not read */
  KASURI_NODE = 1,     /**< the workers of a NUMA node; one without workers: anywhere */
  KASURI_WORKER = 2    /**< one worker; one that does not exist: anywhere */
};

/** The node that holds `data`, as far as that is known (kasuri_numa_node_of); else anywhere. */
kasuri_place_t kasuri_near(const void* data);

/** The options of kasuri_thread_create_with. With all zero it does what kasuri_thread_create
 *  does. */
typedef struct kasuri_thread_options {
  kasuri_spawn_t policy; /**< not read for a thread that is sent to a place elsewhere */
  kasuri_place_t place;  /**< advice: a thread whose place is busy for long runs elsewhere */
  const void* hint;      /**< for the program's steal function; copied; null: none */
  size_t hint_bytes;     /**< of the hint; 0 where it is null */
} kasuri_thread_options_t;

/**
 * Creates a thread that calls fn(arg), with advice on where it runs.
 * @param thread   receives the thread, to be joined or detached once.
 * @param fn       its function; its result is what join gives.
 * @param arg      passed to fn.
 * @param options  policy, place and hint; not kept.
 * @return KASURI_ERROR_INVALID for a null thread, fn or options, an unknown policy or kind of
 *         place, or a null hint of some bytes; KASURI_ERROR_MEMORY.
 */
int kasuri_thread_create_with(kasuri_thread_t* thread, void* (*fn)(void* arg), void* arg,
                              const kasuri_thread_options_t* options);

/**
 * Waits until a thread has ended, and frees it.
 * @param thread  not joined or detached before.
 * @param result  receives what its function returned; may be null.
 * @return KASURI_ERROR_INVALID for null; KASURI_ERROR_DEADLOCK for the caller itself;
 *         KASURI_ERROR_BUSY when another thread waits for it already; KASURI_ERROR_MEMORY when
 *         there is none to wait with: the thread is not joined then.
 */
int kasuri_thread_join(kasuri_thread_t thread, void** result);

/**
 * Lets a thread free itself when it ends. Nobody joins it then.
 * @return KASURI_ERROR_INVALID for null; KASURI_ERROR_BUSY when a thread waits for it.
 */
int kasuri_thread_detach(kasuri_thread_t thread);

/** The calling user-level thread; null in tasks and on OS threads. */
kasuri_thread_t kasuri_thread_self(void);

/** Lets other threads that are ready on this worker go first. On OS threads, yields the processor.
 */
void kasuri_yield(void);

/**
 * Suspends the calling task or user-level thread for so many nanoseconds; the worker goes on with
 * others. On an OS thread, that one sleeps. 0: as kasuri_yield.
 * @return KASURI_ERROR_MEMORY when there is none to wait with, or no OS thread for timers.
 */
int kasuri_sleep_ns(uint64_t nanoseconds);

/* ---- values of threads ----------------------------------------------------------------------- */

/** Names a value that every thread has of its own. */
typedef uint32_t kasuri_key_t;

/**
 * Creates a key; the value is null in every thread.
 * @param key         receives it.
 * @param destructor  called at the end of each user-level thread with its value, if that is not
 *                    null; may be null.
 * @return KASURI_ERROR_INVALID for a null key; KASURI_ERROR_AGAIN when too many keys exist.
 */
int kasuri_key_create(kasuri_key_t* key, void (*destructor)(void* value));

/**
 * Deletes a key. Calls no destructors; values set by then are forgotten.
 * @return KASURI_ERROR_INVALID when there is no such key.
 */
int kasuri_key_delete(kasuri_key_t key);

/**
 * Sets the caller's value: of the user-level thread it runs in, else of the OS thread. Parallel
 * loops and closures inside a user-level thread share its values: one at a time may set any.
 * @return KASURI_ERROR_INVALID when there is no such key; KASURI_ERROR_MEMORY.
 */
int kasuri_key_set(kasuri_key_t key, void* value);

/** The caller's value; null when it has none or there is no such key. */
void* kasuri_key_get(kasuri_key_t key);

/* ---- the program's own steal function -------------------------------------------------------- */

/** One round of a thief, inside a steal function. Valid during the call only, for the thread
 *  called. */
typedef struct kasuri_steal_round kasuri_steal_round_t;

/** Looks for work of others, once. Returns whether kasuri_steal_take took something. May be called
 *  by all idle workers at once; must not wait. */
typedef int (*kasuri_steal_function_t)(kasuri_steal_round_t* round, void* arg);

/** Looks at a copy of the hint of a frame that may be taken, and its size as kasuri_steal_peek
 *  gives it (at most the first 512 bytes are there). Returns whether to take it. */
typedef int (*kasuri_steal_confirm_t)(const void* hint, ptrdiff_t bytes, void* arg);

/**
 * From here on idle workers steal by `f` instead of by KASURI_SCHED. A function that takes nothing
 * in many rounds though there is work is overruled for a while by stealing from anyone: counted,
 * and said once on stderr. Rounds that have begun end with the old function.
 * @param f    null: as before.
 * @param arg  passed to f.
 * @return KASURI_ERROR_MEMORY.
 */
int kasuri_set_steal_function(kasuri_steal_function_t f, void* arg);

/** The thief's index. */
int kasuri_steal_thief(const kasuri_steal_round_t* round);
/** One more than the greatest index of a worker. */
int kasuri_steal_workers(const kasuri_steal_round_t* round);
/** A number for random choices, from the thief's own generator. */
uint64_t kasuri_steal_random(kasuri_steal_round_t* round);

/**
 * Copies the hint of the frame that `victim` would give now. A frame that waits in the victim's
 * private end makes this ask for it, so that a later look finds it.
 * @param round   of the call.
 * @param victim  the index of a worker; others have nothing.
 * @param hint    room for `bytes`; a longer hint is cut.
 * @param bytes   may be 0.
 * @return the hint's size in bytes; 0: a frame without a hint; -1: nothing to take.
 */
ptrdiff_t kasuri_steal_peek(kasuri_steal_round_t* round, int victim, void* hint, size_t bytes);

/**
 * Takes the frame that `victim` would give, if `confirm` says so; a frame that is refused stays
 * where it was.
 * @param round    of the call.
 * @param victim   the index of a worker; others have nothing.
 * @param confirm  may be null: any frame will do.
 * @param arg      passed to confirm.
 * @return whether a frame was taken; return 1 from the steal function then.
 */
int kasuri_steal_take(kasuri_steal_round_t* round, int victim, kasuri_steal_confirm_t confirm,
                      void* arg);

/* ---- fork-join ------------------------------------------------------------------------------- */

/**
 * Calls first(first_arg) and second(second_arg), which may run at the same time, and returns when
 * both have returned: parallel_invoke of C++. The caller runs the first, and then the second
 * unless another worker has taken it. Costs a few nanoseconds, and may be nested without bound. An
 * OS thread that is no worker becomes one for the call. In a cancelled task group of C++ both run
 * all the same.
 * @param first,second          the functions; neither may be null.
 * @param first_arg,second_arg  passed to them.
 * @return KASURI_ERROR_INVALID for a null function: none was called.
 */
int kasuri_invoke(void (*first)(void* arg), void* first_arg, void (*second)(void* arg),
                  void* second_arg);

/**
 * Calls fn(arg). Until it returns the caller goes on on this OS thread whenever it waits, whatever
 * for: for code that relies on thread-locals or on locks that have an owner, which is what most
 * languages promise. Tasks that it starts do not inherit that. While such a task waits its OS
 * thread sleeps and another stands in for it, as for a call that blocks in the system; so it is
 * for tasks that wait for their own children, not for thousands that wait for each other. An OS
 * thread that is no worker, or that called in by itself, goes on on itself anyway. It runs other
 * tasks while it waits, and one of them that keeps its OS thread must not wait for what only the
 * caller does: nobody can go on with the caller.
 * @param fn   called once, before this returns.
 * @param arg  passed to fn.
 * @return KASURI_ERROR_INVALID for a null fn.
 */
int kasuri_keep_os_thread(void (*fn)(void* arg), void* arg);

/* ---- loops and blocking calls ---------------------------------------------------------------- */

/**
 * Calls fn(b, e, arg) in parallel for ranges that together are [begin, end), each index once;
 * in a cancelled task group of C++ some may be left out.
 * @param begin,end  the first index and the one past the last.
 * @param fn     called from several workers at once.
 * @param arg    passed to fn.
 * @param grain  ranges are at most this long; 0: chosen by demand. Several are run one behind the
 *               other: they must not wait for each other.
 * @return KASURI_ERROR_INVALID for a null fn, end < begin, or a negative grain.
 */
int kasuri_parallel_for(int64_t begin, int64_t end, int64_t grain,
                        void (*fn)(int64_t begin, int64_t end, void* arg), void* arg);

/**
 * Calls fn(arg), which may block in the operating system, on an OS thread outside the pool, and
 * lets the worker run other tasks meanwhile. As many calls as KASURI_MAX_BLOCKING says may be under
 * way at once. A thread that called in by itself, and a member of an OpenMP team, stay on their OS
 * thread.
 * @param fn      the function that blocks.
 * @param arg     passed to fn.
 * @param result  receives what fn returned; may be null.
 * @return KASURI_ERROR_INVALID for a null fn.
 */
int kasuri_blocking(void* (*fn)(void* arg), void* arg, void** result);

/* ---- arenas ---------------------------------------------------------------------------------- */

/** A part of the program that runs on so many workers at once at most: the functions given to it,
 *  and what they start (threads, loops, tasks of C++). It has no threads of its own. What waits
 *  does not count. kasuri/arena.hpp says more. */
typedef struct kasuri_arena* kasuri_arena_t;

/** What idle workers take first, of arenas. */
typedef enum kasuri_priority {
  KASURI_PRIORITY_LOW = -1,
  KASURI_PRIORITY_NORMAL = 0,
  KASURI_PRIORITY_HIGH = 1
} kasuri_priority_t;

/**
 * Makes an arena.
 * @param arena        receives the arena.
 * @param max_workers  its bound, 1 to 2048; it may be more than there are. 0: none, for a priority
 *                     alone.
 * @param priority     KASURI_PRIORITY_NORMAL, or another one.
 * @return KASURI_ERROR_INVALID for a null arena, another bound or priority; KASURI_ERROR_MEMORY.
 */
int kasuri_arena_create(kasuri_arena_t* arena, int max_workers, kasuri_priority_t priority);

/**
 * Waits until all functions that were enqueued have ended, and all threads and futures' tasks that
 * were made inside; then ends the arena.
 * @return KASURI_ERROR_INVALID for null; KASURI_ERROR_DEADLOCK when the caller is inside of it;
 *         KASURI_ERROR_BUSY while another thread is in kasuri_arena_execute; KASURI_ERROR_MEMORY
 *         when there is none to wait with.
 */
int kasuri_arena_destroy(kasuri_arena_t arena);

/**
 * Calls fn(arg) inside of the arena, on the caller's own stack. Where the arena is full the caller
 * waits, and its worker does something else. Inside of it already, it just calls. An OS thread that
 * is no worker becomes one for the call.
 * @param arena  where to call it.
 * @param fn     called once, before this returns.
 * @param arg    passed to fn.
 * @return KASURI_ERROR_INVALID for null; KASURI_ERROR_MEMORY when there is none to wait with: fn
 *         was not called.
 */
int kasuri_arena_execute(kasuri_arena_t arena, void (*fn)(void* arg), void* arg);

/**
 * Has fn(arg) run inside of the arena, and returns. Nobody but kasuri_arena_destroy waits for it.
 * @param arena  where to run it.
 * @param fn     called once, by a worker.
 * @param arg    passed to fn.
 * @return KASURI_ERROR_INVALID for null; KASURI_ERROR_MEMORY: it does not run then.
 */
int kasuri_arena_enqueue(kasuri_arena_t arena, void (*fn)(void* arg), void* arg);

/** The bound of the arena, or kasuri_num_workers() where it has none; 0 for null. */
int kasuri_arena_max_concurrency(kasuri_arena_t arena);

/* ---- mutex ----------------------------------------------------------------------------------- */

/* A function that waits, here and below, returns KASURI_ERROR_MEMORY and has changed nothing when
   there is no memory for the stack that it takes to wait. */

/** Mutual exclusion, not recursive. May be held across everything that waits, and unlocked by
 *  another thread than the one that locked it. */
typedef struct kasuri_mutex {
  uint64_t opaque[2]; /**< the library's own */
} kasuri_mutex_t;

/** A free mutex, for static objects. */
#define KASURI_MUTEX_INITIALIZER {{0, 0}}

/** Makes `mutex` a free mutex. @return KASURI_ERROR_INVALID for null. */
int kasuri_mutex_init(kasuri_mutex_t* mutex);
/** @return KASURI_ERROR_INVALID for null; KASURI_ERROR_BUSY when it is held or waited for. */
int kasuri_mutex_destroy(kasuri_mutex_t* mutex);
/** Waits until the mutex is free and takes it. @return KASURI_ERROR_INVALID for null. */
int kasuri_mutex_lock(kasuri_mutex_t* mutex);
/** Takes it if it is free. @return KASURI_ERROR_BUSY when not; KASURI_ERROR_INVALID for null. */
int kasuri_mutex_try_lock(kasuri_mutex_t* mutex);
/** Takes it if it is free within so many nanoseconds. @return KASURI_ERROR_TIMEOUT when not;
 *  KASURI_ERROR_INVALID for null. */
int kasuri_mutex_try_lock_for(kasuri_mutex_t* mutex, uint64_t nanoseconds);
/** Lets it go. @return KASURI_ERROR_PERMISSION when nobody holds it; KASURI_ERROR_INVALID for null.
 */
int kasuri_mutex_unlock(kasuri_mutex_t* mutex);

/* ---- condition variable ---------------------------------------------------------------------- */

/** A condition variable for kasuri_mutex_t. */
typedef struct kasuri_cond {
  uint64_t opaque[2]; /**< the library's own */
} kasuri_cond_t;

/** A condition variable that nobody waits for, for static objects. */
#define KASURI_COND_INITIALIZER {{0, 0}}

/** Makes `cond` a condition variable. @return KASURI_ERROR_INVALID for null. */
int kasuri_cond_init(kasuri_cond_t* cond);
/** @return KASURI_ERROR_INVALID for null; KASURI_ERROR_BUSY when somebody waits. */
int kasuri_cond_destroy(kasuri_cond_t* cond);
/**
 * Lets the mutex go, waits for a notification, and takes the mutex again. Does not return without a
 * notification; but the condition may have changed back before the caller has the mutex.
 * @param cond   what is waited for.
 * @param mutex  held by the caller.
 * @return KASURI_ERROR_INVALID for null; KASURI_ERROR_PERMISSION when nobody holds the mutex.
 */
int kasuri_cond_wait(kasuri_cond_t* cond, kasuri_mutex_t* mutex);
/**
 * The same, for so many nanoseconds at most; the mutex is held again in either case.
 * @param cond         what is waited for.
 * @param mutex        held by the caller.
 * @param nanoseconds  how long; 0 lets the mutex go and lets other threads go first.
 * @return KASURI_ERROR_TIMEOUT without a notification; the rest as kasuri_cond_wait.
 */
int kasuri_cond_wait_for(kasuri_cond_t* cond, kasuri_mutex_t* mutex, uint64_t nanoseconds);
/** Wakes the thread that has waited longest, if any. @return KASURI_ERROR_INVALID for null. */
int kasuri_cond_signal(kasuri_cond_t* cond);
/** Wakes all that wait. @return KASURI_ERROR_INVALID for null. */
int kasuri_cond_broadcast(kasuri_cond_t* cond);

/* ---- semaphore ------------------------------------------------------------------------------- */

/** A counting semaphore; units go to the thread that has waited longest. */
typedef struct kasuri_sem {
  uint64_t opaque[2]; /**< the library's own */
} kasuri_sem_t;

/** Makes `sem` a semaphore that holds `units`. @return KASURI_ERROR_INVALID for null. */
int kasuri_sem_init(kasuri_sem_t* sem, uint32_t units);
/** @return KASURI_ERROR_INVALID for null; KASURI_ERROR_BUSY when somebody waits. */
int kasuri_sem_destroy(kasuri_sem_t* sem);
/** Takes a unit; waits for it if there is none. @return KASURI_ERROR_INVALID for null. */
int kasuri_sem_acquire(kasuri_sem_t* sem);
/** Takes a unit if there is one. @return KASURI_ERROR_AGAIN when not; KASURI_ERROR_INVALID for
 *  null. */
int kasuri_sem_try_acquire(kasuri_sem_t* sem);
/** Takes a unit; waits for it for so many nanoseconds at most. @return KASURI_ERROR_TIMEOUT when
 *  there was none; KASURI_ERROR_INVALID for null. */
int kasuri_sem_try_acquire_for(kasuri_sem_t* sem, uint64_t nanoseconds);
/** Adds units and wakes as many waiters. @return KASURI_ERROR_INVALID for null; KASURI_ERROR_RANGE,
 *  and adds none, when the semaphore would hold 2^32 or more. */
int kasuri_sem_release(kasuri_sem_t* sem, uint32_t units);

/* ---- barrier --------------------------------------------------------------------------------- */

/** Lets a fixed number of threads meet, again and again. */
typedef struct kasuri_barrier {
  uint64_t opaque[3]; /**< the library's own */
} kasuri_barrier_t;

/** Makes `barrier` one for `threads` threads. @return KASURI_ERROR_INVALID for null, or for zero
 *  threads. */
int kasuri_barrier_init(kasuri_barrier_t* barrier, uint32_t threads);
/** @return KASURI_ERROR_INVALID for null; KASURI_ERROR_BUSY when somebody waits. */
int kasuri_barrier_destroy(kasuri_barrier_t* barrier);
/**
 * Waits until all threads have arrived in this phase.
 * @param barrier  the barrier.
 * @param last  receives 1 in the thread of each phase that arrived last, 0 in the others; may be
 *              null.
 * @return KASURI_ERROR_INVALID for a null barrier.
 */
int kasuri_barrier_wait(kasuri_barrier_t* barrier, int* last);

/* ---- latch ----------------------------------------------------------------------------------- */

/** Counts down once; threads wait until it reaches zero. */
typedef struct kasuri_latch {
  uint64_t opaque[2]; /**< the library's own */
} kasuri_latch_t;

/** Makes `latch` one that counts down from `count`. @return KASURI_ERROR_INVALID for null. */
int kasuri_latch_init(kasuri_latch_t* latch, uint32_t count);
/** @return KASURI_ERROR_INVALID for null; KASURI_ERROR_BUSY when somebody waits. */
int kasuri_latch_destroy(kasuri_latch_t* latch);
/** Counts down by `n` and wakes all waiters at zero. @return KASURI_ERROR_INVALID for null;
 *  KASURI_ERROR_RANGE, and counts nothing, when n is more than what is left. */
int kasuri_latch_count_down(kasuri_latch_t* latch, uint32_t n);
/** Whether it is zero. @return KASURI_ERROR_AGAIN when not; KASURI_ERROR_INVALID for null. */
int kasuri_latch_try_wait(kasuri_latch_t* latch);
/** Waits until it is zero. @return KASURI_ERROR_INVALID for null. */
int kasuri_latch_wait(kasuri_latch_t* latch);

/* ---- memory on NUMA nodes -------------------------------------------------------------------- */

/** How pages are distributed over the NUMA nodes; kasuri/numa.hpp says more of each. */
enum kasuri_distribution_kind {
  KASURI_FIRST_TOUCH = 0,  /**< each page where it is touched first */
  KASURI_ON_NODE = 1,      /**< all on `node` */
  KASURI_BLOCKED = 2,      /**< one consecutive part to each node */
  KASURI_INTERLEAVED = 3,  /**< page by page in turns */
  KASURI_CYCLIC = 4,       /**< in turns by `pages` pages */
  KASURI_BLOCK_CYCLIC = 5, /**< in turns by `block_bytes` bytes */
  KASURI_TILES = 6         /**< a matrix row by row, in tiles that go round a grid of nodes */
};

/** A distribution. Members that its kind does not name are not read. */
typedef struct kasuri_distribution {
  int kind;           /**< one of kasuri_distribution_kind */
  int node;           /**< the kernel's number of one of kasuri_numa_nodes() */
  size_t pages;       /**< at least 1 */
  size_t block_bytes; /**< at least 1 */
  size_t rows;        /**< rows of the matrix, at least 1 */
  size_t row_bytes;   /**< bytes from one row to the next, at least 1 */
  size_t tile_rows;   /**< rows of a tile, at least 1 */
  size_t tile_bytes;  /**< bytes of a row in a tile, at least 1 */
} kasuri_distribution_t;

enum {
  KASURI_HUGE_PAGES = 1 /**< ask for the system's transparent huge pages */
};

/**
 * Zeroed memory of its own pages, distributed over the nodes. Where there is one node, or the
 * system forbids a process to choose, it is memory as any other.
 * @param memory        receives the first byte, on a page boundary.
 * @param bytes         0 counts as 1.
 * @param distribution  where its pages are to be.
 * @param flags         0 or KASURI_HUGE_PAGES.
 * @return KASURI_ERROR_INVALID for null, other flags, an unknown kind, a node that is none of
 *         kasuri_numa_nodes(), or a size of 0 in the distribution; KASURI_ERROR_MEMORY.
 */
int kasuri_numa_alloc(void** memory, size_t bytes, const kasuri_distribution_t* distribution,
                      unsigned flags);

/**
 * Gives memory of kasuri_numa_alloc back.
 * @param memory  what it gave; null is accepted.
 * @param bytes   what it was asked for.
 * @return KASURI_ERROR_INVALID for what is not on a page boundary.
 */
int kasuri_numa_free(void* memory, size_t bytes);

/**
 * Moves the pages of a range, of any origin, to where the distribution has them; pages that nobody
 * has touched yet are placed when they are.
 * @param start         the first byte.
 * @param bytes         of the range; pages that it touches move as a whole.
 * @param distribution  where they are to be.
 * @param left          receives how many pages are elsewhere afterwards; may be null.
 * @return KASURI_ERROR_INVALID for null, or a distribution that kasuri_numa_alloc would refuse.
 */
int kasuri_numa_move(void* start, size_t bytes, const kasuri_distribution_t* distribution,
                     size_t* left);

/** The number of the node that holds the page of an address, or -1 when nobody knows. May be some
 *  seconds old where other calls than these move memory. Never waits. */
int kasuri_numa_node_of(const void* address);

/** Makes kasuri_numa_node_of ask the system anew for these bytes. */
void kasuri_numa_forget(const void* start, size_t bytes);

/** The number of the node nearest to the CPU that the caller runs on. */
int kasuri_numa_this_node(void);

/**
 * The nodes that have memory for this process, ascending by number.
 * @param numbers  receives the kernel's numbers of the first `most`; may be null.
 * @param cpus     receives how many CPUs of this process are nearest to each, 0 for a node of
 *                 memory only; may be null.
 * @param most     places in both.
 * @return how many there are, at least 1.
 */
int kasuri_numa_nodes(int* numbers, int* cpus, int most);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
