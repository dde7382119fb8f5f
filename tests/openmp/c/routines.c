// SPDX-License-Identifier: Apache-2.0
// The omp_* routines: what they return outside and inside of regions, and what setting does.
#include "support/check.h"

static void threads_and_levels(void) {
  CHECK(omp_get_num_procs() >= 1);
  CHECK_EQ(omp_get_num_threads(), is_nested() ? instances : 1);
  CHECK_EQ(omp_get_level(), base_level());
  CHECK_EQ(omp_get_active_level(), base_level());
  CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
  CHECK_EQ(omp_get_team_size(0), 1);
  CHECK_EQ(omp_get_ancestor_thread_num(50), -1);
  CHECK_EQ(omp_get_team_size(50), -1);
  CHECK(omp_get_supported_active_levels() >= 3);
  CHECK(omp_get_thread_limit() >= 16);
  CHECK(omp_get_max_task_priority() >= 0);
  CHECK_EQ(omp_get_cancellation(), 0);
  CHECK(!omp_in_final());
  CHECK_EQ(omp_get_num_teams(), 1);
  CHECK_EQ(omp_get_team_num(), 0);
}

static void max_active_levels(void) {
  int before = omp_get_max_active_levels();
  omp_set_max_active_levels(5);
  CHECK_EQ(omp_get_max_active_levels(), 5);
  omp_set_max_active_levels(0);
  CHECK_EQ(omp_get_max_active_levels(), 0);
#pragma omp parallel num_threads(2)
  CHECK_EQ(omp_get_num_threads(), 1);
  omp_set_max_active_levels(before);
  CHECK_EQ(omp_get_max_active_levels(), before);
}

static void nested_switch(void) {
  int before = omp_get_max_active_levels();
  omp_set_nested(1);
  CHECK(omp_get_nested());
  CHECK(omp_get_max_active_levels() > 1);
  omp_set_max_active_levels(1);
  CHECK(!omp_get_nested());
  omp_set_max_active_levels(before);
}

static void dynamic_switch(void) {
  CHECK_EQ(omp_get_dynamic(), 0);
  if (is_nested() && known_bug("libomp", "stops itself when only inner members are dynamic")) {
    return;
  }
  omp_set_dynamic(1);
  CHECK_EQ(omp_get_dynamic(), 1);
  int members = 0;
#pragma omp parallel num_threads(4) reduction(+ : members)
  members++;
  CHECK(members >= 1 && members <= 4);
  omp_set_dynamic(0);
  CHECK_EQ(omp_get_dynamic(), 0);
}

static void schedules(void) {
  const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided};
  omp_sched_t kind;
  int chunk;
  for (int at = 0; at < 3; at++) {
    omp_set_schedule(kinds[at], 7 + at);
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ((unsigned)kind & ~(unsigned)omp_sched_monotonic, kinds[at]);
    CHECK_EQ(chunk, 7 + at);
  }
  omp_set_schedule((omp_sched_t)(omp_sched_dynamic | omp_sched_monotonic), 2);
  omp_get_schedule(&kind, &chunk);
  CHECK_EQ((unsigned)kind, (unsigned)omp_sched_dynamic | (unsigned)omp_sched_monotonic);
  omp_set_schedule(omp_sched_auto, 0);
  omp_get_schedule(&kind, &chunk);
  CHECK_EQ((unsigned)kind & ~(unsigned)omp_sched_monotonic, omp_sched_auto);
  omp_set_schedule(omp_sched_dynamic, 1);
}

static void time_routines(void) {
  double tick = omp_get_wtick(), first = omp_get_wtime(), last = first;
  CHECK(tick > 0 && tick < 1);
  for (int i = 0; i < 1000; i++) {
    double now = omp_get_wtime();
    CHECK(now >= last);
    last = now;
  }
}

