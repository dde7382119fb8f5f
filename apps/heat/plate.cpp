// SPDX-License-Identifier: Apache-2.0
#include "heat/plate.hpp"

#include <bit>
#include <cstring>

namespace heat {

plate::plate(std::size_t size)
    : size_(size), stride_(size + 2), now_(stride_ * stride_), next_(stride_ * stride_) {
  const double centre = static_cast<double>(size + 1) / 2;
  const double radius = static_cast<double>(size) / 4;
  for (std::size_t row = 1; row <= size; ++row) {
    for (std::size_t column = 1; column <= size; ++column) {
      const double y = static_cast<double>(row) - centre;
      const double x = static_cast<double>(column) - centre;
      if (x * x + y * y <= radius * radius) now_[row * stride_ + column] = 1;
    }
  }
}

// Not inlined: work that the imbalance repeats must be done each time.
[[gnu::noinline]] void plate::update(std::size_t begin, std::size_t end) noexcept {
  constexpr double diffusion = 0.2;  // conductivity * dt / h^2; stable up to 0.25
  for (std::size_t row = begin + 1; row <= end; ++row) {
    const double* const here = now_.data() + row * stride_;
    const double* const above = here - stride_;
    const double* const below = here + stride_;
    double* const out = next_.data() + row * stride_;
    for (std::size_t i = 1; i <= size_; ++i) {
      const double flow = ((above[i] + below[i]) + (here[i - 1] + here[i + 1])) - 4 * here[i];
      out[i] = here[i] + diffusion * flow;
    }
  }
}

double plate::total() const noexcept {
  double sum = 0;
  for (std::size_t row = 0; row < size_; ++row) {
    for (std::size_t column = 0; column < size_; ++column) sum += at(row, column);
  }
  return sum;
}

std::uint64_t plate::checksum() const noexcept {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;  // 2^64 / golden ratio
  std::uint64_t sum = size_;
  for (const double value : now_)
    sum = (std::rotl(sum, 23) ^ std::bit_cast<std::uint64_t>(value)) * odd;
  return sum;
}

bool plate::same_bits(const plate& other) const noexcept {
  return size_ == other.size_ &&
         std::memcmp(now_.data(), other.now_.data(), now_.size() * sizeof(double)) == 0;
}

}  // namespace heat
