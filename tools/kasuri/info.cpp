// SPDX-License-Identifier: Apache-2.0
#include "info.hpp"

#include <cstdio>
#include <memory>

#include "command.hpp"
#include "elf/bytes.hpp"
#include "openmp_library.hpp"
#include "openmp_report.hpp"
#include "platform/cpu/cpus.hpp"

namespace kasuri::command {
namespace {

machine_report look() {
  // Settings first: a bad value ends the command before anything else is printed.
  const platform::settings& settings = platform::current_settings();
  return {.present_cpus = platform::present_cpus(),
          .affinity_cpus = static_cast<int>(platform::affinity_cpus().size()),
          .usable_cpus = platform::usable_cpus(),
          .quota = platform::read_cpu_quota(),
          .topology = platform::machine_topology(),
          .settings = settings,
          .features = platform::probe_features()};
}

int print(const std::string& text) {
  const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  if (!written) {
    std::perror("kasuri: info: standard output");
  }
  return written ? status_ok : 1;
}

constexpr int status_not_provided = 1;

int tell_of_openmp(const std::string& program, const std::vector<std::string>& folders, bool json) {
  const std::string folder = openmp_folder();
  if (folder.empty()) {
    std::fputs(
        "kasuri: info: --openmp: this Kasuri was built or installed without its OpenMP "
        "library\n",
        stderr);
    return status_usage;
  }
  try {
    const openmp_report report =
        look_at_openmp(find_subject(program, folders), folder + "/libgomp.so.1");
    const int printed = print(json ? openmp_json(report) : openmp_text(report));
    return printed != status_ok ? printed : all_provided(report) ? status_ok : status_not_provided;
  } catch (const elf::damaged& problem) {
    std::fprintf(stderr, "kasuri: info: --openmp %s: %s\n", program.c_str(), problem.what());
    return status_usage;
  }
}

}  // namespace

command register_info(CLI::App& root) {
  struct form {
    bool json = false;
    bool markdown = false;
    std::string program;  // of --openmp
    std::vector<std::string> folders;
  };
  auto chosen = std::make_shared<form>();
  CLI::App* parser = root.add_subcommand(
      "info", "Show the CPUs, memory and features found and the settings in force.");
  CLI::Option* json =
      parser->add_flag("--json", chosen->json, "Print one JSON object.")->disable_flag_override();
  CLI::Option* markdown = parser
                              ->add_flag("--settings-markdown", chosen->markdown,
                                         "Print the reference page of all settings.")
                              ->disable_flag_override()
                              ->excludes(json);
  CLI::Option* openmp =
      parser
          ->add_option("--openmp", chosen->program,
                       "Show instead which OpenMP runtimes a program or a Python environment would "
                       "load, and what of them Kasuri provides.")
          ->type_name("PROGRAM")
          ->take_last()
          ->excludes(markdown);
  parser
      ->add_option(
          "--folder", chosen->folders,
          "With --openmp: look also at the modules below this folder, which the program loads by "
          "their paths; repeatable.")
      ->type_name("DIR")
      ->expected(1)
      ->take_all()
      ->needs(openmp);
  return {parser, [chosen, openmp] {
            if (openmp->count() != 0) {
              return tell_of_openmp(chosen->program, chosen->folders, chosen->json);
            }
            if (chosen->markdown) {
              return print(settings_markdown());
            }
            const machine_report report = look();
            return print(chosen->json ? report_json(report) : report_text(report));
          }};
}

}  // namespace kasuri::command
