// SPDX-License-Identifier: Apache-2.0
#include <kasuri/adapters/stdexec.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "kasuri/coroutine.hpp"
#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

namespace ex = stdexec;
using senders_of = test::pool_of;
const senders::scheduler pool = senders::get_scheduler();

int where_it_is() { return this_task::worker(); }

TEST_P(senders_of, it_is_a_scheduler) {
  static_assert(ex::scheduler<senders::scheduler>);
  EXPECT_EQ(pool, senders::get_scheduler());
  EXPECT_EQ(ex::get_forward_progress_guarantee(pool), ex::forward_progress_guarantee::parallel);
  EXPECT_EQ(ex::get_completion_scheduler<ex::set_value_t>(ex::get_env(ex::schedule(pool))), pool);
}

TEST_P(senders_of, completes_on_a_worker) {
  const auto where = [] { return ex::schedule(pool) | ex::then(where_it_is); };
  EXPECT_GE(std::get<0>(senders::sync_wait(where()).value()), 0);
  EXPECT_GE(std::get<0>(ex::sync_wait(where()).value()), 0);
  const auto moved = ex::just(20) | ex::continues_on(pool) |
                     ex::then([](int n) { return std::pair(n, this_task::worker()); });
  const auto [n, worker] = std::get<0>(senders::sync_wait(moved).value());
  EXPECT_EQ(n, 20);
  EXPECT_GE(worker, 0);
}

TEST_P(senders_of, values_errors_and_stops_come_out) {
  auto text = ex::schedule(pool) | ex::then([] { return std::make_unique<std::string>("text"); });
  EXPECT_EQ(*std::get<0>(senders::sync_wait(std::move(text)).value()), "text");
  EXPECT_THROW(
      senders::sync_wait(ex::schedule(pool) | ex::then([] { throw std::logic_error("x"); })),
      std::logic_error);
  EXPECT_THROW(ex::sync_wait(ex::schedule(pool) | ex::then([] { throw std::logic_error("x"); })),
               std::logic_error);
  const auto fails = [] { return ex::schedule(pool) | ex::then([]() -> int { throw 1; }); };
  auto by_code = fails() | ex::let_error([](const std::exception_ptr&) {
                   return ex::just_error(std::make_error_code(std::errc::timed_out));
                 });
  EXPECT_THROW(senders::sync_wait(std::move(by_code)), std::system_error);
  auto by_number =
      fails() | ex::let_error([](const std::exception_ptr&) { return ex::just_error(7); });
  EXPECT_THROW(senders::sync_wait(std::move(by_number)), int);
  auto stops =
      fails() | ex::let_error([](const std::exception_ptr&) { return ex::just_stopped(); });
  EXPECT_FALSE(senders::sync_wait(std::move(stops)).has_value());
}

TEST_P(senders_of, several_at_once) {
  for (int k = 0; k != test::scaled(200); ++k) {
    auto all = ex::when_all(ex::schedule(pool) | ex::then([] { return 1; }),
                            ex::schedule(pool) | ex::then([] { return 2; }),
                            ex::schedule(pool) | ex::then([] { return 3; }));
    const auto [a, b, c] = senders::sync_wait(std::move(all)).value();
    EXPECT_EQ(a + b + c, 6);
  }
}

TEST_P(senders_of, one_that_fails_stops_the_others) {
  std::atomic<int> ran{0};
  auto all =
      ex::when_all(ex::schedule(pool) | ex::then([]() -> int { throw std::logic_error("a"); }),
                   ex::schedule(pool) | ex::then([&] { return ++ran; }));
  EXPECT_THROW(senders::sync_wait(std::move(all)), std::logic_error);
  EXPECT_LE(ran, 1);
}

TEST_P(senders_of, bulk_calls_each_index_once) {
  std::vector<std::atomic<int>> calls(10'000);
  auto work = ex::schedule(pool) | ex::then([] { return std::string("shared"); }) |
              ex::bulk(ex::par, calls.size(),
                       [&](std::size_t i, const std::string& text) {
                         calls[i] += text == "shared" && this_task::worker() >= 0 ? 1 : 100;
                       }) |
              ex::then([](std::string text) { return text + "!"; });
  EXPECT_EQ(std::get<0>(senders::sync_wait(std::move(work)).value()), "shared!");
  for (const auto& c : calls) EXPECT_EQ(c, 1);
}

TEST_P(senders_of, bulk_in_pieces_covers_all) {
  std::atomic<long> sum{0};
  std::atomic<int> pieces{0};
  auto work =
      ex::schedule(pool) | ex::bulk_chunked(ex::par_unseq, 100'000L, [&](long begin, long end) {
        ++pieces;
        long mine = 0;
        for (long i = begin; i != end; ++i) mine += i;
        sum += mine;
      });
  senders::sync_wait(std::move(work));
  EXPECT_EQ(sum, 100'000L * 99'999 / 2);
  EXPECT_GE(pieces, 1);
}

