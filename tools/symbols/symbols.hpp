// SPDX-License-Identifier: Apache-2.0
// Addresses of a process that has ended, into places of its source: by the files it had mapped,
// their debug information and their tables of symbols.
//
// The tools ask for the user's line. Code of Kasuri's headers and of the standard library is
// inlined into the user's; the place of such an address is the call in the user's code.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "symbols/file_names.hpp"

namespace kasuri::symbols {

struct source_line;

/// A program or library as it was mapped.
struct module {
  std::string path;
  std::uint64_t base = 0;   // the difference to the file's addresses
  std::uint64_t begin = 0;  // of its code
  std::uint64_t end = 0;
  std::string build_id;    // hexadecimal; empty: the file is taken as it is
  bool of_program = true;  // else it is the system's or Kasuri's: none of its lines is the user's
};

struct frame {
  std::string function;  // empty: not known
  std::string file;      // short; empty: not known
  int line = 0;
  std::string path;  // the whole name of the file
};

struct place : frame {
  std::string module;               // its file's name without folder; empty: in no module
  std::uint64_t offset = 0;         // in the module; in none of them, the address itself
  bool of_user = false;             // whether the line is in the user's own source
  std::vector<frame> inlined_into;  // the calls around it that were inlined, outermost last
};

/// "merge in sort.cpp:12", or as much of it as is known: "merge in libsort.so", "libsort.so+0x12".
/// Lines that are not the user's are left out.
std::string text(const place& p);

class symboliser {
 public:
  explicit symboliser(std::vector<module> modules);
  ~symboliser();
  symboliser(symboliser&&) noexcept;
  symboliser& operator=(symboliser&&) noexcept;

  /// The place of an instruction.
  place at(std::uint64_t address);
  /// The place of the call that returns to `address`.
  place before(std::uint64_t address);
  /// Where the function is declared that begins at `entry`. Of a function by which Kasuri runs a
  /// task: where the closure is written that the task runs.
  place code(std::uint64_t entry);
  /// Where the function is declared that holds an instruction, inlined calls left out.
  place function_around(std::uint64_t address);

  /// A line for each file whose lines or names could not be had, and why.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  struct opened;
  opened* module_of(std::uint64_t address);
  void open(opened& m);
  place nothing_but_the_address(std::uint64_t address, const opened* m) const;
  frame as_frame(const source_line& at);
  place from_frames(std::uint64_t address, const opened& m, const std::vector<frame>& chain);

  std::vector<std::unique_ptr<opened>> modules_;  // by `begin`
  std::vector<std::string> problems_;
  file_names files_;
};

}  // namespace kasuri::symbols
