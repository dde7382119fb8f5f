// SPDX-License-Identifier: Apache-2.0
// Wrong uses, each with a part of the first error that it must give: refused.py compiles one at a
// time. Case 0 is what must be taken.

#if CASE == 0
#include "kasuri/algorithm.hpp"
#include "kasuri/coroutine.hpp"
#include "kasuri/kasuri.hpp"

kasuri::coro<int> answer() { co_return 42; }
kasuri::coro<int> awaits() {
  auto c = answer();
  co_return co_await std::move(c) + co_await answer();
}

int main() {
  auto c = answer();
  auto f = kasuri::async(std::move(c));
  auto g = f.then([](int) { return kasuri::async(awaits()); });
  return g.get();
}
#elif CASE == 1  // the function is a coroutine, which async would not run: call it, async(f())
#include "kasuri/coroutine.hpp"

int main() {
  kasuri::async([]() -> kasuri::coro<void> { co_return; }).wait();
}
#elif CASE == 2  // kasuri::task_group::run: what it is given is a coroutine
#include "kasuri/coroutine.hpp"

int main() {
  kasuri::task_group g;
  g.run([]() -> kasuri::coro<int> { co_return 1; });
}
#elif CASE == 3  // kasuri::task_group::run: what it is given is a coroutine
#include "kasuri/coroutine.hpp"

kasuri::coro<int> f() { co_return 1; }
int main() {
  kasuri::task_group g;
  g.run(f());
}
#elif CASE == 4  // kasuri::future::then: the function is a coroutine, which then would not run
#include "kasuri/coroutine.hpp"

int main() {
  auto f = kasuri::async([] { return 1; });
  f.then([](int x) -> kasuri::coro<int> { co_return x; }).wait();
}
#elif CASE == 5  // kasuri::async: takes a function without arguments: async([=] { return f(x); })
#include "kasuri/future.hpp"

int f(int x) { return x; }
int main() { kasuri::async(f, 1).wait(); }
#elif CASE == 6  // kasuri::async: takes a function without arguments: async([=] { return f(x); })
#include "kasuri/future.hpp"

int main() {
  kasuri::async([](int x) { return x; }).wait();
}
#elif CASE == 7  // kasuri::task_group::run: takes a function without arguments: run([=] { f(x); })
#include "kasuri/task.hpp"

int main() {
  kasuri::task_group g;
  g.run([](int x) { return x; });
}
#elif CASE == 8  // kasuri::coro: an await takes the coroutine over: co_await std::move(c)
#include "kasuri/coroutine.hpp"

kasuri::coro<int> f() { co_return 1; }
kasuri::coro<int> g() {
  auto c = f();
  co_return co_await c;
}
int main() { return kasuri::sync_wait(g()); }
#elif CASE == 9  // kasuri::coro: an await takes the coroutine over: co_await std::move(c)
#include "kasuri/coroutine.hpp"

kasuri::coro<void> f() { co_return; }
kasuri::coro<void> g(kasuri::coro<void>& c) { co_await c; }
int main() {
  auto c = f();
  kasuri::sync_wait(g(c));
}
#elif CASE == 10  // kasuri::parallel_reduce: the identity is an integer
#include "kasuri/parallel_reduce.hpp"

int main() {
  return kasuri::parallel_reduce(0, 100, 0, [](int i) { return i * 0.5; }, std::plus<>());
}
#elif CASE == 11  // kasuri::parallel_reduce: the identity is an integer
#include "kasuri/stop.hpp"

int main() {
  return *kasuri::parallel_reduce(
      std::stop_token(), 0, 9, 0, [](int i) { return i * 0.5F; }, std::plus<>());
}
#elif CASE == 12  // kasuri::reduce: the first value is an integer
#include "kasuri/algorithm.hpp"

int main() { return kasuri::reduce(kasuri::par, std::vector<double>(9), 0); }
#elif CASE == 13  // kasuri::transform_reduce: the first value is an integer
#include "kasuri/algorithm.hpp"

int main() {
  return kasuri::transform_reduce(kasuri::par, std::vector<int>(9), 0, std::plus<>(),
                                  [](int i) { return i * 0.5; });
}
#elif CASE == 14  // kasuri::parallel_reduce: map is called as map(i) with an index
#include "kasuri/parallel_reduce.hpp"