TEST_P(senders_of, bulk_in_sequence_stays_in_order) {
  std::vector<int> order;
  senders::sync_wait(ex::schedule(pool) |
                     ex::bulk(ex::seq, 1000, [&](int i) { order.push_back(i); }));
  ASSERT_EQ(order.size(), 1000U);
  for (int i = 0; i != 1000; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

/// Whether the pool divides the indices of a bulk sender.
template <class Sender>
bool is_divided(Sender sender) {
  auto&& changed = senders::domain::transform_sender(ex::set_value, std::move(sender), ex::env<>());
  auto& [tag, data, child] = changed;
  auto& [policy, shape, function] = data;
  return senders::detail::is_parallel<std::remove_cvref_t<decltype(function)>>;
}

TEST_P(senders_of, the_policy_says_whether_indices_are_divided) {
  const auto nothing = [](int, int) {};
  EXPECT_TRUE(is_divided(ex::schedule(pool) | ex::bulk_chunked(ex::par, 9, nothing)));
  EXPECT_TRUE(is_divided(ex::schedule(pool) | ex::bulk_chunked(ex::par_unseq, 9, nothing)));
  EXPECT_FALSE(is_divided(ex::schedule(pool) | ex::bulk_chunked(ex::seq, 9, nothing)));
  EXPECT_FALSE(is_divided(ex::schedule(pool) | ex::bulk_chunked(ex::unseq, 9, nothing)));
}

TEST_P(senders_of, bulk_without_pieces_has_a_task_for_each) {
  latch all(10);  // each waits for all
  std::atomic<int> through{0};
  senders::sync_wait(ex::schedule(pool) | ex::bulk_unchunked(ex::par, 10, [&](int) {
                       all.arrive_and_wait();
                       ++through;
                     }));
  EXPECT_EQ(through, 10);
}

TEST_P(senders_of, exceptions_of_bulk_come_out) {
  EXPECT_THROW(senders::sync_wait(ex::schedule(pool) | ex::bulk(ex::par, 1000,
                                                                [](int i) {
                                                                  if (i == 500)
                                                                    throw std::logic_error("500");
                                                                })),
               std::logic_error);
}

/// With one worker, a wait that held it would never end without a spare thread.
TEST_P(senders_of, tasks_wait_and_workers_do_not) {
  std::atomic<int> sum{0};
  tasks(50, [&](int i) {
    const auto work = [i] { return ex::schedule(pool) | ex::then([i] { return i; }); };
    sum += std::get<0>(senders::sync_wait(work()).value());
    sum += std::get<0>(ex::sync_wait(work()).value());
  });
  EXPECT_EQ(sum, 2 * 1225);
}

TEST_P(senders_of, goes_on_from_the_pool_where_it_waits) {
  // `on` comes back to where it began: the pool, as sync_wait says.
  auto work = ex::on(pool, ex::just(1) | ex::then([](int n) { return n + 1; })) |
              ex::then([](int n) { return n + where_it_is() * 0; });
  EXPECT_EQ(std::get<0>(senders::sync_wait(std::move(work)).value()), 2);
}

TEST_P(senders_of, any_thread_starts_work) {
  std::atomic<int> sum{0};
  tasks_and_threads(4, 4, [&](int) {
    for (int k = 0; k != test::scaled(200); ++k)
      senders::sync_wait(ex::schedule(pool) | ex::then([&] { ++sum; }));
  });
  EXPECT_EQ(sum, 8 * test::scaled(200));
}

coro<int> doubled(int n) {
  co_await yield_async();
  co_return 2 * n;
}

TEST_P(senders_of, coroutines_and_futures_are_senders) {
  auto work = ex::when_all(doubled(4), async([] { return 5; })) |
              ex::then([](int a, int b) { return a + b; });
  EXPECT_EQ(std::get<0>(senders::sync_wait(std::move(work)).value()), 13);
}

INSTANTIATE_TEST_SUITE_P(workers, senders_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