static void places(void) {
  int count = omp_get_num_places();
  CHECK(count >= 0);
  for (int place = 0; place < count; place++) {
    int procs = omp_get_place_num_procs(place);
    CHECK(procs >= 1 && procs <= 4096);
    int ids[4096];
    omp_get_place_proc_ids(place, ids);
    for (int i = 0; i < procs; i++) {
      CHECK(ids[i] >= 0);
    }
  }
  CHECK_EQ(omp_get_place_num_procs(-1), 0);
  CHECK_EQ(omp_get_place_num_procs(count + 5), 0);
  CHECK(omp_get_place_num() >= -1 && omp_get_place_num() < (count > 0 ? count : 1));
  int in_partition = omp_get_partition_num_places(), numbers[4096];
  CHECK(in_partition >= 0 && in_partition <= count);
  omp_get_partition_place_nums(numbers);
  for (int i = 0; i < in_partition; i++) {
    CHECK(numbers[i] >= 0 && numbers[i] < count);
  }
  CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_false);
}

static void affinity_format(void) {
  if (is_nested()) {
    return;  // one format for the whole program
  }
  char text[200], small[4];
  omp_set_affinity_format("level %L thread %n of %N, {team_num} %T, %3i|%.4n|%%");
  size_t length = omp_get_affinity_format(text, sizeof text);
  CHECK_EQ(length, strlen(text));
  CHECK(strcmp(text, "level %L thread %n of %N, {team_num} %T, %3i|%.4n|%%") == 0);
  CHECK_EQ(omp_get_affinity_format(small, sizeof small), length);
  CHECK(strcmp(small, "lev") == 0);
  length = omp_capture_affinity(text, sizeof text, "%L %n/%N %t|%4n|%0.4n|%{thread_num}|%%|");
  CHECK(strcmp(text, "0 0/1 0|0   |0000|0|%|") == 0);
  CHECK_EQ(length, strlen(text));
  CHECK_EQ(omp_capture_affinity(small, sizeof small, "abcdef"), 6);
  CHECK(strcmp(small, "abc") == 0);
  CHECK_EQ(omp_capture_affinity(NULL, 0, "abcdef"), 6);
#pragma omp parallel num_threads(3)
  {
    char mine[100], wanted[100];
    omp_capture_affinity(mine, sizeof mine, "%L.%n.%N.%a");
    snprintf(wanted, sizeof wanted, "1.%d.3.0", omp_get_thread_num());
    CHECK(strcmp(mine, wanted) == 0);
    CHECK(omp_capture_affinity(mine, sizeof mine, "%H %P %A %i") > 0);
  }
}

static void pauses(void) {
  int sum = 0;
  if (is_nested()) {
    return;  // not inside of a region
  }
  CHECK_EQ(omp_pause_resource(omp_pause_soft, omp_get_initial_device()), 0);
#pragma omp parallel reduction(+ : sum)
  sum++;
  CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);
#pragma omp parallel reduction(+ : sum)
  sum++;
  CHECK_EQ(sum, 2 * team_size());
}

static void inside_a_region(void) {
#pragma omp parallel num_threads(3)
  {
    CHECK(omp_in_parallel());
    CHECK(!omp_in_final());
    CHECK_EQ(omp_get_num_threads(), 3);
    CHECK_EQ(omp_get_level(), base_level() + 1);
    CHECK_EQ(omp_get_team_size(omp_get_level()), 3);
    CHECK_EQ(omp_get_ancestor_thread_num(omp_get_level()), omp_get_thread_num());
#pragma omp task
    {
      CHECK_EQ(omp_get_num_threads(), 3);
      CHECK_EQ(omp_get_level(), base_level() + 1);
    }
#ifdef __clang__  // not in libgomp 12
    CHECK(!omp_in_explicit_task());
#pragma omp task
    CHECK(omp_in_explicit_task());
#endif
  }
}

static void test(void) {
  threads_and_levels();
  max_active_levels();
  nested_switch();
  dynamic_switch();
  schedules();
  time_routines();
  places();
  affinity_format();
  inside_a_region();
  pauses();
}
