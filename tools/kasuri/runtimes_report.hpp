// SPDX-License-Identifier: Apache-2.0
// The knowledge of `kasuri info --runtimes`, and the two forms in which it tells.
#pragma once

#include <string>
#include <vector>

namespace kasuri::command {

struct found_runtime {
  std::string name;     // "OpenBLAS"
  std::string version;  // empty: its file does not say
  std::string file;
  std::string served;  // the part of its work that runs on the pool, and how; empty: none
  std::string itself;  // the part left to its own threads, and why; empty: none
};

struct runtimes_report {
  std::string program;
  int process = 0;                   // 0: a program that does not run yet
  std::string library;               // Kasuri's, as loaded or to be preloaded; empty: not there
  std::vector<found_runtime> found;  // by name and file
  std::vector<std::string> complaints;
  std::string note;
};

/// The runtimes that the program would load: by the libraries that it needs, and of a Python
/// environment those that its modules need. Throws elf::damaged.
runtimes_report look_at_program(const std::string& program, const std::string& library);

/// The runtimes that the process has loaded. Throws elf::damaged.
runtimes_report look_at_process(int process);

std::string runtimes_text(const runtimes_report& report);
std::string runtimes_json(const runtimes_report& report);

}  // namespace kasuri::command
