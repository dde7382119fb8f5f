// SPDX-License-Identifier: Apache-2.0
#include "info.hpp"

namespace kasuri::command {

// The words are CMake's (CMakeLists.txt in this folder).
std::span<const build_fact> build_facts() {
  static constexpr build_fact all[] = {
      {"compiler", KASURI_BUILD_COMPILER},
      {"processor", KASURI_BUILD_PROCESSOR},
      {"type", KASURI_BUILD_TYPE},
      {"openmp", KASURI_BUILD_OPENMP},
      {"cluster", KASURI_BUILD_CLUSTER},
      {"hwloc", KASURI_BUILD_HWLOC},
      {"context", KASURI_BUILD_CONTEXT},
      {"invariants", KASURI_BUILD_EXPECT},
      {"instrumented", KASURI_BUILD_SANITIZE},
  };
  return all;
}

}  // namespace kasuri::command
