// SPDX-License-Identifier: Apache-2.0
// The queue of those who wait, against a list of numbers.
#include "sched/kernel/wait_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "support/scale.hpp"

namespace kasuri::sched {
namespace {

struct entry {
  int number = 0;
  entry* next = nullptr;
};

std::vector<int> contents(const entry* last) {
  std::vector<int> found;
  if (last == nullptr) return found;
  const entry* at = last;
  do {
    at = at->next;
    found.push_back(at->number);
  } while (at != last);
  return found;
}

class wait_queue : public testing::Test {
 protected:
  wait_queue() : entries_(6) {
    for (int i = 0; i != 6; ++i) entries_[static_cast<std::size_t>(i)].number = i;
  }

  entry* fresh() {
    for (entry& e : entries_)
      if (std::ranges::find(expected_, e.number) == expected_.end()) return &e;
    return nullptr;
  }
  void expect_same() const { ASSERT_EQ(contents(last_), expected_); }

  std::vector<entry> entries_;
  std::vector<int> expected_;
  entry* last_ = nullptr;
};

TEST_F(wait_queue, random_operations) {
  std::mt19937 random(7);
  for (int turn = 0, turns = test::scaled(20000); turn != turns; ++turn) {
    entry* const n = fresh();
    switch (random() % 5) {
      case 0:
      case 1:
        if (n == nullptr) break;
        append(last_, n);
        expected_.push_back(n->number);
        break;
      case 2:
        if (n == nullptr) break;
        prepend(last_, n);
        expected_.insert(expected_.begin(), n->number);
        break;
      case 3: {
        const entry* const first = take_first(last_);
        ASSERT_EQ(first == nullptr, expected_.empty());
        if (first == nullptr) break;
        ASSERT_EQ(first->number, expected_.front());
        expected_.erase(expected_.begin());
        break;
      }
      default: {
        const auto kinds = random() % 64;
        const auto most = static_cast<unsigned>(random() % 7);
        const auto wanted = [kinds](int number) { return (kinds >> number & 1) != 0; };
        std::vector<int> taken;
        take_where(
            last_, most, [&](const entry& e) { return wanted(e.number); },
            [&](const entry& e) { taken.push_back(e.number); });
        std::vector<int> should;
        for (const int number : expected_)
          if (should.size() != most && wanted(number)) should.push_back(number);
        ASSERT_EQ(taken, should);
        std::erase_if(expected_, [&](int i) { return std::ranges::find(taken, i) != taken.end(); });
      }
    }
    expect_same();
  }
}

TEST_F(wait_queue, all_as_a_chain) {
  for (entry& e : entries_) append(last_, &e);
  const entry* at = take_all(last_);
  for (int i = 0; i != 6; ++i, at = at->next) ASSERT_EQ(at->number, i);
  EXPECT_EQ(at, nullptr);
  EXPECT_EQ(last_, nullptr);
  EXPECT_EQ(take_all(last_), nullptr);
}

}  // namespace
}  // namespace kasuri::sched
