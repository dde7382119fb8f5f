// SPDX-License-Identifier: Apache-2.0
// kasuri report [OPTIONS] [--] PROGRAM [ARGS...]
#include "report/report.hpp"

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "explain/commands.hpp"
#include "kasuri/cluster.hpp"
#include "kasuri/program.hpp"
#include "kasuri/take_program.hpp"
#include "predict/prediction.hpp"

namespace kasuri::command {
namespace {

struct words_of_report {
  report::report_request request;
  std::string workers;
  std::string ranks;
  std::vector<std::string> settings;
  bool no_openmp = false;
  bool cluster = false;
  bool once = false;
};

/// What the run is given of it.
std::vector<std::string> options_of_run(const words_of_report& w) {
  std::vector<std::string> all;
  if (!w.workers.empty()) all.insert(all.end(), {"--workers", w.workers});
  for (const std::string& s : w.settings) all.insert(all.end(), {"--set", s});
  if (w.no_openmp) all.emplace_back("--no-openmp");
  if (w.cluster) all.emplace_back("--cluster");
  if (!w.ranks.empty()) all.insert(all.end(), {"--ranks", w.ranks});
  return all;
}

/// The `kasuri` command that belongs to this program, as installed, or as in the build tree.
std::string kasuri_command() {
  const std::string folder =
      folder_beside_command({KASURI_BINDIR_FROM_LIBEXECDIR, "../../bin"}, "kasuri");
  return folder.empty() ? "kasuri" : folder + "/kasuri";
}

int act(words_of_report& w) {
  report::report_request& r = w.request;
  if (r.program.empty() == r.profile.empty()) {
    std::fprintf(stderr, "kasuri: report: %s; accepted: PROGRAM [ARGS...], or --profile FILE\n",
                 r.program.empty() ? "no program given" : "a program and --profile");
    return status_usage;
  }
  r.kasuri = kasuri_command();
  r.run_options = options_of_run(w);
  if (w.once) r.one_worker = "none";
  r.replay = predict::replayed_speedups;
  return report::report_command(r);
}

void add_options(CLI::App& parser, words_of_report& w) {
  report::report_request& r = w.request;
  parser.add_option("--profile", r.profile, "Read this profile instead of running a program.")
      ->type_name("FILE");
  parser
      .add_option("--one-worker", r.one_worker,
                  "A profile of the same program on one worker. [default: runs it so, silently, "
                  "if it took less than 20 s]")
      ->type_name("FILE");
  parser.add_flag("--once", w.once, "Do not run the program a second time, on one worker.");
  parser.add_option("--keep", r.keep, "Keep the profile in this file.")->type_name("FILE");
  parser.add_option("-o,--output", r.output, "Where the text goes. [default: standard error]")
      ->type_name("FILE");
  parser.add_option("--html", r.html, "Write the report as one page.")->type_name("FILE");
  parser.add_option("--json", r.json, "Write all figures; - is standard output.")
      ->type_name("FILE");
  parser.add_option("--workers", w.workers, "How many workers the program gets.")->type_name("N");
  parser
      .add_option("--set", w.settings, "Give the program any setting of kasuri info; repeatable.")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  parser.add_flag("--no-openmp", w.no_openmp,
                  "Leave an OpenMP program its own runtime, of which nothing is recorded.");
  CLI::Option* const cluster =
      parser.add_flag("--cluster", w.cluster,
                      "Start the program as the ranks of a job, each a process of this host.");
  parser.add_option("-n,--ranks", w.ranks, "How many ranks there are.")
      ->type_name("N")
      ->check(CLI::Range(1, max_cluster_ranks))
      ->needs(cluster);
}

}  // namespace

command register_report(CLI::App& root) {
  const auto w = std::make_shared<words_of_report>();
  CLI::App* const parser =
      root.add_subcommand("report", "Run a program and say what limits it, and where.");
  parser->footer("Write it as: kasuri report [OPTIONS] [--] PROGRAM [ARGS...]");
  add_options(*parser, *w);
  return {parser, [w] { return act(*w); },
          [w, parser](std::vector<std::string>& words) {
            w->request.program = take_program(*parser, words);
          },
          true};
}

}  // namespace kasuri::command
