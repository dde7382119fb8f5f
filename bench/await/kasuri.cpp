// SPDX-License-Identifier: Apache-2.0
#include <kasuri/coroutine.hpp>
#include <kasuri/promise.hpp>

#include "common/chosen_system.hpp"

#include <vector>

#include "await/problem.hpp"

namespace {

using bench::await::problem;

kasuri::coro<long> number(long n) { co_return n; }

kasuri::coro<long> child(long awaits) {
  long sum = 0;
  for (long i = 0; i != awaits; ++i) sum += co_await number(i);
  co_return sum;
}

kasuri::coro<long> ready(long awaits) {
  long sum = 0;
  for (long i = 0; i != awaits; ++i) sum += co_await kasuri::make_ready_future(i);
  co_return sum;
}

kasuri::coro<long> shared(long awaits) {
  const kasuri::shared_future<long> one = kasuri::make_ready_future(1L).share();
  long sum = 0;
  for (long i = 0; i != awaits; ++i) sum += i * co_await one;
  co_return sum;
}

kasuri::coro<long> lock(long awaits) {
  kasuri::mutex m;
  long sum = 0;
  for (long i = 0; i != awaits; ++i) {
    const auto hold = co_await kasuri::lock_async(m);
    sum += i;
  }
  co_return sum;
}

kasuri::coro<long> channel(long awaits) {
  kasuri::channel<long> numbers(1);
  long sum = 0;
  for (long i = 0; i != awaits; ++i) {
    static_cast<void>(co_await kasuri::send_async(numbers, i));
    if (const auto n = co_await kasuri::receive_async(numbers)) sum += *n;
  }
  co_return sum;
}

kasuri::coro<long> turn(long awaits) {
  long sum = 0;
  for (long i = 0; i != awaits; ++i) {
    co_await kasuri::yield_async();
    sum += i;
  }
  co_return sum;
}

kasuri::coro<long> task(long awaits) {
  long sum = 0;
  for (long i = 0; i != awaits; ++i) sum += co_await kasuri::async(number(i));
  co_return sum;
}

template <kasuri::coro<long> (*awaiting)(long)>
long solve(problem& p) {
  return kasuri::sync_wait(awaiting(p.awaits));
}

struct kasuri_tasks : bench::chosen_system {
  using chosen_system::chosen_system;
};

std::vector<bench::variant<problem>> variants() {
  return {{"child", &solve<child>}, {"ready", &solve<ready>},     {"shared", &solve<shared>},
          {"lock", &solve<lock>},   {"channel", &solve<channel>}, {"turn", &solve<turn>},
          {"task", &solve<task>}};
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run<kasuri_tasks, problem>(argc, argv, variants());
}
