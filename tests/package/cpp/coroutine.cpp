// SPDX-License-Identifier: Apache-2.0
#include <kasuri/coroutine.hpp>

namespace {

kasuri::coro<int> half(kasuri::channel<int>& numbers) {
  co_await kasuri::yield_async();
  co_return (co_await kasuri::receive_async(numbers)).value_or(0) / 2;
}

}  // namespace

int main() {
  kasuri::channel<int> numbers(1);
  kasuri::future<int> f = kasuri::async(half(numbers));
  if (!numbers.send(84)) return 1;
  return f.get() == 42 ? 0 : 1;
}
