// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

// What is done without tasks: compiled once, the same code at the same place in a cache line for
// every system.
namespace bench::cilksort::kernel {

using keys = std::span<std::uint32_t>;

void sort(keys data);
/// `out` is as long as a and b together.
void merge(keys a, keys b, keys out);

}  // namespace bench::cilksort::kernel
