// SPDX-License-Identifier: Apache-2.0
#include "trace/trace.hpp"

#include <memory>
#include <string>

#include "command.hpp"

namespace kasuri::command {
namespace {

struct trace_options {
  std::string in;
  std::string out;
  bool summary = false;
};

}  // namespace

command register_trace(CLI::App& root) {
  const auto options = std::make_shared<trace_options>();
  CLI::App* parser = root.add_subcommand(
      "trace", "Turn a recording made with KASURI_TRACE into Chrome/Perfetto JSON.");
  parser->add_option("file", options->in, "The recording.")->required()->type_name("FILE");
  parser
      ->add_option("-o,--output", options->out,
                   "Where to write; - is standard output. "
                   "[default: FILE.json]")
      ->type_name("OUT");
  parser->add_flag("--summary", options->summary,
                   "Print counts and times per worker; JSON only if -o asks for it.");
  return {parser,
          [options] { return trace::trace_command(options->in, options->out, options->summary); }};
}

}  // namespace kasuri::command
