// SPDX-License-Identifier: Apache-2.0
// Addresses of a profile as places of the source.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kasuri::report {

struct profile;

struct place {
  std::string file = {};  // empty: no line is known
  int line = 0;
  std::string function = {};
  std::string module =
      {};  // file name of the program or library, and offset where there is no name
  friend bool operator==(const place&, const place&) = default;

  bool known() const { return !file.empty() || !function.empty() || !module.empty(); }
  /// "merge.cpp:41 (merge)", "merge in sort", "sort+0x123".
  std::string text() const;
};

/// One profile's places. Looks each address up once.
class places {
 public:
  explicit places(const profile& of);
  ~places();
  places(const places&) = delete;
  places& operator=(const places&) = delete;

  /// Of an instruction: a sample's program counter, or the address in a call.
  const place& at(std::uint64_t address) const;
  /// Of the number of a site; an unknown place for 0.
  const place& of_site(int id) const;

  /// The functions that stand around an instruction, the innermost first.
  std::vector<std::string> functions_at(std::uint64_t address) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace kasuri::report
