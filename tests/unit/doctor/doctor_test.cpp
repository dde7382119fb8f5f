// SPDX-License-Identifier: Apache-2.0
// What is said of machines that are made up for it.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "doctor/cpus.hpp"
#include "doctor/environment.hpp"
#include "doctor/measuring.hpp"
#include "doctor/memory.hpp"

namespace kasuri::doctor {
namespace {

namespace fs = std::filesystem;

const finding& about(const findings& all, const std::string& topic) {
  for (const finding& each : all)
    if (each.topic == topic) return each;
  throw std::runtime_error("nothing is said of " + topic);
}

bool says(const finding& f, const std::string& part) {
  return (f.what + "; " + f.advice).find(part) != std::string::npos;
}

class folder {
 public:
  folder() {
    std::string name = ::testing::TempDir() + "kasuri-doctor-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    path_ = name;
  }
  ~folder() { fs::remove_all(path_); }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    const fs::path file = fs::path(path_) / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file.string();
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(DoctorCpus, AQuietWholeMachineIsFine) {
  for (const finding& each :
       judge(cpus_seen{.present = 4, .affinity = 4, .usable = 4, .cores = 4, .workers = 4}))
    EXPECT_EQ(each.is, grade::ok) << each.topic;
}

TEST(DoctorCpus, AMaskAndSiblingsAreNoted) {
  const findings all =
      judge(cpus_seen{.present = 8, .affinity = 4, .usable = 4, .cores = 2, .workers = 3});
  EXPECT_TRUE(says(about(all, "CPUs"), "4 of 8 CPUs"));
  EXPECT_TRUE(says(about(all, "cores"), "KASURI_NUM_WORKERS=2"));
  EXPECT_EQ(about(all, "workers").is, grade::note);
}

TEST(DoctorCpus, APartOfACpuIsAWarning) {
  cpus_seen seen{.present = 8, .affinity = 8, .usable = 2, .cores = 8, .workers = 4};
  seen.quota = platform::cpu_quota{150'000, 100'000, "/sys/fs/cgroup/x/cpu.max"};
  findings all = judge(seen);
  EXPECT_EQ(about(all, "quota").is, grade::warning);
  EXPECT_TRUE(says(about(all, "quota"), "1.5 CPUs (/sys/fs/cgroup/x/cpu.max)"));
  EXPECT_TRUE(says(about(all, "quota"), "KASURI_NUM_WORKERS=1"));
  EXPECT_EQ(about(all, "workers").is, grade::warning);
  seen.quota->quota_us = 200'000;
  all = judge(seen);
  EXPECT_EQ(about(all, "quota").is, grade::note);
}

TEST(DoctorLoad, IsWhatOthersUsedOfOurCpus) {
  const folder before;
  before.write("proc/stat",
               "cpu  9 9 9 9 9 9 9 9\ncpu0 100 0 0 100 0 0 0 0\n"
               "cpu1 100 0 0 100 0 0 0 0\nintr 5\n");
  const folder after;
  after.write("proc/stat",
              "cpu  9 9 9 9 9 9 9 9\ncpu0 140 10 20 130 0 0 0 0\n"
              "cpu1 100 0 0 180 0 0 0 20\nintr 5\n");
  const machine_ticks first = read_ticks(before.path());
  const machine_ticks then = read_ticks(after.path());
  ASSERT_EQ(first.size(), 2U);
  const findings all = judge_load(first, then, {0, 1});
  EXPECT_EQ(about(all, "load").is, grade::warning);
  EXPECT_TRUE(says(about(all, "load"), "0.7 of 2 CPUs")) << all[0].what;
  EXPECT_TRUE(says(about(all, "host"), "0.2 of 2 CPUs"));
  const findings quiet = judge_load(first, first, {0, 1});
  EXPECT_EQ(about(quiet, "load").is, grade::note);
}

TEST(DoctorMemory, NodesAndImitatedMachines) {
  platform::topology machine;
  machine.numa_nodes = {{.os_index = 0, .memory_bytes = 3ULL << 30},
                        {.os_index = 1, .memory_bytes = 0, .allowed = false}};
  machine.is_this_machine = false;
  const findings all = judge(machine);
  EXPECT_EQ(about(all, "machine").is, grade::warning);
  EXPECT_TRUE(says(about(all, "memory"), "node 0: 3 GiB"));
  EXPECT_TRUE(says(about(all, "NUMA"), "2 nodes"));
  EXPECT_EQ(judge_huge_pages("never").is, grade::note);
  EXPECT_EQ(judge_huge_pages("madvise").is, grade::ok);
}

TEST(DoctorLimits, AreComparedWithTheSettings) {
  limits_seen seen{.threads = 50,
                   .address_space = 1ULL << 30,
                   .mappings = 65530,
                   .stack_size = 1 << 20,
                   .workers = 4,
                   .max_spares = 64,
                   .max_blocking = 1000};
  findings all = judge(seen);
  EXPECT_EQ(about(all, "threads").is, grade::warning);
  EXPECT_TRUE(says(about(all, "addresses"), "1024 stacks"));
  EXPECT_TRUE(says(about(all, "guard pages"), "16382 tasks that wait"));
  seen.threads = 100;
  EXPECT_EQ(about(judge(seen), "threads").is, grade::note);
  seen.threads = 5000;
  EXPECT_EQ(about(judge(seen), "threads").is, grade::ok);
  seen.guards_without_mappings = true;
  EXPECT_EQ(about(judge(seen), "guard pages").is, grade::ok);
}

TEST(DoctorMeasuring, SaysWhatProfilesLack) {
  EXPECT_EQ(about(judge(measuring_seen{}), "profile").is, grade::ok);
  EXPECT_TRUE(says(about(judge(measuring_seen{.signal_is_free = false}), "profile"), "SIGPROF"));
  EXPECT_TRUE(says(about(judge(measuring_seen{.reads_calls = false}), "profile"), "syscall"));
  EXPECT_TRUE(
      says(about(judge(measuring_seen{.counter_error = EACCES, .paranoid = "4"}), "counters"),
           "perf_event_paranoid is 4"));
  EXPECT_EQ(about(judge(measuring_seen{.clock_source = "hpet"}), "clock").is, grade::note);
  EXPECT_EQ(about(judge(measuring_seen{.steady_ticks = false}), "clock").is, grade::warning);
}

TEST(DoctorMeasuring, ReadsTheClockBelowARoot) {
  const folder root;
  root.write("sys/devices/system/clocksource/clocksource0/current_clocksource", "acpi_pm\n");
  root.write("proc/cpuinfo", "flags\t\t: fpu tsc constant_tsc\n");
  const measuring_seen seen = look_at_measuring(root.path());
  EXPECT_EQ(seen.clock_source, "acpi_pm");
  EXPECT_FALSE(seen.steady_ticks);
  EXPECT_FALSE(seen.reads_calls);
}

TEST(DoctorEnvironment, Settings) {
  const std::string_view good[] = {"KASURI_SPIN=5"};
  EXPECT_TRUE(
      says(about(judge(platform::load_settings(good)), "setting"), "KASURI_SPIN=5, by default"));
  const std::string_view bad[] = {"KASURI_SPIN=x", "KASURI_SPINN=1"};
  const findings all = judge(platform::load_settings(bad));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(says(all[0], "KASURI_SPIN=x: not a whole number"));
  EXPECT_TRUE(says(all[1], "did you mean KASURI_SPIN?"));
  EXPECT_EQ(about(judge(platform::load_settings({})), "settings").is, grade::ok);
}

#if KASURI_DOCTOR_OPENMP
TEST(DoctorEnvironment, VariablesOfOpenMP) {
  const std::string_view given[] = {"OMP_NUM_THREADS=4", "OMP_NUM_THREADS=abc", "KMP_FOO=1", "X=1"};
  const findings all = judge_openmp_variables(given);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_TRUE(says(all[0], "OMP_NUM_THREADS=4 is heeded"));
  EXPECT_EQ(all[1].is, grade::warning);
  EXPECT_TRUE(says(all[2], "KMP_FOO is not heeded"));
}
#endif

TEST(DoctorEnvironment, OpenMPLibraries) {
  const folder root;
  const std::string ours = fs::path(root.write("ours/libgomp.so.1", "")).parent_path();
  const std::string other = fs::path(root.write("other/libomp.so", "")).parent_path();
  EXPECT_EQ(judge_openmp_libraries(ours, "/nowhere", "")[0].is, grade::ok);
  EXPECT_TRUE(says(judge_openmp_libraries(ours, "/nowhere:" + other + ":" + ours, "")[0],
                   "another OpenMP runtime: " + other + "/libomp.so"));
  EXPECT_TRUE(
      says(judge_openmp_libraries(ours, "", ours + "/libgomp.so.1")[0], "LD_PRELOAD names Kasuri"));
  EXPECT_TRUE(says(judge_openmp_libraries("", "", "")[0], "without its OpenMP library"));
}

TEST(DoctorEnvironment, LaunchersOfRanks) {
  const folder root;
  const std::string target = root.write("bin/orterun", "");
  ::chmod(target.c_str(), 0755);
  fs::create_symlink(target, root.path() + "/bin/mpirun");
  EXPECT_TRUE(
      says(judge_mpi("/nowhere:" + root.path() + "/bin"), "mpirun starts ranks of Open MPI"));
  EXPECT_EQ(judge_mpi("/nowhere").is, grade::note);
}

TEST(DoctorFindings, AsTextAndJson) {
  const findings all = {{grade::warning, "load", "busy", "wait"}, {grade::ok, "MPI", "none", ""}};
  EXPECT_EQ(findings_text(all),
            "warning  load           busy; wait\nok       MPI            none\n");
  const auto object = nlohmann::json::parse(findings_json(all));
  ASSERT_EQ(object["findings"].size(), 2U);
  EXPECT_EQ(object["findings"][0]["grade"], "warning");
  EXPECT_EQ(object["findings"][0]["advice"], "wait");
}

}  // namespace
}  // namespace kasuri::doctor
