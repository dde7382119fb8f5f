// SPDX-License-Identifier: Apache-2.0
#include "platform/cpu/topology_sys.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace kasuri::platform {
namespace {

namespace fs = std::filesystem;

/// A root folder with the files of a machine.
class machine_files : public testing::Test {
 protected:
  machine_files() {
    std::string pattern = (fs::temp_directory_path() / "kasuri-sys-XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
  }
  ~machine_files() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    const fs::path file = root_ + "/" + path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }

  void cpu(int number, const std::map<std::string, std::string>& files) const {
    for (const auto& [name, text] : files)
      write("sys/devices/system/cpu/cpu" + std::to_string(number) + "/" + name, text);
  }

  void node(int number, const std::string& cpus, int gib) const {
    const std::string of = "sys/devices/system/node/node" + std::to_string(number) + "/";
    write(of + "cpulist", cpus);
    write(of + "meminfo", "Node " + std::to_string(number) + " MemTotal:       " +
                              std::to_string(gib << 20) + " kB\nNode 0 MemFree: 1 kB");
  }

  /// Two packages of two cores of two threads, numbered as firmware does: the second threads last.
  void two_packages() const {
    write("sys/devices/system/cpu/online", "0-7");
    for (int n = 0; n != 8; ++n) {
      const int first = n % 4;
      const std::string package = first < 2 ? "0-1,4-5" : "2-3,6-7";
      cpu(n, {{"topology/core_cpus_list", std::to_string(first) + "," + std::to_string(first + 4)},
              {"topology/physical_package_id", first < 2 ? "0" : "7"},
              {"topology/package_cpus_list", package},
              {"cache/index0/level", "1"},
              {"cache/index1/level", "2"},
              {"cache/index2/level", "3"},
              {"cache/index2/shared_cpu_list", package}});
    }
  }

  std::string root_;
};

std::vector<int> values(const topology& machine, int pu::* field) {
  std::vector<int> all;
  for (const pu& unit : machine.pus) all.push_back(unit.*field);
  return all;
}

using list = std::vector<int>;

TEST_F(machine_files, cores_of_two_threads_lie_together) {
  two_packages();
  write("sys/devices/system/node/online", "0-1");
  node(0, "0-1,4-5", 4);
  node(1, "2-3,6-7", 4);
  const auto machine = read_sys(root_);
  ASSERT_TRUE(machine);
  EXPECT_EQ(values(*machine, &pu::os_index), (list{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(values(*machine, &pu::core), (list{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(values(*machine, &pu::l3), (list{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(values(*machine, &pu::package), (list{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(values(*machine, &pu::numa_node), (list{0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST_F(machine_files, nodes_may_lie_against_the_order_of_the_cpus_and_have_no_cpu) {
  two_packages();
  write("sys/devices/system/node/online", "0-1,4");
  node(0, "2-3,6-7", 2);
  node(1, "0-1,4-5", 4);
  node(4, "", 16);
  write("proc/self/status", "Name:\tx\nMems_allowed:\t1\nMems_allowed_list:\t0-1");
  const auto machine = read_sys(root_);
  ASSERT_TRUE(machine);
  EXPECT_EQ(values(*machine, &pu::numa_node), (list{1, 1, 1, 1, 0, 0, 0, 0}));
  ASSERT_EQ(machine->numa_nodes.size(), 3u);
  EXPECT_EQ(machine->numa_nodes[1].memory_bytes, 4ull << 30);
  EXPECT_FALSE(machine->numa_nodes[1].memory_only);
  EXPECT_TRUE(machine->numa_nodes[1].allowed);
  EXPECT_EQ(machine->numa_nodes[2].os_index, 4);
  EXPECT_TRUE(machine->numa_nodes[2].memory_only);
  EXPECT_FALSE(machine->numa_nodes[2].allowed);
}

TEST_F(machine_files, older_names_and_missing_parts_do) {
  write("sys/devices/system/cpu/online", "0,2");
  for (const int n : {0, 2})
    cpu(n, {{"topology/thread_siblings_list", std::to_string(n)},
            {"topology/physical_package_id", "-1"},
            {"topology/core_siblings_list", "0,2"},
            {"cache/index0/level", "1"}});
  write("proc/meminfo", "MemTotal:        1048576 kB\nMemFree: 5 kB");
  const auto machine = read_sys(root_);
  ASSERT_TRUE(machine);
  EXPECT_EQ(values(*machine, &pu::os_index), (list{0, 2}));
  EXPECT_EQ(values(*machine, &pu::core), (list{0, 1}));
  EXPECT_EQ(values(*machine, &pu::l3), (list{-1, -1}));
  EXPECT_EQ(values(*machine, &pu::package), (list{-1, -1}));
  ASSERT_EQ(machine->numa_nodes.size(), 1u);
  EXPECT_EQ(machine->numa_nodes[0].memory_bytes, 1ull << 30);
}

TEST_F(machine_files, a_machine_that_says_nothing_is_none) {
  EXPECT_FALSE(read_sys(root_));
  write("sys/devices/system/cpu/online", "0-3");
  EXPECT_FALSE(read_sys(root_));
  write("sys/devices/system/cpu/online", "3-1,x");
  EXPECT_FALSE(read_sys(root_));
}

}  // namespace
}  // namespace kasuri::platform
