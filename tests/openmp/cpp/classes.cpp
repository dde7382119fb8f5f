// SPDX-License-Identifier: Apache-2.0
// Objects in private, firstprivate, lastprivate, reduction, copyin and copyprivate: constructors,
// assignments and destructors run as often as they should, and on the copies they should.
#include "support/check.h"

#include <string>
#include <vector>

namespace {

struct counts {
  int made = 0, copied = 0, assigned = 0, destroyed = 0;
};

counts tallies[instances];

void add_one(int& counter) {
#pragma omp atomic
  counter++;
}

class tracked {
 public:
  explicit tracked(int value = 5) : value_(value), self_(this) { add_one(tally().made); }
  tracked(const tracked& other) : value_(other.value_), self_(this) {
    CHECK(other.self_ == &other);
    add_one(tally().copied);
  }
  tracked& operator=(const tracked& other) {
    CHECK(self_ == this && other.self_ == &other);
    value_ = other.value_;
    add_one(tally().assigned);
    return *this;
  }
  ~tracked() {
    CHECK(self_ == this);
    self_ = nullptr;
    add_one(tally().destroyed);
  }
  [[nodiscard]] int value() const {
    CHECK(self_ == this);
    return value_;
  }
  void set(int value) { value_ = value; }
  tracked& operator+=(const tracked& other) {
    value_ += other.value_;
    return *this;
  }
  static counts& tally() { return tallies[instance()]; }

 private:
  int value_;
  tracked* self_;
};

#pragma omp declare reduction(+ : tracked : omp_out += omp_in) initializer(omp_priv = tracked(0))

void check_balance() {
  const counts& tally = tracked::tally();
  CHECK_EQ(tally.made + tally.copied, tally.destroyed);
}

void private_objects() {
  tracked::tally() = {};
  {
    tracked object(9);
#pragma omp parallel private(object)
    {
      CHECK_EQ(object.value(), 5);
      object.set(omp_get_thread_num());
#pragma omp barrier
      CHECK_EQ(object.value(), omp_get_thread_num());
    }
    CHECK_EQ(object.value(), 9);
    CHECK_EQ(tracked::tally().made, 1 + team_size());
  }
  check_balance();
}

void firstprivate_objects() {
  tracked::tally() = {};
  {
    tracked object(7), array[3] = {tracked(1), tracked(2), tracked(3)};
#pragma omp parallel firstprivate(object, array)
    {
      CHECK_EQ(object.value(), 7);
      CHECK_EQ(array[2].value(), 3);
      object.set(100 + omp_get_thread_num());
#pragma omp barrier
      CHECK_EQ(object.value(), 100 + omp_get_thread_num());
    }
    CHECK_EQ(object.value(), 7);
    CHECK_EQ(tracked::tally().copied, 4 * team_size());
#pragma omp parallel
#pragma omp for firstprivate(object)
    for (int i = 0; i < 10; i++) {
      CHECK(object.value() == 7 || object.value() >= 1000);
      object.set(1000 + i);
    }
    CHECK_EQ(object.value(), 7);
  }
  check_balance();
}

void lastprivate_objects() {
  tracked::tally() = {};
  {
    tracked object(1);
#pragma omp parallel for lastprivate(object) schedule(static, 3)
    for (int i = 0; i < 40; i++) {
      object.set(i);
    }
    CHECK_EQ(object.value(), 39);
    CHECK_EQ(tracked::tally().assigned, 1);
#pragma omp parallel sections firstprivate(object) lastprivate(object)
    {
#pragma omp section
      object.set(50);
#pragma omp section
      object.set(60);
    }
    CHECK_EQ(object.value(), 60);
  }
  check_balance();
}

void reduced_objects() {
  tracked::tally() = {};
  {
    tracked sum(10), array[2] = {tracked(1), tracked(2)};
#pragma omp parallel for reduction(+ : sum, array) schedule(dynamic)
    for (int i = 0; i < 50; i++) {
      sum += tracked(i);
      array[i % 2] += tracked(1);
    }
    CHECK_EQ(sum.value(), 1235);
    CHECK_EQ(array[0].value(), 26);
    CHECK_EQ(array[1].value(), 27);
  }
  check_balance();
}

void copyprivate_objects() {
  tracked::tally() = {};
#pragma omp parallel
  {
    tracked object(omp_get_thread_num());
    std::string text = "own";
    std::vector<int> list;
    for (int round = 0; round < 5; round++) {
#pragma omp single copyprivate(object, text, list)
      {
        object.set(round * 11);
        text = "a longer text that needs memory of its own " + std::to_string(round);
        list.assign(50, round);
      }
      CHECK_EQ(object.value(), round * 11);
      CHECK(text.back() == '0' + round && text.size() == 44);
      CHECK(list.size() == 50 && list[49] == round);
    }
  }
  check_balance();
}

#pragma omp declare reduction( \
        join : std::vector<int> : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))
