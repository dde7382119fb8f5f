// SPDX-License-Identifier: Apache-2.0
#include "simulate/simulate.hpp"

#include <memory>

#include "command.hpp"

namespace kasuri::command {

command register_simulate(CLI::App& root) {
  const auto r = std::make_shared<simulate::request>();
  CLI::App* parser = root.add_subcommand(
      "simulate", "Simulate the scheduling policies on a machine that is not here.");
  CLI::Option* const machine =
      parser
          ->add_option("--machine", r->machine,
                       "CORESxNODES, CORESxNODESxRANKS, opteron-6172, xeon-phi, CORES=cluster, "
                       "or a synthetic description of hwloc. [default: 48x8]")
          ->type_name("NAME");
  CLI::Option* const workers =
      parser->add_option("--workers", r->workers, "[default: one for each PU]")->type_name("N");
  parser
      ->add_option("--policy", r->policies,
                   "random, near, numa, custom, adws. [default: all; with --check random, near, "
                   "adws]")
      ->type_name("A,B")
      ->delimiter(',');
  parser
      ->add_option("--graph", r->graph.kind,
                   "jacobi, cilksort, uts, fib, or amr:FILE, a fork "
                   "trace. [default: jacobi]")
      ->type_name("NAME");
  parser->add_option("--size", r->graph.size, "Blocks, keys, depth, n.")->type_name("N");
  parser->add_option("--work", r->graph.work, "Nanoseconds of a block, a comparison, a node.")
      ->type_name("NS");
  parser
      ->add_option("--imbalance", r->graph.imbalance,
                   "Jacobi: the first half's blocks work so "
                   "many times as long. [default: 1]")
      ->type_name("X");
  parser->add_flag("--equal-shares{false},--announced-shares{true}", r->graph.announced,
                   "What forks tell adws of the work of their sides. [default: announced]");
  parser->add_option("--sweeps", r->sweeps, "[default: 10]")->type_name("N");
  parser
      ->add_option("--data", r->data,
                   "Where blocks lie: blocked, first-touch, one-node. "
                   "[default: blocked]")
      ->type_name("NAME");
  parser->add_option("--cost", r->costs, "One of the cost model's figures; may be repeated.")
      ->type_name("NAME=NS");
  parser->add_option("--seed", r->seed, "The same seed: the same run. [default: 1]")
      ->type_name("N");
  parser->add_flag("--calibrate", r->calibrate, "Measure forks and hand-overs of this machine.");
  CLI::Option* const json =
      parser->add_option("--json", r->json, "Write the figures; - is standard output.")
          ->type_name("FILE");
  parser
      ->add_flag("--check", r->check,
                 "Run it really, too, on 1 to 16 workers of this machine, and compare.")
      ->excludes(machine)
      ->excludes(workers)
      ->excludes(json);
  return {parser, [r] { return simulate::simulate_command(*r); }, nullptr, false,
          simulate::simulate_choices()};
}

}  // namespace kasuri::command
