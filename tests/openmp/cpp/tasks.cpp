// SPDX-License-Identifier: Apache-2.0
// Tasks that capture objects: copies are made when the task is, and destroyed when it has run.
#include "support/check.h"

#include <memory>
#include <string>
#include <vector>

namespace {

int alive[instances];

class counted {
 public:
  explicit counted(int value) : value_(value), self_(this) { change(1); }
  counted(const counted& other) : value_(other.value_), self_(this) {
    CHECK(other.self_ == &other);
    change(1);
  }
  counted& operator=(const counted&) = delete;
  ~counted() {
    CHECK(self_ == this);
    self_ = nullptr;
    change(-1);
  }
  [[nodiscard]] int value() const {
    CHECK(self_ == this);
    return value_;
  }

 private:
  static void change(int by) {
    int& counter = alive[instance()];
#pragma omp atomic
    counter += by;
  }
  int value_;
  counted* self_;
};

void copies_live_as_long_as_the_task() {
  alive[instance()] = 0;
  int sum = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; i++) {
    counted object(i);
#pragma omp task firstprivate(object) shared(sum)
    {
#pragma omp atomic
      sum += object.value();
    }
  }
  CHECK_EQ(sum, 1225);
  CHECK_EQ(alive[instance()], 0);
}

void undeferred_copies() {
  alive[instance()] = 0;
#pragma omp parallel
#pragma omp single
  {
    counted object(3);
    int before;
#pragma omp atomic read
    before = alive[instance()];
#pragma omp task firstprivate(object) if (0)
    CHECK_EQ(object.value(), 3);
    CHECK_EQ(alive[instance()], before);
#pragma omp task firstprivate(object) final(1)
#pragma omp task firstprivate(object)
    CHECK_EQ(object.value(), 3);
  }
  CHECK_EQ(alive[instance()], 0);
}

void standard_objects() {
  std::size_t total = 0;
  auto shared_number = std::make_shared<int>(4);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 30; i++) {
    std::string text(static_cast<std::size_t>(i + 20), 'x');
    std::vector<int> list(static_cast<std::size_t>(i), i);
#pragma omp task firstprivate(text, list, shared_number, i) shared(total)
    {
      CHECK_EQ(text.size(), i + 20);
      CHECK_EQ(list.size(), i);
      CHECK_EQ(*shared_number, 4);
      text += "and more than there was room for in the string itself";
#pragma omp atomic
      total += text.size() - 53;
    }
  }
  CHECK_EQ(total, 435 + 600);
  CHECK_EQ(shared_number.use_count(), 1);
}

void arrays_of_objects() {
  alive[instance()] = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
    counted objects[4] = {counted(i), counted(i + 1), counted(i + 2), counted(i + 3)};
#pragma omp task firstprivate(objects, i)
    for (int k = 0; k < 4; k++) {
      CHECK_EQ(objects[k].value(), i + k);
    }
  }
  CHECK_EQ(alive[instance()], 0);
}

void taskloops_and_dependences() {
  alive[instance()] = 0;
  int sum = 0, order = 0;
#pragma omp parallel
#pragma omp single
  {
    counted object(2);
#pragma omp taskloop firstprivate(object) grainsize(5) shared(sum)
    for (int i = 0; i < 40; i++) {
#pragma omp atomic
      sum += object.value();
    }
    for (int i = 0; i < 10; i++) {
      counted mine(i);
#pragma omp task firstprivate(mine) depend(inout : order) shared(order)
      {
        CHECK_EQ(order, mine.value());
        order++;
      }
    }
  }
  CHECK_EQ(sum, 80);
  CHECK_EQ(alive[instance()], 0);
}

class fibonacci {
 public:
  int operator()(int n) {
    if (n < 2) {
      return n;
    }
    int a = 0, b = 0;
#pragma omp task shared(a)
    a = (*this)(n - 1);
    b = (*this)(n - 2);
#pragma omp taskwait
#pragma omp atomic
    calls_++;
    return a + b;
  }
  [[nodiscard]] int calls() const { return calls_; }

 private:
  int calls_ = 0;
};

void recursive_objects() {
  fibonacci fib;
  int result = 0;
#pragma omp parallel
#pragma omp single
  result = fib(12);
  CHECK_EQ(result, 144);
  CHECK_EQ(fib.calls(), 232);
}

class tree {
 public:
  explicit tree(int depth) {
    if (depth > 0) {
      left_ = std::make_unique<tree>(depth - 1);
      right_ = std::make_unique<tree>(depth - 1);
    }
  }
  [[nodiscard]] int count() const {
    int left = 0, right = 0;
    if (left_) {
#pragma omp task shared(left)
      left = left_->count();
#pragma omp task shared(right)
      right = right_->count();
#pragma omp taskwait
    }
    return left + right + 1;
  }

 private:
  std::unique_ptr<tree> left_, right_;
};

void methods() {
  tree root(8);
  int count = 0;
#pragma omp parallel
#pragma omp single
  count = root.count();
  CHECK_EQ(count, 511);
}

}  // namespace

static void test() {
  copies_live_as_long_as_the_task();
  undeferred_copies();
  standard_objects();
  arrays_of_objects();
  taskloops_and_dependences();
  recursive_objects();
  methods();
}
