// SPDX-License-Identifier: Apache-2.0
// What the debug information of a file says of its addresses, which are those of the file itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kasuri::symbols {

/// A line of the source and the readable name of the function it stands in.
struct source_line {
  std::string function;
  std::string path;
  int line = 0;
};

class lines {
 public:
  virtual ~lines() = default;

  /// The line of an instruction, then the calls by which it was inlined, outermost last. Empty: not
  /// known.
  virtual std::vector<source_line> chain(std::uint64_t address) = 0;

  /// Where the function that holds `address` is declared.
  virtual std::optional<source_line> declaration(std::uint64_t address) = 0;

  /// Where the class of the user is written whose call operator the function of Kasuri's template
  /// at `entry` runs.
  virtual std::optional<source_line> closure(std::uint64_t entry) = 0;

  /// The first line of the user in the function that holds `address`, in the order of the code.
  virtual std::optional<source_line> first_of_user(std::uint64_t address) = 0;

  /// The call at the end of the function that begins at `entry` that became a jump, if it is the
  /// only one and goes to the runtime. To whom it returns is then the caller of the function.
  virtual std::optional<source_line> jump_to_runtime(std::uint64_t entry) = 0;
};

/// Null: the file has no debug information, or this Kasuri was built without its reader.
std::unique_ptr<lines> read_lines(const std::string& path);

/// Whether read_lines() can read any.
bool can_read_lines();

}  // namespace kasuri::symbols
