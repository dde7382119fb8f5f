// SPDX-License-Identifier: Apache-2.0
#include "info.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "command.hpp"
#include "elf/bytes.hpp"
#include "openmp_library.hpp"
#include "openmp_report.hpp"
#include "platform/cpu/cpus.hpp"
#include "runtimes_report.hpp"

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

int tell_of_runtimes(const std::string& program, int process, bool json) {
  if (program.empty() == (process == 0)) {
    std::fputs("kasuri: info: --runtimes needs a program or --pid N; see kasuri info --help\n",
               stderr);
    return status_usage;
  }
  try {
    const std::string folder = openmp_folder();
    const runtimes_report report =
        process != 0 ? look_at_process(process)
                     : look_at_program(program, folder.empty() ? "" : folder + "/libgomp.so.1");
    return print(json ? runtimes_json(report) : runtimes_text(report));
  } catch (const elf::damaged& problem) {
    const std::string subject = process != 0 ? "--pid " + std::to_string(process) : program;
    std::fprintf(stderr, "kasuri: info: --runtimes %s: %s\n", subject.c_str(), problem.what());
    return status_usage;
  }
}

// The words behind the program of --runtimes that are no options belong to the program.
void drop_arguments_of_program(std::vector<std::string>& words) {
  const auto option = std::ranges::find(words, "--runtimes");
  if (words.end() - option < 2 || option[1].starts_with('-')) return;
  const auto own = [](const std::string& word) { return !word.starts_with("--"); };
  words.erase(std::find_if(option + 2, words.end(), own), words.end());
}

}  // namespace

command register_info(CLI::App& root) {
  struct form {
    bool json = false;
    bool markdown = false;
    std::string program;  // of --openmp
    std::vector<std::string> folders;
    std::string runs;  // of --runtimes
    int process = 0;
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
  CLI::Option* runtimes =
      parser
          ->add_option(
              "--runtimes", chosen->runs,
              "Show instead which runtimes with threads of their own (OpenMP, oneTBB, "
              "OpenBLAS, FFTW, Blosc) a program would load, what of them kasuri run brings "
              "to its workers, and what is left to them and why.")
          ->type_name("PROGRAM")
          ->expected(0, 1)
          ->take_last()
          ->excludes(markdown)
          ->excludes(openmp);
  parser
      ->add_option("--pid", chosen->process,
                   "With --runtimes, in place of a program: a process, by its number.")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->needs(runtimes);
  return {parser,
          [chosen, openmp, runtimes] {
            if (runtimes->count() != 0) {
              return tell_of_runtimes(chosen->runs, chosen->process, chosen->json);
            }
            if (openmp->count() != 0) {
              return tell_of_openmp(chosen->program, chosen->folders, chosen->json);
            }
            if (chosen->markdown) {
              return print(settings_markdown());
            }
            const machine_report report = look();
            return print(chosen->json ? report_json(report) : report_text(report));
          },
          drop_arguments_of_program};
}

}  // namespace kasuri::command
