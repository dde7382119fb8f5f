// SPDX-License-Identifier: Apache-2.0
// Loops of C++: over ranges and random access iterators, with taskloop, collapse and lambdas.
#include "support/check.h"

#include <array>
#include <cstdint>
#include <deque>
#include <numeric>
#include <string>
#include <vector>

namespace {

void over_ranges() {
  std::vector<int> values(200);
  std::iota(values.begin(), values.end(), 0);
  long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 3)
  for (int value : values) {
    sum += value;
  }
  CHECK_EQ(sum, 19900);
#pragma omp parallel for
  for (int& value : values) {
    value *= 2;
  }
  CHECK_EQ(values[199], 398);
  std::array<std::string, 5> words = {"a", "bb", "ccc", "dddd", "eeeee"};
  std::size_t length = 0;
#pragma omp parallel for reduction(+ : length)
  for (const std::string& word : words) {
    length += word.size();
  }
  CHECK_EQ(length, 15);
}

void over_iterators() {
  std::deque<int> values(300, 1);
  long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 7)
  for (auto at = values.begin(); at != values.end(); ++at) {
    sum += *at;
  }
  CHECK_EQ(sum, 300);
#pragma omp parallel for reduction(+ : sum) schedule(guided)
  for (auto at = values.rbegin(); at < values.rend(); at += 3) {
    sum += *at;
  }
  CHECK_EQ(sum, 400);
#ifndef __clang__  // Clang 19 copies from an iterator that it has not made
  std::vector<int> list(100);
  std::vector<int>::iterator last;
#pragma omp parallel for lastprivate(last)
  for (last = list.begin(); last < list.end(); last += 2) {
    *last = 1;
  }
  CHECK(last == list.end());
  CHECK_EQ(std::accumulate(list.begin(), list.end(), 0), 50);
#endif
}

// The least that an iterator of an OpenMP loop needs.
class step {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = long;
  using pointer = long*;
  using reference = long&;
  using iterator_category = std::random_access_iterator_tag;
  step() = default;
  explicit step(long at) : at_(at) {}
  long operator*() const { return at_; }
  step& operator++() { return *this += 1; }
  step& operator+=(difference_type by) {
    at_ += by;
    return *this;
  }
  friend difference_type operator-(const step& a, const step& b) { return a.at_ - b.at_; }
  friend bool operator<(const step& a, const step& b) { return a.at_ < b.at_; }

 private:
  long at_ = 0;
};

void over_own_iterators() {
  long sum = 0;
  int count = 0;
#pragma omp parallel for reduction(+ : sum, count) schedule(dynamic, 4)
  for (step at = step(-50); at < step(50); at += 5) {
    sum += *at;
    count++;
  }
  CHECK_EQ(count, 20);
  CHECK_EQ(sum, -50);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : sum) grainsize(3)
  for (step at = step(0); at < step(30); ++at) {
    sum += *at;
  }
  CHECK_EQ(sum, -50 + 435);
}

void collapsed() {
  std::vector<std::vector<int>> grid(10, std::vector<int>(12));
#pragma omp parallel for collapse(2) schedule(dynamic, 5)
  for (std::size_t i = 0; i < grid.size(); i++) {
    for (std::int8_t j = 0; j < 12; j++) {
      grid[i][static_cast<std::size_t>(j)]++;
    }
  }
  for (const auto& row : grid) {
    CHECK_EQ(std::accumulate(row.begin(), row.end(), 0), 12);
  }
}

void task_loops() {
  std::vector<int> values(100);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop num_tasks(7)
    for (auto at = values.begin(); at < values.end(); at++) {
      *at += 3;
    }
#pragma omp taskloop grainsize(10) shared(values)
    for (int& value : values) {
      value += 4;
    }
  }
  CHECK_EQ(std::accumulate(values.begin(), values.end(), 0), 700);
}

}  // namespace

static void test() {
  over_ranges();
  over_iterators();
  over_own_iterators();
  collapsed();
  task_loops();
}
