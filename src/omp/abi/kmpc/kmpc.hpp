// SPDX-License-Identifier: Apache-2.0
#pragma once

// Clang's programs pass two arguments to each call: where it stands in the source, and a number of
// the thread, which is not needed.

#include <cstdint>

#include "omp/region/region.hpp"

namespace kasuri::omp::kmpc {

/// ident_t: the compiler's description of the place.
struct location {
  std::int32_t reserved_1;
  std::int32_t flags;
  std::int32_t reserved_2;
  std::int32_t reserved_3;
  const char* text;  // ";file;function;line;column;;"
};

enum : std::int32_t {
  flag_atomic_reduction = 0x10,
  flag_explicit_barrier = 0x20,
  flag_implicit_barrier = 0x40,  // of a worksharing construct
  flag_loop = 0x200,
  flag_sections = 0x400,
  flag_distribute = 0x800,
};

using gtid = std::int32_t;
using outlined = void (*)();  // (gtid*, gtid*, pointers...)

}  // namespace kasuri::omp::kmpc

extern "C" {

/// Calls the outlined function with the two numbers and `count` words; the array has room for eight
/// at least (call_outlined_*.S). *frame becomes the frame of the call.
void kasuri_omp_call_outlined(kasuri::omp::kmpc::outlined f, std::int32_t* thread,
                              std::int32_t* bound, std::int64_t count, void** words, void** frame);
}
