// SPDX-License-Identifier: Apache-2.0
// kasuri doctor [--json]: what Kasuri sees before anything runs, and what to do about it.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <thread>

#include "command.hpp"
#include "doctor/cpus.hpp"
#include "doctor/environment.hpp"
#include "doctor/measuring.hpp"
#include "doctor/memory.hpp"
#include "openmp_library.hpp"
#include "platform/cpu/cpus.hpp"
#include "platform/cpu/features.hpp"
#include "platform/memory/mapping_limit.hpp"

namespace kasuri::command {
namespace {

using doctor::findings;

int cores_of(const platform::topology& machine) {
  std::set<int> cores;
  for (const platform::pu& unit : machine.pus)
    if (unit.core >= 0) cores.insert(unit.core);
  return static_cast<int>(cores.size());
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

findings look_at_load(const std::vector<int>& cpus) {
  const doctor::machine_ticks before = doctor::read_ticks();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  return doctor::judge_load(before, doctor::read_ticks(), cpus);
}

findings look_at_limits(const platform::settings& settings, const platform::features& features) {
  return doctor::judge({.threads = doctor::thread_limit(),
                        .address_space = doctor::address_space_limit(),
                        .mappings = platform::most_mappings(),
                        .guards_without_mappings = features.guard_install,
                        .guard_pages = settings.guard_pages,
                        .stack_size = settings.stack_size,
                        .workers = settings.num_workers,
                        .max_spares = settings.max_spares,
                        .max_blocking = settings.max_blocking});
}

findings look(const platform::loaded_settings& loaded) {
  const platform::settings& settings = loaded.values;
  const platform::topology& machine = platform::machine_topology();
  const platform::features features = platform::probe_features();
  const std::vector<int> cpus = platform::affinity_cpus();
  findings all;
  const auto add = [&all](const findings& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  add(doctor::judge(
      {.present = platform::present_cpus(),
       .affinity = static_cast<int>(cpus.size()),
       .usable = platform::usable_cpus(),
       .quota = platform::read_cpu_quota(),
       .cores = machine.is_this_machine && machine.has_structure ? cores_of(machine) : 0,
       .workers = settings.num_workers}));
  add(look_at_load(cpus));
  add(doctor::judge(machine));
  add({doctor::judge_huge_pages(features.huge_pages)});
  add(look_at_limits(settings, features));
  add(doctor::judge(doctor::look_at_measuring()));
  add({doctor::judge_mpi(variable("PATH"))});
  add(doctor::judge_openmp_libraries(openmp_folder(), variable("LD_LIBRARY_PATH"),
                                     variable("LD_PRELOAD")));
  add(doctor::judge_openmp_variables(platform::process_environment()));
  add(doctor::judge(loaded));
  return all;
}

int tell(bool json) {
  const platform::loaded_settings loaded = platform::load_settings(platform::process_environment());
  const findings all = look(loaded);
  const std::string text = json ? doctor::findings_json(all) : doctor::findings_text(all);
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
    std::perror("kasuri: doctor: standard output");
    return 1;
  }
  return loaded.errors.empty() ? status_ok : status_usage;
}

}  // namespace

command register_doctor(CLI::App& root) {
  auto json = std::make_shared<bool>(false);
  CLI::App* parser = root.add_subcommand(
      "doctor", "Look for what slows programs down or stops them on this machine; takes a second.");
  parser->add_flag("--json", *json, "Print one JSON object.")->disable_flag_override();
  return {parser, [json] { return tell(*json); }};
}

}  // namespace kasuri::command
