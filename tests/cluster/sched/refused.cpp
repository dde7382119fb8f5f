// SPDX-License-Identifier: Apache-2.0
// Closures that must not compile: the one with the number REFUSED.

#include <array>
#include <string>

#include "kasuri/global/invoke.hpp"

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
  } else {
    kasuri::global::parallel_invoke(nothing, nothing);
  }
}

}  // namespace

int main() { refused<REFUSED>(); }
