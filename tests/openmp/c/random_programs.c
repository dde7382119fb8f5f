// SPDX-License-Identifier: Apache-2.0
// Random programs of OpenMP constructs, each a tree that every thread walks: a node is a construct,
// its children are what stands inside. All are orphaned therefore, also outside of any region. How
// often each statement is executed, and by a team of what size, follows from the tree; the sums
// must agree.
//
// RANDOM_FIRST and RANDOM_COUNT choose the programs; a seed that fails is printed.
// test: nested=no threads=2,5 flags=-D_GNU_SOURCE env=OMP_CANCELLATION=true env=OMP_STACKSIZE=16M
#include "support/check.h"

#include <alloca.h>
#include <pthread.h>
#include <sched.h>

enum kind {
  statement,
  sequence,
  parallel,
  loop_static,
  loop_dynamic,
  loop_guided,
  loop_ordered,
  loop_last,
  loop_reduction,
  sections,
  single,
  single_copy,
  master,
  barrier,
  critical,
  task_tied,
  task_untied,
  task_final,
  task_undeferred,
  task_depend,
  wait,
  group,
  group_reduction,
  yield,
  taskloop,
  deep_stack,
  own_data,
  target,
  cancelled_loop,
  cancelled_group,
  cancelled_region,
  kinds
};

enum { most_nodes = 64, most_children = 4, most_executions = 3000 };

struct node {
  enum kind kind;
  int number;  // members, iterations, tasks or KiB
  int chunk;
  bool active;  // of parallel: the if clause
  int child_count;
  struct node* children[most_children];
};

struct program {
  unsigned long long random;
  int count;
  struct node nodes[most_nodes];
  int most_levels;
  long expected;
  long sum;  // of executed statements
  long wrong;
};

/// What a construct may hold depends on where it stands.
struct place {
  bool shared;  // each member comes here once: worksharing and barriers are allowed
  bool tasks;
  bool regions;
  bool locks;
};

static unsigned next_random(struct program* p, unsigned below) {
  p->random ^= p->random << 13;
  p->random ^= p->random >> 7;
  p->random ^= p->random << 17;
  return (unsigned)((p->random >> 20) % below);
}

static bool may_stand(enum kind k, struct place at) {
  switch (k) {
    case statement:
    case sequence:
    case deep_stack:
    case own_data:
      return true;
    case critical:
      return at.locks;
    case parallel:
    case target:
    case cancelled_region:
      return at.regions;
    case loop_static:
    case loop_dynamic:
    case loop_guided:
    case loop_ordered:
    case loop_last:
    case loop_reduction:
    case sections:
    case single:
    case single_copy:
    case master:
    case barrier:
    case cancelled_loop:
      return at.shared;
    default:
      return at.tasks;
  }
}

static struct place inside(enum kind k, struct place at) {
  switch (k) {
    case sequence:
    case deep_stack:
      return at;
    case parallel:
      return (struct place){true, true, true, true};
    case target:  // Clang without devices calls the region in the team around it
      return (struct place){false, false, true, true};
    case critical:
    case loop_ordered:
    case group_reduction:
    case task_depend:
    case own_data:
    case cancelled_loop:
    case cancelled_group:
    case cancelled_region:
      return (struct place){false, false, false, false};
    case group:
      return (struct place){false, true, at.regions, at.locks};
    default:
      return (struct place){false, at.tasks, at.regions, at.locks};
  }
}

