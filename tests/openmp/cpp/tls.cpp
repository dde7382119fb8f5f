// SPDX-License-Identifier: Apache-2.0
// thread_local and threadprivate objects with constructors: one for each member, made on first use,
// alive as long as the thread; their address is the member's own after every scheduling point.
#include "support/check.h"

#include <string>
#include <vector>

namespace {

class marked {
 public:
  marked() : self_(this) {}
  explicit marked(int number) : number_(number), self_(this) {}
  marked(const marked& other) : number_(other.number_), text_(other.text_), self_(this) {}
  marked& operator=(const marked& other) {
    CHECK(self_ == this && other.self_ == &other);
    number_ = other.number_;
    text_ = other.text_;
    return *this;
  }
  ~marked() { self_ = nullptr; }
  void set(int number) {
    number_ = number;
    text_ = "the text of member number " + std::to_string(number);
  }
  void check(int number) const {
    CHECK(self_ == this);
    CHECK_EQ(number_, number);
    CHECK(number == initial || text_ == "the text of member number " + std::to_string(number));
  }
  static constexpr int initial = 42;

 private:
  int number_ = initial;
  std::string text_;
  marked* self_;
};

thread_local marked local;
thread_local std::vector<int> list;
extern marked global;
#pragma omp threadprivate(global)
marked global(marked::initial);

[[gnu::noinline]] marked& local_now() { return local; }
[[gnu::noinline]] marked& global_now() { return global; }

void own_objects(int size) {
#pragma omp parallel num_threads(size)
  {
    int me = omp_get_thread_num();
    local_now().set(me);
    global_now().set(me + 100);
    list.assign(10, me);
    marked* mine = &local_now();
    for (int i = 0; i < 5; i++) {
#pragma omp barrier
      local_now().check(me);
      global_now().check(me + 100);
      CHECK(&local_now() == mine);
      CHECK(list.size() == 10 && list[9] == me);
#pragma omp task
      {
      }
#pragma omp taskwait
      local_now().check(me);
    }
  }
}

void copied_in(int size) {
#ifndef __clang__  // GCC 12 assigns to a copy that is constructed only later if it was never used
  if (is_nested()) {
    return;
  }
#endif
  global.set(7);
#pragma omp parallel num_threads(size) copyin(global)
  {
    global_now().check(7);
    global_now().set(omp_get_thread_num());
#pragma omp barrier
    global_now().check(omp_get_thread_num());
  }
#pragma omp parallel num_threads(size)
  {
#pragma omp single copyprivate(global)
    global_now().set(99);
    global_now().check(99);
  }
}

void function_local(int size) {
  int made = 0;
#pragma omp parallel num_threads(size)
  {
    auto& counter = [&made]() -> int& {
      static thread_local int value = 0;
      static thread_local bool first = true;
      if (first) {
        first = false;
#pragma omp atomic
        made++;
      }
      return value;
    }();
    counter = omp_get_thread_num() + 1;
#pragma omp barrier
    CHECK_EQ(counter, omp_get_thread_num() + 1);
  }
  CHECK(made <= size);
}

}  // namespace

static void test() {
  const int sizes[] = {2, 8, team_size()};
  for (int size : sizes) {
    own_objects(size);
    copied_in(size);
    function_local(size);
  }
}
