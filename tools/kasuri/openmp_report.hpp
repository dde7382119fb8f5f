// SPDX-License-Identifier: Apache-2.0
// The knowledge of `kasuri info --openmp`, and the two forms in which it tells.
#pragma once

#include <string>
#include <vector>

#include "openmp_subject.hpp"

namespace kasuri::command {

struct openmp_runtime {
  std::string name;  // by which it is asked for
  std::string file;  // empty: the loader would not find it
  std::string kind;  // "GCC", "LLVM", "Intel", "Kasuri"; empty: not found
  std::vector<std::string> users;
};

struct openmp_symbol {
  std::string name;
  std::string node;   // empty: asked for without a version
  const char* state;  // "provided", "not provided", "ends the program"
};

struct openmp_report {
  openmp_subject subject;
  std::string provider;  // Kasuri's library
  std::vector<openmp_runtime> runtimes;
  std::vector<openmp_symbol> symbols;
  std::vector<std::string> missing_nodes;  // without which a program does not start
  std::vector<std::string> linked_in;      // files that have a runtime inside
  bool loads_by_path = false;              // it may load more by dlopen, and no folder says what
  std::vector<std::string> complaints;     // libraries that could not be read
};

/// Looks at the subject, and at Kasuri's library. Throws elf::damaged.
openmp_report look_at_openmp(const openmp_subject& subject, const std::string& provider);

/// Whether a program would find all it asks for.
bool all_provided(const openmp_report& report);

/// One line that says what `kasuri run` would do for it.
std::string openmp_verdict(const openmp_report& report);

std::string openmp_text(const openmp_report& report);
std::string openmp_json(const openmp_report& report);

}  // namespace kasuri::command
