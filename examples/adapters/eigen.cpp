// SPDX-License-Identifier: Apache-2.0
#define EIGEN_USE_THREADS
#include <kasuri/adapters/eigen.hpp>

#include <unsupported/Eigen/CXX11/Tensor>

#include <cstdio>

int main() {
  const Eigen::array<Eigen::IndexPair<int>, 1> dims = {Eigen::IndexPair<int>(1, 0)};
  Eigen::Tensor<float, 2> a(200, 300);
  Eigen::Tensor<float, 2> b(300, 100);
  Eigen::Tensor<float, 2> c(200, 100);
  a.setConstant(2);
  b.setConstant(3);
  // Eigen:
  kasuri::eigen_pool pool;
  const Eigen::ThreadPoolDevice device(&pool, pool.NumThreads());
  c.device(device) = a.contract(b, dims);
  // end
  std::printf("%g\n", static_cast<double>(c(199, 99)));
  return c(199, 99) == 1800 ? 0 : 1;
}
