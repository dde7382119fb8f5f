// SPDX-License-Identifier: Apache-2.0
#include "loops/kernel.hpp"

namespace bench::loops::kernel {
namespace {

template <class T>
T sum_of(const T* in, std::size_t begin, std::size_t end) {
  T total = 0;
  for (std::size_t i = begin; i < end; ++i) total += in[i];
  return total;
}

template <class T>
T scan_of(const T* in, T* out, std::size_t begin, std::size_t end, T before) {
  for (std::size_t i = begin; i < end; ++i) {
    before += in[i];
    out[i] = before;
  }
  return before;
}

}  // namespace

void add(std::uint32_t* cells, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    cells[i] += increment(i);
  }
}

std::uint32_t sum(const std::uint32_t* in, std::size_t begin, std::size_t end) {
  return sum_of(in, begin, end);
}

std::int64_t sum(const std::int64_t* in, std::size_t begin, std::size_t end) {
  return sum_of(in, begin, end);
}

double sum(const double* in, std::size_t begin, std::size_t end) { return sum_of(in, begin, end); }

std::int64_t scan(const std::int64_t* in, std::int64_t* out, std::size_t begin, std::size_t end,
                  std::int64_t before) {
  return scan_of(in, out, begin, end, before);
}

double scan(const double* in, double* out, std::size_t begin, std::size_t end, double before) {
  return scan_of(in, out, begin, end, before);
}

}  // namespace bench::loops::kernel