/// `executions`: how often the node will be executed about, so that programs stay small.
static struct node* make(struct program* p, struct place at, int depth, long executions) {
  struct node* n = &p->nodes[p->count++];
  do {
    n->kind = p->count == 1 ? sequence : (enum kind)next_random(p, kinds);
  } while (!may_stand(n->kind, at));
  if (depth == 0 || p->count + most_children >= most_nodes || executions > most_executions)
    n->kind = statement;
  n->number = 1 + (int)next_random(p, 5);
  n->chunk = 1 + (int)next_random(p, 3);
  n->active = next_random(p, 8) != 0;
  long each = executions;
  switch (n->kind) {
    case statement:
    case barrier:
    case wait:
    case yield:
    case own_data:
    case task_depend:
    case group_reduction:
    case loop_ordered:
    case cancelled_loop:
    case cancelled_group:
    case cancelled_region:
      return n;
    case parallel:
    case taskloop:
    case loop_static:
    case loop_dynamic:
    case loop_guided:
    case loop_last:
    case loop_reduction:
    case sections:
      each *= n->number;
      break;
    default:
      break;
  }
  n->child_count =
      n == p->nodes
          ? most_children
          : 1 + (int)next_random(p, n->kind == sequence || n->kind == parallel ? most_children : 2);
  for (int i = 0; i < n->child_count; i++) {
    n->children[i] = p->count + most_children < most_nodes
                         ? make(p, inside(n->kind, at), depth - 1, each)
                         : NULL;
  }
  return n;
}

// ---- the answer

/// Of a team of `team` members that stand `active` active regions deep, of at most `most_levels`:
/// `times` is counted over the members.
static long expect(const struct node* n, long times, int team, int active, int most_levels);

static int most_levels_at_start;

static long expect_children(const struct node* n, long times, int team, int active,
                            int most_levels) {
  long sum = 0;
  for (int i = 0; i < n->child_count; i++) {
    if (n->children[i] != NULL) sum += expect(n->children[i], times, team, active, most_levels);
  }
  return sum;
}

static long expect(const struct node* n, long times, int team, int active, int most_levels) {
  switch (n->kind) {
    case statement:
      return times;
    case parallel: {
      int size = n->active && active < most_levels ? n->number : 1;
      return expect_children(n, times * size, size, active + (size > 1), most_levels);
    }
    case loop_static:
    case loop_dynamic:
    case loop_guided:
    case loop_last:
    case loop_reduction:
    case sections:
      return expect_children(n, times / team * (n->kind == sections ? 3 : 3 * n->number), team,
                             active, most_levels);
    case single:
    case single_copy:
    case master:
      return expect_children(n, times / team, team, active, most_levels);
    case taskloop:
      return expect_children(n, times * n->number, team, active, most_levels);
    case target:
#ifdef __clang__
      return expect_children(n, times, team, active, most_levels);
#else
      return expect_children(n, times, 1, 0, most_levels_at_start);  // an initial task of its own
#endif
    default:
      return expect_children(n, times, team, active, most_levels);
  }
}

// ---- the execution

static long own_value;
#pragma omp threadprivate(own_value)

// Of all programs that run: what it says at the end is not known.
static int last_iteration;

static void execute(struct program* p, const struct node* n, int team);

static void execute_children(struct program* p, const struct node* n, int team) {
  for (int i = 0; i < n->child_count; i++) {
    if (n->children[i] != NULL) execute(p, n->children[i], team);
  }
}

// Not by name: the compiler would look for a version of all that it calls for devices.
static void (*volatile children_in_target)(struct program*, const struct node*,
                                           int) = execute_children;

static void add(long* to, long what) { __atomic_fetch_add(to, what, __ATOMIC_RELAXED); }
static long look(const long* at) { return __atomic_load_n(at, __ATOMIC_RELAXED); }

static void expect_that(struct program* p, bool holds) {
  if (!holds) add(&p->wrong, 1);
}

static void in_region(struct program* p, const struct node* n, int team) {
  expect_that(p, omp_get_num_threads() == team);
  own_value = 100 + omp_get_thread_num();
#pragma omp barrier
  expect_that(p, own_value == 100 + omp_get_thread_num());
#pragma omp barrier
  execute_children(p, n, team);
}

static __attribute__((noinline)) void on_deep_stack(struct program* p, const struct node* n,
                                                    int team) {
  size_t bytes = (size_t)(n->number * n->chunk) << 15;
  volatile char* room = (volatile char*)alloca(bytes);
  for (size_t i = 0; i < bytes; i += 1024) room[i] = (char)n->number;
  execute_children(p, n, team);
  int bad = 0;
  for (size_t i = 0; i < bytes; i += 1024) bad += room[i] != (char)n->number;
  expect_that(p, bad == 0);
}

