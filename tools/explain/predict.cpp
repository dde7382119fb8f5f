// SPDX-License-Identifier: Apache-2.0
// kasuri predict PROFILE...
#include "predict/predict.hpp"

#include <memory>

#include "explain/commands.hpp"

namespace kasuri::command {

command register_predict(CLI::App& root) {
  const auto r = std::make_shared<predict::predict_request>();
  CLI::App* const parser =
      root.add_subcommand("predict", "Say how fast a program would be on another machine.");
  parser
      ->add_option("PROFILE", r->profiles,
                   "Profiles of the program, one for each number of workers (KASURI_PROFILE=FILE, "
                   "or kasuri report --keep FILE).")
      ->required();
  parser->add_option("--workers", r->workers, "How many workers; several with commas.")
      ->type_name("N[,N...]")
      ->check(CLI::Range(1, 4096))
      ->expected(1)
      ->allow_extra_args(false)
      ->delimiter(',')
      ->take_all();
  parser
      ->add_option(
          "--machine", r->machine,
          "CORESxNODES, CORESxNODESxRANKS, or another one of kasuri simulate. [default: one node]")
      ->type_name("NAME");
  parser
      ->add_option("--cost", r->costs,
                   "What a step of the scheduler takes there, as kasuri simulate has it; "
                   "repeatable.")
      ->type_name("NAME=NS")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  parser->add_flag("--calibrate", r->calibrate, "Measure the costs of forks and steals here.");
  parser->add_option("--json", r->json, "Write the figures; - is standard output.")
      ->type_name("FILE");
  parser->add_option("--html", r->html, "Write a page with the curve and its bounds.")
      ->type_name("FILE");
  return {parser, [r] { return predict::predict_command(*r); }};
}

}  // namespace kasuri::command
