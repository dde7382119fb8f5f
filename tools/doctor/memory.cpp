// SPDX-License-Identifier: Apache-2.0
#include "doctor/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

namespace kasuri::doctor {
namespace {

std::string gib(std::uint64_t bytes) {
  return number(static_cast<double>(bytes) / (std::uint64_t{1} << 30)) + " GiB";
}

finding judge_node(const platform::numa_node& node) {
  const std::string memory =
      node.memory_bytes == 0 ? "memory of unknown size" : gib(node.memory_bytes);
  finding f = {grade::ok, "memory", "node " + std::to_string(node.os_index) + ": " + memory, ""};
  if (!node.allowed) {
    f.is = grade::note;
    f.what += ", not for this process";
    f.advice = "its control group (cpuset.mems) leaves the node out";
  } else if (node.memory_only) {
    f.what += ", without CPUs";
  }
  return f;
}

finding judge_threads(const limits_seen& seen) {
  if (!seen.threads)
    return {grade::ok, "threads", "no limit of threads (ulimit -u) holds for this user", ""};
  const auto least =
      static_cast<std::uint64_t>(seen.workers) + static_cast<std::uint64_t>(seen.max_spares);
  const std::uint64_t most = least + static_cast<std::uint64_t>(seen.max_blocking);
  finding f = {grade::ok, "threads",
               "this user may have " + std::to_string(*seen.threads) + " threads (ulimit -u)", ""};
  if (*seen.threads < least) {
    f.is = grade::warning;
    f.what += ", fewer than the " + std::to_string(least) + " of workers and spare threads";
    f.advice = "raise the limit, or set KASURI_MAX_SPARES lower";
  } else if (*seen.threads < most) {
    f.is = grade::note;
    f.what += ", fewer than calls of kasuri::blocking may take at once";
    f.advice =
        "for a program with so many of them raise the limit, or set KASURI_MAX_BLOCKING lower";
  }
  return f;
}

finding judge_address_space(const limits_seen& seen) {
  if (!seen.address_space)
    return {grade::ok, "addresses", "no limit of address space (ulimit -v)", ""};
  const std::uint64_t stacks = seen.stack_size == 0 ? 0 : *seen.address_space / seen.stack_size;
  return {grade::warning, "addresses",
          "the address space is limited to " + gib(*seen.address_space) + " (ulimit -v): at most " +
              std::to_string(stacks) + " stacks of tasks fit",
          "ulimit -v unlimited: stacks take addresses, and memory only where they are used"};
}

finding judge_mappings(const limits_seen& seen) {
  const std::string limit =
      std::to_string(seen.mappings) + " mappings for a process (vm.max_map_count)";
  if (!seen.guard_pages)
    return {grade::note, "guard pages", "off: an overflow of a task's stack is not caught",
            "leave out KASURI_GUARD_PAGES=off"};
  if (seen.guards_without_mappings)
    return {grade::ok, "guard pages", "they take none of the " + limit, ""};
  // A guard takes two, of half of them: the others are for stacks and for the program.
  constexpr std::uint64_t each = 4;
  constexpr std::uint64_t few = 200'000;  // tasks that wait at once
  const std::uint64_t tasks = seen.mappings / each;
  finding f = {grade::ok, "guard pages",
               limit + ": " + std::to_string(tasks) + " tasks that wait at once have guard pages",
               ""};
  if (tasks < few) {
    f.is = grade::note;
    f.what += ", further ones none";
    f.advice = "for more of them: sysctl -w vm.max_map_count=1048576";
  }
  return f;
}

std::optional<std::uint64_t> limit_of(decltype(RLIMIT_AS) which) {
  ::rlimit limit{};
  if (::getrlimit(which, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

}  // namespace

findings judge(const platform::topology& machine) {
  findings all;
  if (!machine.is_this_machine)
    all.push_back({grade::warning, "machine",
                   "HWLOC_SYNTHETIC or HWLOC_XMLFILE describes another machine",
                   "unset it, unless another machine is to be imitated"});
  for (const platform::numa_node& node : machine.numa_nodes) all.push_back(judge_node(node));
  if (machine.numa_nodes.size() > 1)
    all.push_back({grade::note, "NUMA",
                   std::to_string(machine.numa_nodes.size()) +
                       " nodes: memory lies where it is first written",
                   "write large arrays by the tasks that read them, and set KASURI_BIND=on; "
                   "docs/how-to/numa.md"});
  return all;
}

finding judge_huge_pages(const std::string& mode) {
  if (mode == "always" || mode == "madvise")
    return {grade::ok, "huge pages", "transparent huge pages: " + mode, ""};
  return {grade::note, "huge pages", "transparent huge pages: " + mode,
          "programs with large arrays may be faster with them: "
          "/sys/kernel/mm/transparent_hugepage/enabled"};
}

findings judge(const limits_seen& seen) {
  return {judge_threads(seen), judge_address_space(seen), judge_mappings(seen)};
}

std::optional<std::uint64_t> thread_limit() {
  return ::geteuid() == 0 ? std::nullopt : limit_of(RLIMIT_NPROC);  // it does not hold for root
}

std::optional<std::uint64_t> address_space_limit() { return limit_of(RLIMIT_AS); }

}  // namespace kasuri::doctor
