// SPDX-License-Identifier: Apache-2.0
#define EIGEN_USE_THREADS
#include <kasuri/adapters/eigen.hpp>

#include <unsupported/Eigen/CXX11/Tensor>

int main() {
  kasuri::eigen_pool pool;
  const Eigen::ThreadPoolDevice device(&pool, pool.NumThreads());
  Eigen::Tensor<int, 1> numbers(100'000);
  numbers.device(device) = numbers.constant(42);
  return numbers(99'999) == 42 ? 0 : 1;
}
