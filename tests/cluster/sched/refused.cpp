// SPDX-License-Identifier: Apache-2.0
// Closures, elements and values that must not compile: the one with the number REFUSED.

#include <array>
#include <string>

#include "kasuri/global/atomic.hpp"
#include "kasuri/global/collective.hpp"
#include "kasuri/global/invoke.hpp"
#include "kasuri/global/tasks/task_group.hpp"

namespace {

void plain() {}

template <int Which>
void refused() {
  const auto nothing = [] {};
  if constexpr (Which == 1) {
    const std::string text;
    kasuri::global::parallel_invoke([text] { return text.size(); }, nothing);
  } else if constexpr (Which == 2) {
    kasuri::global::parallel_invoke(plain, nothing);
  } else if constexpr (Which == 3) {
    const std::array<char, 4000> large{};
    kasuri::global::parallel_invoke([large] { return large[0]; }, nothing);
  } else if constexpr (Which == 4) {
    kasuri::global::parallel_invoke([] { return std::string("text"); }, nothing);
  } else if constexpr (Which == 5) {
    const std::string text;
    kasuri::global::parallel_invoke(nothing, nothing, [text] { return text.size(); });
  } else if constexpr (Which == 6) {
    kasuri::global::fetch_add(kasuri::global::ptr<short>(), 1);
  } else if constexpr (Which == 7) {
    struct padded {
      int a;
      char b;
    };
    kasuri::global::exchange(kasuri::global::ptr<padded>(), padded{});
  } else if constexpr (Which == 8) {
    kasuri::global::fetch_add(kasuri::global::ptr<kasuri::global::ptr<int>>(), nullptr);
  } else if constexpr (Which == 9) {
    kasuri::global::fetch_or(kasuri::global::ptr<float>(), 1.0F);
  } else if constexpr (Which == 10) {
    kasuri::global::broadcast(std::string("text"));
  } else if constexpr (Which == 11) {
    const std::string text;
    kasuri::global::task_group group;
    group.run([text] { return text.size(); });
  } else {
    kasuri::global::parallel_invoke(nothing, nothing);
  }
}

}  // namespace

int main() { refused<REFUSED>(); }