static void in_order_of_dependences(struct program* p, const struct node* n) {
  int chain = 0, reads[2] = {0, 0};
  int tasks = n->number;
#pragma omp taskgroup
  for (int i = 0; i < tasks; i++) {
#pragma omp task depend(inout : chain) shared(chain) firstprivate(i)
    {
      expect_that(p, chain == i);
      chain = i + 1;
    }
  }
#pragma omp task depend(in : chain) depend(out : reads[0]) shared(reads, chain)
  reads[0] = chain;
#pragma omp task depend(in : chain) depend(out : reads[1]) shared(reads, chain)
  reads[1] = chain;
#pragma omp task depend(in : reads[0], reads[1]) shared(reads) if (0)
  expect_that(p, reads[0] == tasks && reads[1] == tasks);
#pragma omp taskwait
}

static void reduced(struct program* p, const struct node* n) {
  long sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 1; i <= 2 * n->number; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
    sum += i;
  }
  expect_that(p, sum == (long)n->number * (2 * n->number + 1));
}

/// Of what is cancelled some may have been executed, and nothing twice.
static void cancelled(struct program* p, const struct node* n) {
  long ran = 0;
  int all = 8 * n->number;
  if (n->kind == cancelled_group) {
#pragma omp taskgroup
    for (int i = 0; i < all; i++) {
#pragma omp task shared(ran) firstprivate(i)
      {
        add(&ran, 1);
        if (i == n->chunk) {
#pragma omp cancel taskgroup
        }
      }
    }
    expect_that(p, look(&ran) <= all);
  } else if (n->kind == cancelled_region) {
#pragma omp parallel num_threads(n->number)
    {
      add(&ran, 1);
#pragma omp cancel parallel if (omp_get_thread_num() == 0)
#pragma omp cancellation point parallel
    }
    expect_that(p, look(&ran) >= 1 && look(&ran) <= n->number);
  } else {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < all; i++) {
      add(&ran, 1);
#pragma omp cancel for if (i == n->chunk)
    }
    expect_that(p, look(&ran) <= all);
  }
}

