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
#endif
