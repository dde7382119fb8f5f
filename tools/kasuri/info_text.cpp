// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <set>
#include <vector>

#include "info.hpp"
#include "platform/settings/settings_text.hpp"

namespace kasuri::command {
namespace {

using platform::pu;

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

std::string fixed(double value, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f %s", value, unit);
  return text;
}

// "0-3,8": runs of consecutive CPU numbers, in tree order.
std::string cpu_ranges(const std::vector<pu>& pus) {
  std::string ranges;
  for (std::size_t first = 0; first < pus.size();) {
    std::size_t last = first;
    while (last + 1 < pus.size() && pus[last + 1].os_index == pus[last].os_index + 1) {
      ++last;
    }
    ranges += (ranges.empty() ? "" : ",") + std::to_string(pus[first].os_index);
    ranges += last == first ? "" : "-" + std::to_string(pus[last].os_index);
    first = last + 1;
  }
  return ranges;
}

std::string cpus_text(const machine_report& report) {
  std::string text = std::to_string(report.usable_cpus) + " usable of " +
                     std::to_string(report.present_cpus) + " present (affinity mask " +
                     std::to_string(report.affinity_cpus);
  text += report.quota
              ? ", quota " + fixed(report.quota->cpus(), "CPUs") + " by " + report.quota->file
              : ", no CPU quota";
  return text + ")";
}

std::string node_text(const platform::numa_node& node, const platform::topology& machine) {
  std::size_t cpus = 0;
  for (const pu& unit : machine.pus) {
    cpus += unit.numa_node == node.os_index ? 1 : 0;
  }
  constexpr double gib = 1 << 30;
  const double memory = static_cast<double>(node.memory_bytes) / gib;
  return (node.memory_bytes == 0 ? "memory unknown" : fixed(memory, "GiB")) + ", " +
         (node.memory_only ? "memory only" : counted(cpus, "usable CPU")) +
         (node.allowed ? "" : ", not allowed to this process");
}

// Consecutive PUs under the same package, node and L3 make one line of the tree.
bool same_line(const pu& a, const pu& b) {
  return a.package == b.package && a.numa_node == b.numa_node && a.l3 == b.l3;
}

std::string tree_line(const std::vector<pu>& group) {
  const pu& first = group.front();
  std::set<int> cores;
  for (const pu& unit : group) {
    cores.insert(unit.core);
  }
  std::string line = "  ";
  line += first.package < 0 ? "" : "package " + std::to_string(first.package) + ", ";
  line += "node " + std::to_string(first.numa_node) + ", ";
  line += first.l3 < 0 ? "" : "L3 " + std::to_string(first.l3) + ", ";
  return line + counted(cores.size(), "core") + ", CPUs " + cpu_ranges(group) + "\n";
}

std::string tree_text(const platform::topology& machine) {
  std::string text;
  std::vector<pu> group;
  for (const pu& unit : machine.pus) {
    if (!group.empty() && !same_line(group.front(), unit)) {
      text += tree_line(group);
      group.clear();
    }
    group.push_back(unit);
  }
  return text + tree_line(group);
}

std::string features_text(const platform::features& features) {
  const auto yes_no = [](bool has) { return has ? "yes" : "no"; };
  return std::string("membarrier ") + yes_no(features.membarrier) + ", fsgsbase " +
         yes_no(features.fsgsbase) + ", guard-install " + yes_no(features.guard_install) +
         ", transparent huge pages " + features.huge_pages;
}

std::string settings_text(const platform::settings& settings) {
  std::string text;
  for (const platform::setting& row : platform::settings_table()) {
    const auto origin = platform::origin_of(settings, row);
    const std::string value = platform::value_text(row, settings);
    if (row.category == "internal") {
      continue;
    }
    char line[256];
    std::snprintf(line, sizeof line, "  %-20s  %-8.160s  %s\n", std::string(row.name).c_str(),
                  value.empty() ? "(empty)" : value.c_str(), platform::origin_name(origin));
    text += line;
  }
  return text;
}

std::string build_text() {
  std::string text;
  for (const build_fact& each : build_facts())
    text += (text.empty() ? "" : ", ") + std::string(each.name) + " " + each.value;
  return text;
}

std::string tree_origin(const platform::topology& machine) {
  if (!machine.has_structure) {
    return " (flat: /sys does not describe the CPUs)";
  }
  return machine.is_this_machine ? "" : " (described by HWLOC_SYNTHETIC or HWLOC_XMLFILE)";
}

}  // namespace

std::string report_text(const machine_report& report) {
  std::string text = "kasuri " KASURI_VERSION "\n";
  text += "Build     " + build_text() + "\n";
  text += "CPUs      " + cpus_text(report) + "\n";
  text += "Features  " + features_text(report.features) + "\n";
  text += "Memory\n";
  for (const platform::numa_node& node : report.topology.numa_nodes) {
    text += "  node " + std::to_string(node.os_index) + ": ";
    text += node_text(node, report.topology) + "\n";
  }
  text += "Machine" + tree_origin(report.topology) + "\n" + tree_text(report.topology);
  return text + "Settings in force\n" + settings_text(report.settings);
}

}  // namespace kasuri::command
