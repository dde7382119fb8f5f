// SPDX-License-Identifier: Apache-2.0
#include "omp/env/environment.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <tuple>

#include "omp/env/environment_show.hpp"

namespace kasuri::omp {
namespace {

loaded_environment load(std::initializer_list<std::string_view> entries) {
  const std::vector<std::string_view> list(entries);
  return load_environment(list, {.threads = 6, .cpus = {0, 1, 2, 3, 4, 5}, .procs = 6});
}

device_icvs good(std::initializer_list<std::string_view> entries) {
  loaded_environment loaded = load(entries);
  EXPECT_TRUE(loaded.warnings.empty()) << loaded.warnings.front();
  return loaded.values;
}

TEST(environment, defaults_are_the_machine) {
  const device_icvs v = good({});
  EXPECT_EQ(v.initial.nthreads, 6);
  EXPECT_EQ(v.initial.max_active_levels, 1);
  EXPECT_EQ(v.initial.bind, proc_bind::off);
  EXPECT_EQ(v.initial.run_schedule.kind, schedule_kind::dynamic);
  EXPECT_EQ(v.initial.run_schedule.chunk, 1);
  EXPECT_EQ(v.initial.default_allocator, default_mem_alloc);
  EXPECT_FALSE(v.initial.dynamic);
  EXPECT_FALSE(v.cancellation);
  EXPECT_EQ(v.affinity.places.kind, place_kind::none);
  EXPECT_EQ(v.stack_size, 0u);
  EXPECT_TRUE(v.tool);
}

TEST(environment, num_threads_is_a_list_by_level) {
  const device_icvs v = good({"OMP_NUM_THREADS= 4 ,3,2"});
  EXPECT_EQ(v.nthreads, (std::vector{4, 3, 2}));
  EXPECT_EQ(v.initial.nthreads, 4);
  EXPECT_EQ(v.initial.nthreads_level, 1);
  EXPECT_EQ(v.initial.max_active_levels, supported_active_levels) << "a list asks for nesting";
  EXPECT_EQ(good({"OMP_NUM_THREADS=4"}).initial.max_active_levels, 1);
}

TEST(environment, active_levels_go_before_nested) {
  EXPECT_EQ(good({"OMP_NESTED=true"}).initial.max_active_levels, supported_active_levels);
  EXPECT_EQ(good({"OMP_NESTED=true", "OMP_MAX_ACTIVE_LEVELS=3"}).initial.max_active_levels, 3);
  EXPECT_EQ(good({"OMP_NESTED=false", "OMP_NUM_THREADS=2,2"}).initial.max_active_levels, 1);
  EXPECT_EQ(good({"OMP_PROC_BIND=spread,close"}).initial.max_active_levels,
            supported_active_levels);
  EXPECT_EQ(good({"OMP_MAX_ACTIVE_LEVELS=0"}).initial.max_active_levels, 0);
}

TEST(environment, schedule_has_modifiers_and_chunks) {
  const auto of = [](std::string_view entry) { return good({entry}).initial.run_schedule; };
  EXPECT_EQ(of("OMP_SCHEDULE=static").kind, schedule_kind::static_);
  EXPECT_EQ(of("OMP_SCHEDULE=static").chunk, 0);
  EXPECT_EQ(of("OMP_SCHEDULE= GUIDED , 7 ").kind, schedule_kind::guided);
  EXPECT_EQ(of("OMP_SCHEDULE=guided,7").chunk, 7);
  EXPECT_EQ(of("OMP_SCHEDULE=auto").kind, schedule_kind::auto_);
  EXPECT_EQ(of("OMP_SCHEDULE=auto").chunk, 1);
  EXPECT_FALSE(of("OMP_SCHEDULE=dynamic").assumed);
  EXPECT_TRUE(of("OMP_DYNAMIC=false").assumed);
  EXPECT_EQ(of("OMP_SCHEDULE=trapezoidal,13").kind, schedule_kind::guided);
  EXPECT_TRUE(of("OMP_SCHEDULE=trapezoidal,13").trapezoidal);
  EXPECT_EQ(of("OMP_SCHEDULE=static_steal").kind, schedule_kind::dynamic);
  EXPECT_TRUE(of("OMP_SCHEDULE=monotonic:dynamic,3").monotonic);
  EXPECT_FALSE(of("OMP_SCHEDULE=nonmonotonic:dynamic").monotonic);
  EXPECT_EQ(of("OMP_SCHEDULE=dynamic").chunk, 1);
}

TEST(environment, sizes_have_units) {
  EXPECT_EQ(good({"OMP_STACKSIZE=512"}).stack_size, 512u * 1024);
  EXPECT_EQ(good({"OMP_STACKSIZE= 3 M "}).stack_size, 3u << 20);
  EXPECT_EQ(good({"OMP_STACKSIZE=100000B"}).stack_size, 100000u);
  EXPECT_EQ(good({"OMP_STACKSIZE=1g"}).stack_size, 1u << 30);
  EXPECT_EQ(good({"GOMP_STACKSIZE=64"}).stack_size, 64u * 1024);
  EXPECT_EQ(good({"KMP_STACKSIZE=1000000"}).stack_size, 1000000u);
  EXPECT_EQ(good({"KMP_STACKSIZE=1m", "OMP_STACKSIZE=2m"}).stack_size, 2u << 20);
}

TEST(environment, waiting_follows_the_first_that_is_there) {
  EXPECT_EQ(good({"OMP_WAIT_POLICY=active"}).spin_ns, endless);
  EXPECT_EQ(good({"OMP_WAIT_POLICY=PASSIVE"}).spin_ns, 0u);
  EXPECT_EQ(good({"KMP_BLOCKTIME=3"}).spin_ns, 3'000'000u);
  EXPECT_EQ(good({"KMP_BLOCKTIME=30us"}).spin_ns, 30'000u);
  EXPECT_EQ(good({"KMP_BLOCKTIME=infinite"}).spin_ns, endless);
  EXPECT_EQ(good({"KMP_BLOCKTIME=3", "OMP_WAIT_POLICY=passive"}).spin_ns, 0u);
  EXPECT_EQ(good({"GOMP_SPINCOUNT=0", "OMP_WAIT_POLICY=active"}).spin_ns, 0u);
  EXPECT_EQ(good({"GOMP_SPINCOUNT=infinity"}).spin_ns, endless);
  EXPECT_GT(good({"GOMP_SPINCOUNT=5k"}).spin_ns, 5'000u);
}

TEST(environment, binding_without_places_means_cores_and_places_mean_binding) {
  EXPECT_EQ(good({"OMP_PROC_BIND=spread"}).affinity.places.kind, place_kind::cores);
  EXPECT_EQ(good({"OMP_PROC_BIND=spread"}).initial.bind, proc_bind::spread);
  EXPECT_EQ(good({"OMP_PROC_BIND=false"}).affinity.places.kind, place_kind::none);
  EXPECT_EQ(good({"OMP_PLACES=threads"}).initial.bind, proc_bind::on);
  EXPECT_EQ(good({"OMP_PLACES=threads", "OMP_PROC_BIND=false"}).initial.bind, proc_bind::off);
  EXPECT_EQ(good({"GOMP_CPU_AFFINITY=0 1"}).initial.bind, proc_bind::on);
  EXPECT_EQ(good({"KMP_AFFINITY=compact"}).initial.bind, proc_bind::close);
  EXPECT_EQ(good({"KMP_AFFINITY=balanced"}).initial.bind, proc_bind::spread);
  EXPECT_EQ(good({"KMP_AFFINITY=none"}).initial.bind, proc_bind::off);
  const device_icvs v = good({"OMP_PROC_BIND=spread, master"});
  EXPECT_EQ(v.bind, (std::vector{proc_bind::spread, proc_bind::primary}));
}

TEST(environment, numbers_and_switches) {
  const device_icvs v =
      good({"OMP_THREAD_LIMIT=9", "OMP_DYNAMIC=TRUE", "OMP_CANCELLATION=yes",
            "OMP_DEFAULT_DEVICE=2", "OMP_MAX_TASK_PRIORITY=5", "OMP_NUM_TEAMS=3",
            "OMP_TEAMS_THREAD_LIMIT=4", "OMP_DISPLAY_AFFINITY=1", "OMP_AFFINITY_FORMAT=t %n",
            "OMP_TARGET_OFFLOAD=Mandatory", "OMP_DISPLAY_ENV=verbose"});
  EXPECT_EQ(v.initial.thread_limit, 9);
  EXPECT_TRUE(v.initial.dynamic);
  EXPECT_TRUE(v.cancellation);
  EXPECT_EQ(v.initial.default_device, 2);
  EXPECT_EQ(v.max_task_priority, 5);
  EXPECT_EQ(v.initial.nteams, 3);
  EXPECT_EQ(v.initial.teams_thread_limit, 4);
  EXPECT_TRUE(v.affinity.displayed);
  EXPECT_EQ(v.affinity.format, "t %n");
  EXPECT_EQ(v.offload, offload_policy::mandatory);
  EXPECT_EQ(v.display, display_kind::verbose);
  EXPECT_EQ(good({"OMP_THREAD_LIMIT=2"}).initial.nthreads, 2) << "the default fits the limit";
}

TEST(environment, tools) {
  const device_icvs v = good(
      {"OMP_TOOL=disabled", "OMP_TOOL_LIBRARIES=a.so::/b/c.so", "OMP_TOOL_VERBOSE_INIT=stderr"});
  EXPECT_FALSE(v.tool);
  EXPECT_EQ(v.tool_libraries, (std::vector<std::string>{"a.so", "/b/c.so"}));
  EXPECT_EQ(v.tool_verbose, "stderr");
  EXPECT_EQ(good({"OMP_TOOL_VERBOSE_INIT=DISABLED"}).tool_verbose, "");
}

TEST(environment, allocator_by_name_or_traits) {
  EXPECT_EQ(good({"OMP_ALLOCATOR=omp_high_bw_mem_alloc"}).allocator.predefined, 4u);
  const device_icvs v =
      good({"OMP_ALLOCATOR=omp_large_cap_mem_space:alignment=64, pinned=true,"
            "fallback=allocator_fb,fb_data=omp_default_mem_alloc"});
  EXPECT_EQ(v.allocator.predefined, null_allocator);
  EXPECT_EQ(v.allocator.space, 1u);
  ASSERT_EQ(v.allocator.traits.size(), 4u);
  EXPECT_EQ(v.allocator.traits[0].key, trait_key::alignment);
  EXPECT_EQ(v.allocator.traits[0].value, 64u);
  EXPECT_EQ(allocator_text(v.allocator),
            "omp_large_cap_mem_space:alignment=64,pinned=true,fallback=allocator_fb,"
            "fb_data=omp_default_mem_alloc");
}

TEST(environment, ill_formed_values_are_told_by_name_and_leave_the_default) {
  for (const std::string_view entry : {"OMP_NUM_THREADS=x",
                                       "OMP_NUM_THREADS=",
                                       "OMP_NUM_THREADS=0",
                                       "OMP_NUM_THREADS=-2",
                                       "OMP_NUM_THREADS=2,",
                                       "OMP_NUM_THREADS=2 3",
                                       "OMP_NUM_THREADS=99999999999",
                                       "OMP_SCHEDULE=foo",
                                       "OMP_SCHEDULE=static,0",
                                       "OMP_SCHEDULE=fast:static",
                                       "OMP_SCHEDULE=monotonic,static",
                                       "OMP_DYNAMIC=maybe",
                                       "OMP_STACKSIZE=lots",
                                       "OMP_STACKSIZE=3Q",
                                       "OMP_STACKSIZE=-1",
                                       "OMP_STACKSIZE=9223372036854775807g",
                                       "OMP_PROC_BIND=tight",
                                       "OMP_PROC_BIND=close,true",
                                       "OMP_WAIT_POLICY=eager",
                                       "OMP_MAX_ACTIVE_LEVELS=-1",
                                       "OMP_THREAD_LIMIT=0",
                                       "OMP_ALLOCATOR=malloc",
                                       "OMP_ALLOCATOR=omp_default_mem_space:alignment=3",
                                       "OMP_ALLOCATOR=omp_default_mem_space:pinned=perhaps",
                                       "OMP_TARGET_OFFLOAD=gpu",
                                       "OMP_DISPLAY_ENV=loud",
                                       "OMP_TOOL=maybe",
                                       "OMP_TOOL_VERBOSE_INIT=",
                                       "KMP_BLOCKTIME=-1",
                                       "KMP_LIBRARY=fast",
                                       "KMP_AFFINITY=tight",
                                       "GOMP_CPU_AFFINITY=a",
                                       "GOMP_SPINCOUNT=many",
                                       "OMP_CANCELLATION=2",
                                       "OMP_NUM_TEAMS=0"}) {
    const loaded_environment loaded = load({entry});
    ASSERT_EQ(loaded.warnings.size(), 1u) << entry;
    EXPECT_TRUE(loaded.warnings[0].starts_with(entry)) << loaded.warnings[0];
    EXPECT_NE(loaded.warnings[0].find("accepted: "), std::string::npos);
    EXPECT_EQ(display_env_text(loaded.values, true), display_env_text(load({}).values, true))
        << entry;
  }
}

TEST(environment, ill_formed_places_become_those_of_the_kind_named_or_cores) {
  for (const auto& [entry, kind, used] :
       {std::tuple{"OMP_PLACES={0", place_kind::cores, "; cores is used"},
        std::tuple{"OMP_PLACES=sockets(", place_kind::sockets, "; sockets is used"},
        std::tuple{"OMP_PLACES=threads()", place_kind::threads, "; threads is used"}}) {
    const loaded_environment loaded = load({entry});
    ASSERT_EQ(loaded.warnings.size(), 1u) << entry;
    EXPECT_TRUE(loaded.warnings[0].ends_with(used)) << loaded.warnings[0];
    EXPECT_EQ(loaded.values.affinity.places.kind, kind) << entry;
  }
}

TEST(environment, ranges_say_on_which_side_a_value_lies) {
  EXPECT_NE(load({"KMP_DISP_NUM_BUFFERS=0"}).warnings.at(0).find("too small"), std::string::npos);
  EXPECT_NE(load({"KMP_DISP_NUM_BUFFERS=4097"}).warnings.at(0).find("too large"),
            std::string::npos);
  EXPECT_TRUE(load({"KMP_DISP_NUM_BUFFERS=7"}).warnings.empty());
}

TEST(environment, settings_show_what_was_given_and_what_is_in_force) {
  const std::string_view entries[] = {"OMP_PLACES=sockets(", "HOME=here"};
  const std::string text = settings_text(load({entries[0]}).values, entries);
  EXPECT_NE(text.find("User settings:\n\n   OMP_PLACES=sockets(\n\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Effective settings:\n"), std::string::npos);
  EXPECT_NE(text.find("   OMP_PLACES='sockets'\n"), std::string::npos);
}

TEST(environment, other_names_do_not_count_and_the_first_of_one_name_does) {
  EXPECT_EQ(
      good({"XOMP_NUM_THREADS=x", "OMP_NUM_THREADSX=x", "OMP_NUM_THREADS=3", "OMP_NUM_THREADS=x"})
          .initial.nthreads,
      3);
}

TEST(environment, display_shows_what_is_in_force) {
  const std::string text =
      display_env_text(good({"OMP_NUM_THREADS=4,2", "OMP_SCHEDULE=guided,8", "OMP_STACKSIZE=2M",
                             "OMP_PROC_BIND=close,spread"}),
                       false);
  EXPECT_NE(text.find("OPENMP DISPLAY ENVIRONMENT BEGIN\n"), std::string::npos);
  EXPECT_NE(text.find("  [host] OMP_NUM_THREADS = '4,2'\n"), std::string::npos);
  EXPECT_NE(text.find("  [host] OMP_SCHEDULE = 'GUIDED,8'\n"), std::string::npos);
  EXPECT_NE(text.find("  [host] OMP_STACKSIZE = '2M'\n"), std::string::npos);
  EXPECT_NE(text.find("  [host] OMP_PROC_BIND = 'CLOSE,SPREAD'\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("OPENMP DISPLAY ENVIRONMENT END\n"));
}

}  // namespace
}  // namespace kasuri::omp
