// SPDX-License-Identifier: Apache-2.0
// The common task model over plain calls and over each of this library's ways.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "kasuri/model.hpp"
#include "kasuri/model/kasuri.hpp"
#include "kasuri/model/serial.hpp"
#include "kasuri/model/threads.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

template <class Way>
struct on {
  using way = Way;
};

template <class Case>
class common_model : public ::testing::Test {
 protected:
  template <class F>
  static void inside(F f) {
    model::kasuri_system system(3);
    system.run([&f] { model::enter<typename Case::way>(f); });
  }
};

using ways =
    ::testing::Types<on<model::serial_calls>, on<model::kasuri_closures>, on<model::kasuri_groups>,
                     on<model::kasuri_child_first>, on<model::kasuri_parent_first>>;
TYPED_TEST_SUITE(common_model, ways);

template <class Way>
long fib(long n) {
  if (n < 2) return n;
  const auto both =
      model::fork_join<Way>([n] { return fib<Way>(n - 1); }, [n] { return fib<Way>(n - 2); });
  return both.first + both.second;
}

TYPED_TEST(common_model, fork_join_returns_both) {
  using way = typename TypeParam::way;
  this->inside([] {
    EXPECT_EQ(fib<way>(15), 610);
    int seen = 0;
    const auto mixed =
        model::fork_join<way>([&seen] { seen = 1; }, [] { return std::string("g"); });
    EXPECT_EQ(mixed.second, "g");
    EXPECT_EQ(seen, 1);
    model::fork_join<way>([] {}, [&seen] { seen = 2; });
    EXPECT_EQ(seen, 2);
  });
}

TYPED_TEST(common_model, children_of_several_waits) {
  using way = typename TypeParam::way;
  this->inside([] {
    const int n = scaled(2000);
    std::atomic<long> sum = 0;
    long called = 0;
    model::children<way> tasks;
    for (int round = 1; round <= 3; ++round) {
      const auto copied = std::make_shared<int>(round);  // its owner count shows copies destroyed
      for (int i = 0; i < n; ++i) {
        tasks.spawn([&sum, copied] { sum.fetch_add(*copied, std::memory_order_relaxed); });
      }
      tasks.call([&called, round] { called += round; });
      tasks.wait();
      EXPECT_EQ(copied.use_count(), 1);
    }
    EXPECT_EQ(sum.load(std::memory_order_relaxed), 6L * n);
    EXPECT_EQ(called, 6);
  });
}

TYPED_TEST(common_model, sums_keep_each_term) {
  using way = typename TypeParam::way;
  this->inside([] {
    const auto square = [](int i) { return static_cast<long>(i) * i; };
    for (int n : {0, 1, 2, 7, 100}) {
      EXPECT_EQ((model::sum_of<way, 100>(n, square)), (n - 1L) * n * (2 * n - 1) / 6);
    }
  });
}

TEST(closure_store, keeps_closures_in_place) {
  struct big {
    long index;
    std::byte rest[5000]{};
  };
  model::closure_store store;
  for (int life = 0; life < 3; ++life) {
    std::vector<std::tuple<long*, big*>> made;
    for (long i = 0; i < 300; ++i) made.emplace_back(store.make<long>(i), store.make<big>(i));
    for (long i = 0; i < 300; ++i) {
      const auto [small, large] = made[static_cast<std::size_t>(i)];
      EXPECT_EQ(*small, i);
      EXPECT_EQ(large->index, i);
    }
    store.clear();
  }
}

TEST(kasuri_seconds, are_zero_without_an_account) {
  model::kasuri_system system(2);
  system.run([] { EXPECT_EQ(fib<model::kasuri_closures>(22), 17711); });
  EXPECT_EQ(model::kasuri_system::seconds_spent().work, 0);
}

}  // namespace
}  // namespace kasuri::test