static void execute(struct program* p, const struct node* n, int team) {
  int iterations = 3 * n->number, chunk = n->chunk, number = n->number;
  switch (n->kind) {
    case statement:
      add(&p->sum, 1);
      break;
    case parallel: {
      long members = 0;
      int size = 0;
#pragma omp parallel num_threads(number) if (n -> active) reduction(+ : members) shared(size)
      {
        if (omp_get_thread_num() == 0) size = omp_get_num_threads();
#pragma omp barrier
        members++;
        in_region(p, n, size);
      }
      expect_that(p, members == size);
      break;
    }
    case loop_static:
#pragma omp for schedule(static, chunk)
      for (int i = 0; i < iterations; i++) execute_children(p, n, team);
      break;
    case loop_dynamic:
#pragma omp for schedule(dynamic, chunk) nowait
      for (int i = 0; i < iterations; i++) execute_children(p, n, team);
      break;
    case loop_guided:
#pragma omp for schedule(guided) collapse(2)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < number; j++) execute_children(p, n, team);
      break;
    case loop_ordered: {
      int last = -1;
#pragma omp for schedule(dynamic, chunk) ordered
      for (int i = 0; i < iterations; i++) {
#pragma omp ordered
        {
          expect_that(p, i > last);
          last = i;
        }
      }
      break;
    }
    case loop_last:
#pragma omp for schedule(dynamic) lastprivate(conditional : last_iteration)
      for (int i = 0; i < iterations; i++) {
        execute_children(p, n, team);
        if (i <= iterations / 2) last_iteration = i;
      }
      break;
    case loop_reduction:
#pragma omp for schedule(runtime)
      for (int i = 0; i < iterations; i++) execute_children(p, n, team);
      break;
    case sections:
#pragma omp sections
    {
#pragma omp section
      execute_children(p, n, team);
#pragma omp section
      execute_children(p, n, team);
#pragma omp section
      execute_children(p, n, team);
    } break;
    case single:
#pragma omp single nowait
      execute_children(p, n, team);
      break;
    case single_copy: {
      int copied = 0;
#pragma omp single copyprivate(copied)
      {
        execute_children(p, n, team);
        copied = number;
      }
      expect_that(p, copied == number);
      break;
    }
    case master:
#pragma omp master
      execute_children(p, n, team);
      break;
    case barrier: {
#pragma omp barrier
      break;
    }
    case critical: {
      // Inside there are statements alone.
#pragma omp critical
      execute_children(p, n, team);
      break;
    }
    case task_tied:
#pragma omp task firstprivate(number)
    {
      expect_that(p, number == n->number);
      execute_children(p, n, team);
      expect_that(p, number == n->number);
    } break;
    case task_untied:
#pragma omp task untied firstprivate(number)
    {
      execute_children(p, n, team);
#pragma omp taskwait
      expect_that(p, number == n->number);
    } break;
    case task_final:
#pragma omp task final(number > 2) mergeable
      execute_children(p, n, team);
      break;
    case task_undeferred:
#pragma omp task if (0)
      execute_children(p, n, team);
      break;
    case task_depend:
      in_order_of_dependences(p, n);
      break;
    case wait: {
#pragma omp taskwait
      break;
    }
    case group:
#pragma omp taskgroup
      execute_children(p, n, team);
      break;
    case group_reduction:
      reduced(p, n);
      break;
    case yield: {
#pragma omp taskyield
      break;
    }
    case taskloop:
#pragma omp taskloop grainsize(chunk)
      for (int i = 0; i < number; i++) execute_children(p, n, team);
      break;
    case deep_stack:
      on_deep_stack(p, n, team);
      break;
    case own_data:
      own_value = 7 + number;
      sched_yield();  // no scheduling point: a task there may open a region, which writes it
      expect_that(p, own_value == 7 + number);
      break;
    case target:
#pragma omp target map(tofrom : p[0 : 1])
      children_in_target(p, n, team);
      break;
    case cancelled_loop:
    case cancelled_group:
    case cancelled_region:
      cancelled(p, n);
      break;
    default:
      break;
    case sequence:
      execute_children(p, n, team);
      break;
  }
}

// Each thread that runs one has its own program.
static void* run_program(void* argument) {
  unsigned long long seed = *(unsigned long long*)argument;
  struct program* p = (struct program*)calloc(1, sizeof *p);
  p->random = seed * 0x9e3779b97f4a7c15ull + 1;
  for (int i = 0; i < 8; i++) next_random(p, 2);
  p->most_levels = 1 + (int)next_random(p, 4);
  omp_set_max_active_levels(p->most_levels);
  // The root: a sequence that stands outside of any region.
  const struct node* root = make(p, (struct place){true, true, true, true}, 7, 1);
  p->expected = expect(root, 1, 1, 0, p->most_levels);
#pragma omp taskgroup
  execute(p, root, 1);
  bool right = p->sum == p->expected && p->wrong == 0;
  if (!right) {
    printf("FAIL program %llu: %ld statements, not %ld; %ld wrong\n", seed, p->sum, p->expected,
           p->wrong);
    check_count(__FILE__, __LINE__, "a random program");
  }
  free(p);
  return NULL;
}

static unsigned long long from_environment(const char* name, unsigned long long otherwise) {
  const char* value = getenv(name);
  return value != NULL ? strtoull(value, NULL, 10) : otherwise;
}

static void test(void) {
  unsigned long long first = from_environment("RANDOM_FIRST", 1);
  unsigned long long end = first + from_environment("RANDOM_COUNT", 100);
  most_levels_at_start = omp_get_max_active_levels();
  omp_set_dynamic(0);
  for (unsigned long long seed = first; seed < end; seed++) {
    if (seed % 4 != 0) {
      run_program(&seed);
      continue;
    }
    unsigned long long other = seed + (1ull << 40);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, run_program, &other) == 0);
    run_program(&seed);
    pthread_join(thread, NULL);
  }
}
