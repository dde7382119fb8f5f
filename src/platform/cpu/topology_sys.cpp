// SPDX-License-Identifier: Apache-2.0
#include "platform/cpu/topology_sys.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>
#include <tuple>

namespace kasuri::platform {
namespace {

// Ten thousand CPUs, every other one, take sixty thousand characters.
constexpr std::size_t longest_file = std::size_t{1} << 16;

/// The beginning of a file; empty when it cannot be read.
std::string content(const std::string& path) {
  std::string text;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  std::array<char, 4096> part;
  while (text.size() < longest_file) {
    const ssize_t got = ::read(file, part.data(), part.size());
    if (got <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  ::close(file);
  return text;
}

/// The number at the front of `text`, which is taken off it; -1 where there is none.
int take_number(std::string_view& text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc{} ? value : -1;
}

/// "0-3,8,10-11", ascending. A malformed part ends the list.
std::vector<int> list_in(std::string_view text) {
  std::vector<int> numbers;
  while (!text.empty()) {
    const int first = take_number(text);
    int last = first;
    if (text.starts_with('-')) {
      text.remove_prefix(1);
      last = take_number(text);
    }
    if (first < 0 || last < first) break;
    for (int n = first; n <= last; ++n) numbers.push_back(n);
    if (!text.starts_with(',')) break;
    text.remove_prefix(1);
  }
  return numbers;
}

std::vector<int> list_of(const std::string& path) { return list_in(content(path)); }

/// The text behind `name` in a file of lines like "name: value".
std::string_view value_of(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + name.size());
  text.remove_prefix(std::min(text.find_first_not_of(": \t"), text.size()));
  return text.substr(0, text.find('\n'));
}

std::uint64_t memory_in(const std::string& meminfo) {
  const std::string_view text = value_of(meminfo, "MemTotal");
  std::uint64_t kib = 0;
  std::from_chars(text.data(), text.data() + text.size(), kib);
  return kib << 10;
}

/// For each CPU the first CPU of its group of one kind: the group's name. Each group's file is read
/// once, for the first of its CPUs that is asked about.
class grouping {
 public:
  /// `members` reads the CPUs of the group of a CPU; empty: it is in none.
  template <class Members>
  int of(int cpu, Members members) {
    const auto known = first_of_.find(cpu);
    if (known != first_of_.end()) return known->second;
    const std::vector<int> group = members(cpu);
    if (std::ranges::find(group, cpu) == group.end()) return first_of_[cpu] = -1;
    for (const int each : group) first_of_[each] = group.front();
    return group.front();
  }

 private:
  std::map<int, int> first_of_;
};

class sys_reader {
 public:
  explicit sys_reader(const std::string& root)
      : root_(root), system_(root + "/sys/devices/system/") {}

  std::optional<topology> read() {
    topology machine;
    for (const int cpu : list_of(system_ + "cpu/online")) {
      pu unit{.os_index = cpu};
      unit.core = cores_.of(
          cpu, [&](int c) { return siblings(c, "core_cpus_list", "thread_siblings_list"); });
      // Above a CPU that the kernel says nothing of there is nothing to tell it from others.
      if (unit.core < 0) return std::nullopt;
      unit.package = packages_.of(cpu, [&](int c) { return package_of(c); });
      unit.l3 = caches_.of(cpu, [&](int c) { return sharers_of_l3(c); });
      machine.pus.push_back(unit);
    }
    if (machine.pus.empty()) return std::nullopt;
    read_nodes(machine);
    put_in_order(machine.pus);
    return machine;
  }

 private:
  std::string folder(int cpu) const { return system_ + "cpu/cpu" + std::to_string(cpu) + "/"; }

  /// The second name is that of kernels before 5.3.
  std::vector<int> siblings(int cpu, const char* name, const char* older) const {
    const std::string of = folder(cpu) + "topology/";
    std::vector<int> found = list_of(of + name);
    return found.empty() ? list_of(of + older) : found;
  }

  std::vector<int> package_of(int cpu) const {
    // Where firmware does not number the packages, the list means nothing.
    if (content(folder(cpu) + "topology/physical_package_id").starts_with('-')) return {};
    return siblings(cpu, "package_cpus_list", "core_siblings_list");
  }

  std::vector<int> sharers_of_l3(int cpu) {
    const std::string caches = folder(cpu) + "cache/index";
    const auto level = [&](int i) { return content(caches + std::to_string(i) + "/level"); };
    // Where that of the CPU before was, it is nearly always.
    if (!level(index_of_l3_).starts_with('3')) {
      index_of_l3_ = 0;
      for (std::string at; !(at = level(index_of_l3_)).starts_with('3'); ++index_of_l3_)
        if (at.empty()) return {};
    }
    return list_of(caches + std::to_string(index_of_l3_) + "/shared_cpu_list");
  }

  void read_nodes(topology& machine) {
    const std::string status = content(root_ + "/proc/self/status");
    const std::vector<int> allowed = list_in(value_of(status, "Mems_allowed_list"));
    for (const int number : list_of(system_ + "node/online")) {
      const std::string of = system_ + "node/node" + std::to_string(number) + "/";
      const std::vector<int> cpus = list_of(of + "cpulist");
      numa_node node{.os_index = number,
                     .memory_bytes = memory_in(content(of + "meminfo")),
                     .memory_only = true};
      for (pu& unit : machine.pus)
        if (std::ranges::binary_search(cpus, unit.os_index)) {
          unit.numa_node = number;
          node.memory_only = false;
        }
      node.allowed = allowed.empty() || std::ranges::binary_search(allowed, number);
      machine.numa_nodes.push_back(node);
    }
    // A kernel that knows of no nodes.
    if (machine.numa_nodes.empty())
      machine.numa_nodes.push_back({.memory_bytes = memory_in(content(root_ + "/proc/meminfo"))});
  }

  /// In the order of the tree; each kind of group counted in it, from zero.
  static void put_in_order(std::vector<pu>& pus) {
    std::map<int, int> first_of_node;
    for (const pu& unit : pus) first_of_node.try_emplace(unit.numa_node, unit.os_index);
    std::ranges::sort(pus, {}, [&](const pu& unit) {
      return std::tuple(unit.package, first_of_node[unit.numa_node], unit.l3, unit.core,
                        unit.os_index);
    });
    for (int pu::* const kind : {&pu::package, &pu::l3, &pu::core}) {
      std::map<int, int> number;
      for (pu& unit : pus)
        if (unit.*kind >= 0)
          unit.*kind = number.try_emplace(unit.*kind, int(number.size())).first->second;
    }
  }

  std::string root_;
  std::string system_;
  grouping cores_;
  grouping caches_;
  grouping packages_;
  int index_of_l3_ = 3;
};

}  // namespace

std::optional<topology> read_sys(const std::string& root) { return sys_reader(root).read(); }

}  // namespace kasuri::platform
