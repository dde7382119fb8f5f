// SPDX-License-Identifier: Apache-2.0
// kasuri run [OPTIONS] [--] PROGRAM ARGS...
//
// Turns the options into the environment and becomes the program: its status, signals and streams
// are its own. Every value passes the table of settings before the program starts. An OpenMP
// program finds Kasuri's library where it looks for its runtime's. With --cluster the program runs
// as several ranks, of which this command waits for the last.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cluster.hpp"
#include "command.hpp"
#include "openmp_library.hpp"
#include "platform/settings/idle_openblas.hpp"
#include "platform/settings/settings_load.hpp"
#include "platform/settings/settings_text.hpp"
#include "program.hpp"
#include "take_program.hpp"

namespace kasuri::command {
namespace {

constexpr const char* run_options_name = "KASURI_RUN_OPTIONS";
constexpr bool openmp_by_default = KASURI_RUN_OPENMP != 0;

struct shortcut {
  const char* option;
  const char* setting;
  const char* metavariable;
};
constexpr std::array shortcuts = {
    shortcut{"--workers", "KASURI_NUM_WORKERS", "N"},
    shortcut{"--sched", "KASURI_SCHED", "NAME"},
    shortcut{"--stack-size", "KASURI_STACK_SIZE", "SIZE"},
    shortcut{"--spin", "KASURI_SPIN", "MICROSECONDS"},
    shortcut{"--trace", "KASURI_TRACE", "FILE"},
};

struct run_request {
  std::array<std::string, shortcuts.size()> values;
  bool stats = false;
  bool openmp = false;  // asked for: it must be there
  bool no_openmp = false;
  bool cluster = false;
  int ranks = 1;
  std::string as = "run";                // the command that messages name
  std::vector<std::string> assignments;  // of --set
  std::vector<std::string> program;      // and its arguments
  CLI::App* parser = nullptr;
};

struct assignment {
  std::string given;  // as the user wrote it, for messages
  std::string name;
  std::string value;
};

std::vector<assignment> collect(const run_request& request) {
  std::vector<assignment> collected;
  for (std::size_t i = 0; i < shortcuts.size(); ++i) {
    if (request.parser->count(shortcuts[i].option) != 0) {
      collected.push_back({std::string(shortcuts[i].option) + ' ' + request.values[i],
                           shortcuts[i].setting, request.values[i]});
    }
  }
  if (request.stats) {
    collected.push_back({"--stats", "KASURI_STATS", "on"});
  }
  for (const std::string& text : request.assignments) {
    const std::size_t equals = text.find('=');
    const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
    collected.push_back({"--set " + text, text.substr(0, equals), value});
  }
  return collected;
}

std::map<std::string, std::vector<std::string>> choices_of_shortcuts() {
  std::map<std::string, std::vector<std::string>> all;
  for (const shortcut& each : shortcuts) {
    auto names = platform::choices_of(*platform::find_setting(each.setting));
    if (!names.empty()) all.emplace(each.option, std::move(names));
  }
  return all;
}

// The line that says what is wrong with an assignment; empty if it is fine.
std::string check(const assignment& wanted) {
  if (wanted.given == "--set " + wanted.name) {
    return wanted.given + ": no value; accepted: NAME=VALUE";
  }
  if (wanted.name.empty()) {
    return wanted.given + ": no name; accepted: NAME=VALUE";
  }
  if (wanted.name == run_options_name) {
    return wanted.given + ": kasuri run sets this one itself";
  }
  const platform::setting* row = platform::find_setting(wanted.name);
  if (row == nullptr) {
    return wanted.given + ": " + platform::unknown_name_line(wanted.name);
  }
  platform::settings scratch{};
  const auto problem = platform::parse_value(*row, wanted.value, scratch);
  return problem ? platform::bad_value_line(*row, wanted.given, *problem) : "";
}

// Marks the settings as coming from options, so that `kasuri info` and others can say so.
void export_to_environment(const std::vector<assignment>& wanted) {
  const char* earlier = std::getenv(run_options_name);
  std::string names = earlier == nullptr ? "" : earlier;
  for (const assignment& each : wanted) {
    ::setenv(each.name.c_str(), each.value.c_str(), 1);
    names += (names.empty() ? "" : ",") + each.name;
  }
  if (!wanted.empty()) {
    ::setenv(run_options_name, names.c_str(), 1);
  }
}

// An instrumented library serves instrumented programs alone, so there it has to be asked for.
bool offers_openmp(const run_request& request) {
  return !request.no_openmp && (request.openmp || openmp_by_default);
}

// Returns the line that says why OpenMP programs cannot use Kasuri, where that was asked for.
std::string offer_openmp(const run_request& request) {
  if (!offers_openmp(request)) return "";
  const std::string folder = openmp_folder();
  if (folder.empty()) {
    return request.openmp ? "--openmp: this Kasuri was built or installed without its OpenMP "
                            "library; accepted: --no-openmp"
                          : "";
  }
  const std::string line =
      prepend_openmp(folder, request.program.empty() ? "" : request.program.front());
  if (request.openmp || line.empty()) return line;
  std::fprintf(stderr, "kasuri: %s: %s: OpenMP programs keep their own runtime\n",
               request.as.c_str(), line.c_str());
  return "";
}

/// The status: of a command that runs this one, one of its own, so that it knows.
int refuse(const run_request& request, const std::string& line) {
  std::fprintf(stderr, "kasuri: %s: %s\n", request.as.c_str(), line.c_str());
  return request.as == "run" ? status_usage : status_refused;
}

int run(const run_request& request) {
  const std::vector<assignment> wanted = collect(request);
  for (const assignment& each : wanted) {
    if (const std::string line = check(each); !line.empty()) return refuse(request, line);
  }
  if (request.program.empty()) return refuse(request, "no program given; see kasuri run --help");
  if (const std::string line = offer_openmp(request); !line.empty()) return refuse(request, line);
  if (request.cluster && !has_cluster)
    return refuse(request,
                  "--cluster: this Kasuri was built without its cluster layer "
                  "(KASURI_CLUSTER=OFF)");
  export_to_environment(wanted);
  if (offers_openmp(request)) platform::let_idle_openblas_sleep();
  if (request.cluster) return run_cluster(request.program, request.ranks, request.as.c_str());
  return become(request.program, request.as.c_str());
}

}  // namespace

command register_run(CLI::App& root) {
  auto request = std::make_shared<run_request>();
  CLI::App* parser = root.add_subcommand("run", "Run a program with settings given as options.");
  request->parser = parser;
  parser->footer("Write it as: kasuri run [OPTIONS] [--] PROGRAM [ARGS...]");
  for (std::size_t i = 0; i < shortcuts.size(); ++i) {
    const platform::setting& row = *platform::find_setting(shortcuts[i].setting);
    parser->add_option(shortcuts[i].option, request->values[i], std::string(row.sentence))
        ->type_name(shortcuts[i].metavariable)
        ->take_last();
  }
  parser
      ->add_flag("--stats", request->stats,
                 std::string(platform::find_setting("KASURI_STATS")->sentence))
      ->disable_flag_override();
  CLI::Option* openmp =
      parser
          ->add_flag("--openmp", request->openmp,
                     "Give OpenMP programs Kasuri as their runtime; fail where it is missing. "
                     "[default: where it is there]")
          ->disable_flag_override();
  parser->add_flag("--no-openmp", request->no_openmp, "Leave OpenMP programs their own runtime.")
      ->disable_flag_override()
      ->excludes(openmp);
  CLI::Option* cluster =
      parser
          ->add_flag("--cluster", request->cluster,
                     "Start the program as the ranks of a job, each a process of this host.")
          ->disable_flag_override();
  parser->add_option("-n,--ranks", request->ranks, "How many ranks there are.")
      ->type_name("N")
      ->check(CLI::Range(1, max_cluster_ranks))
      ->needs(cluster);
  parser->add_option("--as", request->as)->group("");  // for kasuri report
  parser->add_option("--set", request->assignments, "Set any setting of kasuri info; repeatable.")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  return {parser, [request] { return run(*request); },
          [request](std::vector<std::string>& words) {
            request->program = take_program(*request->parser, words);
          },
          true, choices_of_shortcuts()};
}

}  // namespace kasuri::command