int main() {
  std::vector<double> v(9);
  kasuri::parallel_reduce(v.begin(), v.end(), 0.0, [](double x) { return x; }, std::plus<>());
}
#elif CASE == 15  // kasuri::parallel_reduce: map returns a value, not void
#include "kasuri/parallel_reduce.hpp"

int main() {
  kasuri::parallel_reduce(0, 9, 0.0, [](int) {}, std::plus<>());
}
#elif CASE == 16  // kasuri::parallel_reduce: combine is called as combine(T, T)
#include "kasuri/parallel_reduce.hpp"

int main() {
  kasuri::parallel_reduce(0, 9, 0.0, [](int i) { return i; }, [](double a) { return a; });
}
#elif CASE == 17  // kasuri::parallel_reduce: map is called as map(i) with an index
#include "kasuri/parallel_reduce.hpp"

int main() {
  const kasuri::blocked_range<int> nine(0, 9);
  kasuri::parallel_reduce(
      kasuri::blocked_range2d(nine, nine), 0.0, [](int i) { return i; }, std::plus<>());
}
#elif CASE == 18  // kasuri::parallel_for: takes indices, iterators or a kasuri::blocked_range
#include "kasuri/parallel_for.hpp"

int main() {
  std::vector<int> v(9);
  kasuri::parallel_for(v, [](int) {});
}
#elif CASE == 19  // kasuri::parallel_for: the body is called as body(i)
#include "kasuri/parallel_for.hpp"

int main() {
  kasuri::parallel_for(0, 9, [] {});
}
#elif CASE == 20  // kasuri::parallel_for: the body is called as body(i)
#include "kasuri/parallel_for.hpp"

int main() {
  kasuri::parallel_for(kasuri::blocked_range(0, 9), [](int) {});
}
#elif CASE == 21  // kasuri::parallel_for: the body is called as body(i)
#include "kasuri/stop.hpp"

int main() {
  (void)kasuri::parallel_for(std::stop_token(), 0, 9, [] {});
}
#elif CASE == 22  // kasuri::parallel_for: the body is a coroutine, which the loop would not run
#include "kasuri/coroutine.hpp"
#include "kasuri/parallel_for.hpp"

int main() {
  kasuri::parallel_for(0, 9, [](int) -> kasuri::coro<void> { co_return; });
}
#elif CASE == 23  // kasuri::parallel_for_each: the body is a coroutine
#include "kasuri/coroutine.hpp"
#include "kasuri/parallel_for.hpp"

int main() {
  std::vector<int> v(9);
  kasuri::parallel_for_each(v, [](int) -> kasuri::coro<void> { co_return; });
}
#elif CASE == 24  // kasuri::parallel_for_each: the body is a coroutine
#include <list>

#include "kasuri/coroutine.hpp"
#include "kasuri/parallel_for_each.hpp"

int main() {
  std::list<int> v(9);
  kasuri::parallel_for_each(v, [](int) -> kasuri::coro<void> { co_return; });
}
#elif CASE == 25  // kasuri::parallel_invoke: takes functions without arguments
#include "kasuri/invoke.hpp"

int main() {
  const auto f = [] { return 1; };
  kasuri::parallel_invoke(f(), f());
}
#elif CASE == 26  // kasuri::parallel_invoke: takes functions without arguments
#include "kasuri/invoke.hpp"

int main() {
  kasuri::parallel_invoke([] {}, [] {}, [](int) {});
}
#elif CASE == 27  // kasuri::parallel_invoke: takes functions without arguments
#include "kasuri/stop.hpp"

int main() {
  kasuri::parallel_invoke([] {}, [] {}, std::stop_token());
}
#elif CASE == 28  // kasuri::parallel_invoke: a function is a coroutine
#include "kasuri/coroutine.hpp"
#include "kasuri/invoke.hpp"

int main() {
  kasuri::parallel_invoke([] {}, []() -> kasuri::coro<void> { co_return; });
}
#elif CASE == 29  // the stop condition comes first: kasuri::parallel_for(
#include "kasuri/stop.hpp"

int main() {
  kasuri::parallel_for(0, 9, [](int) {}, std::stop_token());
}
#elif CASE == 30  // the stop condition comes first: kasuri::parallel_for(
#include "kasuri/stop.hpp"