#pragma omp declare reduction(longest : std::string : omp_out = \
                                  omp_in.size() > omp_out.size() ? omp_in : omp_out)

void standard_library() {
  std::vector<int> all;
  std::string longest;
#pragma omp parallel for reduction(join : all) reduction(longest : longest) schedule(dynamic, 3)
  for (int i = 0; i < 100; i++) {
    all.push_back(i);
    std::string mine(static_cast<std::size_t>((i * 31) % 100), 'x');
    longest = mine.size() > longest.size() ? mine : longest;
  }
  CHECK_EQ(all.size(), 100);
  std::vector<int> seen(100);
  for (int i : all) {
    seen[i]++;
  }
  for (int count : seen) {
    CHECK_EQ(count, 1);
  }
  CHECK_EQ(longest.size(), 99);
}

// Members of the object, in methods: this is shared, lambdas capture as they say.
class owner {
 public:
  int sum(int length) {
    int result = 0;
#pragma omp parallel for reduction(+ : result)
    for (int i = 0; i < length; i++) {
      result += i * factor_;
    }
    return result;
  }
  void count_members() {
#pragma omp parallel
    {
#pragma omp atomic
      members_++;
    }
  }
  [[nodiscard]] int members() const { return members_; }

 private:
  int factor_ = 2;
  int members_ = 0;
};

void methods_and_lambdas() {
  owner object;
  CHECK_EQ(object.sum(100), 9900);
  object.count_members();
  CHECK_EQ(object.members(), team_size());
  int total = 0;
  auto add = [&total](int i) {
#pragma omp atomic
    total += i;
  };
#pragma omp parallel for
  for (int i = 0; i < 20; i++) {
    add(i);
  }
  CHECK_EQ(total, 190);
  auto nested = [](int length) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < length; i++) {
      sum += i;
    }
    return sum;
  };
  CHECK_EQ(nested(50), 1225);
}

template <typename Type>
Type sum_of(const std::vector<Type>& values) {
  Type sum{};
#pragma omp parallel for reduction(+ : sum) schedule(guided)
  for (std::size_t i = 0; i < values.size(); i++) {
    sum += values[i];
  }
  return sum;
}

void templates_and_references() {
  CHECK(sum_of(std::vector<double>(100, 0.5)) == 50);
  CHECK_EQ(sum_of(std::vector<long>(100, 3)), 300);
  int storage = 4, &reference = storage;
#pragma omp parallel firstprivate(reference)
  {
    CHECK_EQ(reference, 4);
    reference += omp_get_thread_num();
  }
  CHECK_EQ(storage, 4);
#pragma omp parallel for reduction(+ : reference)
  for (int i = 0; i < 10; i++) {
    reference += i;
  }
  CHECK_EQ(storage, 49);
}

}  // namespace

static void test() {
  private_objects();
  firstprivate_objects();
  lastprivate_objects();
  reduced_objects();
  copyprivate_objects();
  standard_library();
  methods_and_lambdas();
  templates_and_references();
}
