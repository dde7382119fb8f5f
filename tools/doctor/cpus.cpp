// SPDX-License-Identifier: Apache-2.0
#include "doctor/cpus.hpp"

#include <fstream>
#include <sstream>

namespace kasuri::doctor {
namespace {

std::string counted(int count, const char* noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

finding judge_affinity(const cpus_seen& seen) {
  if (seen.affinity < seen.present)
    return {grade::note, "CPUs",
            std::to_string(seen.affinity) + " of " + counted(seen.present, "CPU") +
                " may be used: the affinity mask has no others",
            "it was set by taskset, a batch system or a container: ask there for more"};
  return {grade::ok, "CPUs", counted(seen.present, "CPU") + ", all may be used", ""};
}

finding judge_quota(const cpus_seen& seen) {
  if (!seen.quota || seen.quota->cpus() >= seen.affinity)
    return {grade::ok, "quota", "no control group limits the processor time", ""};
  const double cpus = seen.quota->cpus();
  const std::int64_t whole = seen.quota->quota_us / seen.quota->period_us;
  const std::string what = "a control group limits the processor time to that of " + number(cpus) +
                           " CPUs (" + seen.quota->file + ")";
  if (whole * seen.quota->period_us == seen.quota->quota_us)
    return {grade::note, "quota", what, "more workers than that stand still in turn"};
  return {grade::warning, "quota",
          what + ": " + std::to_string(seen.quota->whole_cpus()) +
              " busy workers stand still for a part of each " +
              std::to_string(seen.quota->period_us / 1000) + " ms",
          whole == 0 ? "raise the limit"
                     : "KASURI_NUM_WORKERS=" + std::to_string(whole) + " stays below it"};
}

finding judge_cores(const cpus_seen& seen) {
  if (seen.cores == 0)
    return {grade::note, "cores", "the system does not say which CPUs share a core", ""};
  if (seen.cores < seen.affinity)
    return {grade::note, "cores",
            std::to_string(seen.affinity) + " CPUs are the hardware threads of " +
                counted(seen.cores, "core"),
            "programs that compute without waiting for memory may be faster with "
            "KASURI_NUM_WORKERS=" +
                std::to_string(seen.cores)};
  return {grade::ok, "cores", "each CPU is a core of its own", ""};
}

finding judge_workers(const cpus_seen& seen) {
  const std::string have =
      counted(seen.workers, "worker") + " for " + counted(seen.usable, "usable CPU");
  if (seen.workers > seen.usable)
    return {grade::warning, "workers", have + ": they take the CPUs from each other",
            "leave out KASURI_NUM_WORKERS, or set it to " + std::to_string(seen.usable)};
  if (seen.workers < seen.usable)
    return {grade::note, "workers", have,
            "KASURI_NUM_WORKERS sets it; left out, it is " + std::to_string(seen.usable)};
  return {grade::ok, "workers", have, ""};
}

}  // namespace

findings judge(const cpus_seen& seen) {
  return {judge_affinity(seen), judge_quota(seen), judge_cores(seen), judge_workers(seen)};
}

machine_ticks read_ticks(const std::string& root) {
  std::ifstream file(root + "/proc/stat");
  machine_ticks all;
  for (std::string line; std::getline(file, line);) {
    int cpu = -1;
    if (!line.starts_with("cpu")) continue;
    std::istringstream fields(line.substr(3));
    if (line[3] == ' ' || !(fields >> cpu)) continue;  // the sum of all
    std::uint64_t user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, soft = 0,
                  stolen = 0;
    fields >> user >> nice >> system >> idle >> waiting >> irq >> soft >> stolen;
    if (fields) all[cpu] = {user + nice + system + irq + soft, idle + waiting, stolen};
  }
  return all;
}

findings judge_load(const machine_ticks& before, const machine_ticks& after,
                    const std::vector<int>& cpus) {
  double busy = 0;
  double stolen = 0;
  int seen = 0;
  for (const int cpu : cpus) {
    const auto b = before.find(cpu);
    const auto a = after.find(cpu);
    if (b == before.end() || a == after.end()) continue;
    const auto used = static_cast<double>(a->second.busy - b->second.busy);
    const auto taken = static_cast<double>(a->second.stolen - b->second.stolen);
    const double all = used + taken + static_cast<double>(a->second.idle - b->second.idle);
    if (all <= 0) continue;
    ++seen;
    busy += used / all;
    stolen += taken / all;
  }
  if (seen == 0)
    return {{grade::note, "load", "/proc/stat does not say what other programs use", ""}};
  constexpr double much = 0.1;  // of all CPUs
  const std::string of = " of " + std::to_string(seen) + " CPUs";
  findings found = {{grade::ok, "load", "other programs use " + number(busy) + of, ""}};
  if (busy > much * seen) {
    found[0].is = grade::warning;
    found[0].advice =
        "what is measured now takes too long: wait until they end, or use fewer workers";
  }
  if (stolen > much / 2 * seen)
    found.push_back({grade::warning, "host",
                     "the host of this virtual machine keeps " + number(stolen) + of,
                     "what is measured here takes too long"});
  return found;
}

}  // namespace kasuri::doctor
