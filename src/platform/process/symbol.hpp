// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names of functions by address: from the dynamic symbols, and from the symbol table of the file,
// which also knows what a program does not export.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace kasuri::platform {

class symbols {
 public:
  symbols();
  ~symbols();
  symbols(const symbols&) = delete;
  symbols& operator=(const symbols&) = delete;

  struct place {
    std::string linked;    // the name as the linker knows it; empty: nobody knows one
    std::string function;  // the same as the program has it
    std::string module;    // the file's name without folders
    std::size_t offset;    // of the address in the module, for addr2line
  };

  /// Finds the place of `address`. Not for signal handlers.
  place at(const void* address);

 private:
  class file;
  std::vector<std::unique_ptr<file>> files_;  // read so far
};

}  // namespace kasuri::platform
