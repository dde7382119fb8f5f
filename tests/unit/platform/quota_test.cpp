// SPDX-License-Identifier: Apache-2.0
// Control group trees laid out in a folder of their own.
#include "platform/cpu/quota.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace kasuri::platform {
namespace {

constexpr const char* v2_mount =
    "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char* v1_mount =
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
    "33 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n";

class quota : public testing::Test {
 protected:
  quota() {
    std::string pattern = testing::TempDir() + "/kasuri-quota-XXXXXX";
    root_ = ::mkdtemp(pattern.data());
  }
  ~quota() override { std::filesystem::remove_all(root_); }

  void put(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  void put_process(const std::string& groups, const std::string& mounts) {
    put("/proc/self/cgroup", groups);
    put("/proc/self/mountinfo", "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n" + mounts);
  }

  void put_v1(const std::string& group, const std::string& quota_us, const std::string& period_us) {
    const std::string directory = "/sys/fs/cgroup/cpu,cpuacct" + group;
    put(directory + "/cpu.cfs_quota_us", quota_us + "\n");
    put(directory + "/cpu.cfs_period_us", period_us + "\n");
  }

  std::optional<cpu_quota> read() const { return read_cpu_quota(root_); }

  std::string root_;
};

TEST_F(quota, is_absent_without_control_groups) { EXPECT_FALSE(read()); }

TEST_F(quota, v2_of_the_own_group) {
  put_process("0::/job\n", v2_mount);
  put("/sys/fs/cgroup/job/cpu.max", "200000 100000\n");
  const auto found = read();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->quota_us, 200000);
  EXPECT_EQ(found->period_us, 100000);
  EXPECT_EQ(found->whole_cpus(), 2);
  EXPECT_EQ(found->file, root_ + "/sys/fs/cgroup/job/cpu.max");
}

TEST_F(quota, v2_nested_takes_the_smallest) {
  put_process("0::/slice/job/step\n", v2_mount);
  put("/sys/fs/cgroup/slice/cpu.max", "300000 100000\n");
  put("/sys/fs/cgroup/slice/job/cpu.max", "80000 20000\n");
  put("/sys/fs/cgroup/slice/job/step/cpu.max", "max 100000\n");
  EXPECT_EQ(read()->whole_cpus(), 3);
  put("/sys/fs/cgroup/slice/job/step/cpu.max", "10000 10000\n");
  EXPECT_EQ(read()->whole_cpus(), 1);
}

TEST_F(quota, v2_limit_at_the_mount_point_of_a_container) {
  put_process("0::/\n", v2_mount);
  put("/sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_EQ(read()->whole_cpus(), 4);
}

TEST_F(quota, max_is_no_limit) {
  put_process("0::/job\n", v2_mount);
  put("/sys/fs/cgroup/job/cpu.max", "max 100000\n");
  EXPECT_FALSE(read());
}

TEST_F(quota, is_rounded_up) {
  put_process("0::/job\n", v2_mount);
  put("/sys/fs/cgroup/job/cpu.max", "150000 100000\n");
  EXPECT_DOUBLE_EQ(read()->cpus(), 1.5);
  EXPECT_EQ(read()->whole_cpus(), 2);
  put("/sys/fs/cgroup/job/cpu.max", "50000 100000\n");
  EXPECT_EQ(read()->whole_cpus(), 1);
}

TEST_F(quota, v1_of_the_own_group_and_above) {
  put_process("4:cpuset:/other\n2:cpu,cpuacct:/docker/abc\n", v1_mount);
  put_v1("/docker/abc", "250000", "100000");
  EXPECT_EQ(read()->whole_cpus(), 3);
  put_v1("/docker", "100000", "100000");
  EXPECT_EQ(read()->whole_cpus(), 1);
  put_v1("/docker", "-1", "100000");
  EXPECT_EQ(read()->whole_cpus(), 3);
}

TEST_F(quota, v1_and_v2_together_take_the_smaller) {
  put_process("2:cpu,cpuacct:/a\n0::/b\n",
              std::string(v1_mount) +
                  "38 31 0:31 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n");
  put_v1("/a", "600000", "100000");
  EXPECT_EQ(read()->whole_cpus(), 6);
  put("/sys/fs/cgroup/unified/b/cpu.max", "500000 100000\n");
  EXPECT_EQ(read()->whole_cpus(), 5);
}

TEST_F(quota, a_mount_may_show_a_part_of_the_hierarchy) {
  put_process("0::/docker/abc/job\n",
              "31 23 0:28 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  put("/sys/fs/cgroup/job/cpu.max", "200000 100000\n");
  EXPECT_EQ(read()->whole_cpus(), 2);
}

TEST_F(quota, a_group_outside_the_mount_is_seen_at_the_mount_point) {
  put("/sys/fs/cgroup/cpu.max", "300000 100000\n");
  put_process("0::/docker/abcdef\n",
              "31 23 0:28 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  EXPECT_EQ(read()->whole_cpus(), 3);
  put_process("0::/../other\n", v2_mount);
  EXPECT_EQ(read()->whole_cpus(), 3);
}

TEST_F(quota, a_mount_point_may_hold_spaces) {
  put_process("0::/job\n", "31 23 0:28 / /my\\040groups rw - cgroup2 cgroup2 rw\n");
  put("/my groups/job/cpu.max", "200000 100000\n");
  EXPECT_EQ(read()->whole_cpus(), 2);
}

TEST_F(quota, malformed_files_are_ignored) {
  put_process("nonsense\n0::/job\n", "nonsense\n31 - cgroup2\n" + std::string(v2_mount));
  put("/sys/fs/cgroup/cpu.max", "700000 100000\n");
  for (const char* text : {"", "\n", "100000", "abc 100000", "100000 abc", "0 100000", "100000 0",
                           "-5 100000", "100000 100000 100000", "99999999999999999999 100000"}) {
    put("/sys/fs/cgroup/job/cpu.max", text);
    EXPECT_EQ(read()->whole_cpus(), 7) << text;
  }
}

}  // namespace
}  // namespace kasuri::platform