int main() {
  kasuri::parallel_for(0, 9, 1, [](int) {}, kasuri::stop_after(std::chrono::seconds(1)));
}
#elif CASE == 31  // the stop condition comes first: kasuri::parallel_for_each(
#include "kasuri/stop.hpp"

int main() {
  std::vector<int> v(9);
  kasuri::parallel_for_each(v, [](int) {}, std::stop_token());
}
#elif CASE == 32  // the stop condition comes first: kasuri::parallel_reduce(
#include "kasuri/stop.hpp"

int main() {
  const auto map = [](int i) { return i; };
  kasuri::parallel_reduce(0, 9, 0, map, std::plus<>(), std::stop_token());
}
#elif CASE == 33  // the stop condition comes first: kasuri::async(stop, f)
#include "kasuri/stop.hpp"

int main() {
  kasuri::async([] {}, std::stop_token()).wait();
}
#elif CASE == 34  // the stop condition comes first: kasuri::run(stop, f)
#include "kasuri/stop.hpp"

int main() {
  kasuri::run([] {}, std::stop_token());
}
#elif CASE == 35  // a stop condition is a std::stop_token
#include "kasuri/stop.hpp"

int main() {
  (void)kasuri::parallel_for(std::chrono::seconds(1), 0, 9, [](int) {});
}
#elif CASE == 36  // a stop condition is a std::stop_token
#include "kasuri/stop.hpp"

int main() {
  (void)kasuri::run(std::stop_source(), [] {});
}
#elif CASE == 37  // a stop condition is a std::stop_token
#include "kasuri/stop.hpp"

int main() {
  kasuri::latch l(1);
  (void)l.wait(std::chrono::seconds(1));
}
#elif CASE == 38  // kasuri::pipeline: only the last stage of a pipeline returns nothing
#include "kasuri/pipeline.hpp"

int main() {
  kasuri::pipeline(
      8, [] { return std::optional<int>(); }, kasuri::parallel([](int) {}),
      kasuri::serial([](int) {}));
}
#elif CASE == 39  // kasuri::pipeline: a stage is called with what the one before it
#include "kasuri/pipeline.hpp"

int main() {
  kasuri::pipeline(
      8, [] { return std::optional<int>(); }, kasuri::parallel([](int) { return ""; }),
      kasuri::serial([](int) {}));
}
#elif CASE == 40  // kasuri::pipeline: the source is a function, not in kasuri::in_order
#include "kasuri/pipeline.hpp"

int main() {
  kasuri::pipeline(8, kasuri::in_order([] { return std::optional<int>(); }),
                   kasuri::serial([](int) {}));
}
#elif CASE == 41  // kasuri::pipeline: the source of a pipeline returns a std::optional
#include "kasuri/pipeline.hpp"

int main() {
  kasuri::pipeline(8, [] { return 1; }, kasuri::serial([](int) {}));
}
#elif CASE == 42  // kasuri::pipeline: each stage is made by kasuri::parallel(f)
#include "kasuri/pipeline.hpp"

int main() {
  kasuri::pipeline(8, [] { return std::optional<int>(); }, [](int) {});
}
#elif CASE == 43  // kasuri::when_all: takes futures, and this is a coroutine that has not begun
#include "kasuri/coroutine.hpp"
#include "kasuri/when.hpp"

int main() {
  const auto one = []() -> kasuri::coro<int> { co_return 1; };
  (void)kasuri::when_all(one(), kasuri::async(one()));
}
#elif CASE == 44  // kasuri::when_any: takes futures, and this is a coroutine that has not begun
#include "kasuri/coroutine.hpp"
#include "kasuri/when.hpp"

int main() {
  const auto one = []() -> kasuri::coro<int> { co_return 1; };
  kasuri::when_any(one(), one());
}
#elif CASE == 45  // kasuri::parallel_scan: the first value is an integer
#include "kasuri/parallel_scan.hpp"

int main() {
  std::vector<double> v(9);
  kasuri::parallel_scan(v.begin(), v.end(), v.begin(), 0);
}
#elif CASE == 46  // kasuri::parallel_scan: the first value is an integer
#include "kasuri/algorithm.hpp"

int main() {
  std::vector<double> v(9);
  kasuri::exclusive_scan(kasuri::par, v.begin(), v.end(), v.begin(), 0);
}
#endif
