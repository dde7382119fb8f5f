// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "command.hpp"

namespace kasuri::command {

command register_version(CLI::App& root) {
  CLI::App* parser = root.add_subcommand("version", "Print the version.");
  return {parser, [] {
            std::puts("kasuri " KASURI_VERSION);
            return status_ok;
          }};
}

}  // namespace kasuri::command
