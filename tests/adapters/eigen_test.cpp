// SPDX-License-Identifier: Apache-2.0
#define EIGEN_USE_THREADS
#include <kasuri/adapters/eigen.hpp>

#include <unsupported/Eigen/CXX11/Tensor>

#include <gtest/gtest.h>

#include <atomic>

#include "kasuri/blocking.hpp"
#include "support/pool_fixture.hpp"

namespace kasuri {
namespace {

using eigen_of = test::pool_of;
using matrix = Eigen::Tensor<float, 2>;

constexpr int side = 128;

/// The product of two matrices of small integers, exact in any order of additions.
matrix product(const matrix& a, const matrix& b, const Eigen::ThreadPoolDevice* device) {
  const Eigen::array<Eigen::IndexPair<int>, 1> inner = {Eigen::IndexPair<int>(1, 0)};
  matrix c(side, side);
  if (device != nullptr)
    c.device(*device) = a.contract(b, inner);
  else
    c = a.contract(b, inner);
  return c;
}

matrix numbers(int step) {
  matrix m(side, side);
  for (int i = 0; i != side; ++i)
    for (int j = 0; j != side; ++j) m(i, j) = static_cast<float>((i * step + j) % 7);
  return m;
}

bool equal(const matrix& a, const matrix& b) {
  const Eigen::Tensor<bool, 0> all = (a == b).all();
  return all();
}

TEST_P(eigen_of, products_are_those_of_one_thread) {
  eigen_pool pool;
  const Eigen::ThreadPoolDevice device(&pool, pool.NumThreads());
  const matrix a = numbers(3);
  const matrix b = numbers(5);
  const matrix expected = product(a, b, nullptr);
  for (int k = 0; k != 10; ++k) EXPECT_TRUE(equal(product(a, b, &device), expected));
  const matrix sum = a + b;
  matrix other(side, side);
  other.device(device) = a + b;
  EXPECT_TRUE(equal(other, sum));
}

TEST_P(eigen_of, several_tasks_and_threads_share_it) {
  eigen_pool pool;
  const Eigen::ThreadPoolDevice device(&pool, pool.NumThreads());
  const matrix a = numbers(2);
  const matrix b = numbers(9);
  const matrix expected = product(a, b, nullptr);
  std::atomic<int> right{0};
  tasks_and_threads(4, 2, [&](int i) {
    if (i < 4)
      blocking([&] { right += equal(product(a, b, &device), expected) ? 1 : 0; });
    else
      right += equal(product(a, b, &device), expected) ? 1 : 0;
  });
  EXPECT_EQ(right, 6);
}

TEST_P(eigen_of, a_task_that_waits_the_way_of_eigen_ends_too) {
  eigen_pool pool;
  const Eigen::ThreadPoolDevice device(&pool, pool.NumThreads());
  const matrix a = numbers(4);
  const matrix expected = product(a, a, nullptr);
  std::atomic<int> right{0};
  tasks(3, [&](int) { right += equal(product(a, a, &device), expected) ? 1 : 0; });
  EXPECT_EQ(right, 3);
}

TEST_P(eigen_of, numbers_of_threads) {
  eigen_pool pool;
  EXPECT_EQ(pool.NumThreads(), GetParam());
  EXPECT_EQ(pool.CurrentThreadId(), -1);
  std::atomic<int> outside{0};
  latch all(100);
  for (int i = 0; i != 100; ++i)
    pool.Schedule([&] {
      const int id = pool.CurrentThreadId();
      outside += id < -1 || id >= pool.NumThreads() ? 1 : 0;
      all.count_down();
    });
  all.wait();
  EXPECT_EQ(outside, 0);
}

INSTANTIATE_TEST_SUITE_P(workers, eigen_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
