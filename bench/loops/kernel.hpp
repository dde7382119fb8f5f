// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// What is done to a piece [begin, end) of an array: compiled once, the same code at the same place
// in a cache line for every system.
namespace bench::loops::kernel {

/// What a call adds to cell i. Odd, so that a cell tells the number of calls, modulo 2^32.
inline std::uint32_t increment(std::size_t i) {
  const auto index = static_cast<std::uint32_t>(i);
  return (index ^ (index >> 3)) | 1;
}

/// cells[i] += increment(i)
void add(std::uint32_t* cells, std::size_t begin, std::size_t end);

std::uint32_t sum(const std::uint32_t* in, std::size_t begin, std::size_t end);
std::int64_t sum(const std::int64_t* in, std::size_t begin, std::size_t end);
double sum(const double* in, std::size_t begin, std::size_t end);

/// out[i] = before + in[begin] + ... + in[i]; returns the last of them, or `before` where there is
/// none.
std::int64_t scan(const std::int64_t* in, std::int64_t* out, std::size_t begin, std::size_t end,
                  std::int64_t before);
double scan(const double* in, double* out, std::size_t begin, std::size_t end, double before);

}  // namespace bench::loops::kernel
