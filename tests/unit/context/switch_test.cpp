// SPDX-License-Identifier: Apache-2.0
// The four moves, without a scheduler.

#include <gtest/gtest.h>

#include <vector>

#include "context/context.hpp"
#include "support/scale.hpp"

namespace kasuri::context {
namespace {

/// Memory for a stack and what the two sides tell each other.
struct side {
  std::vector<std::byte> memory = std::vector<std::byte>(64 * 1024);
  saved here = nullptr;   // the test
  saved there = nullptr;  // the other stack
  int turns = 0;
  bool over = false;

  void* top() {
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(memory.data() + memory.size()) &
                                   ~std::uintptr_t{63});
  }
};

void save_here(void* arg, saved from) { static_cast<side*>(arg)->here = from; }
void save_there(void* arg, saved from) { static_cast<side*>(arg)->there = from; }
void nothing(void*) {}

void count_turns(void* arg, saved from) {
  auto& s = *static_cast<side*>(arg);
  s.here = from;
  while (!s.over) {
    ++s.turns;
    kasuri_context_switch(s.here, save_there, &s);
  }
  kasuri_context_jump(s.here, nothing, &s);
}

TEST(context, switches_to_and_fro) {
  if (test::sanitized) GTEST_SKIP() << "the scheduler announces stacks to sanitizers";
  side s;
  kasuri_context_start(s.top(), count_turns, &s);
  for (int i = 1; i != 100; ++i) {
    ASSERT_EQ(s.turns, i);
    kasuri_context_switch(s.there, save_here, &s);
  }
  s.over = true;
  kasuri_context_switch(s.there, save_here, &s);
  EXPECT_EQ(s.turns, 100);
}

saved returns_at_once(void* arg) {
  auto& s = *static_cast<side*>(arg);
  ++s.turns;
  return s.here;
}

TEST(context, calls_on_another_stack_and_returns) {
  if (test::sanitized) GTEST_SKIP() << "the scheduler announces stacks to sanitizers";
  side s;
  for (int i = 0; i != 10; ++i) kasuri_context_call(s.top(), returns_at_once, &s, &s.here);
  EXPECT_EQ(s.turns, 10);
}

saved gives_the_caller_away(void* arg) {
  auto& s = *static_cast<side*>(arg);
  ++s.turns;
  kasuri_context_switch(s.here, save_there, &s);
  ++s.turns;
  kasuri_context_jump(s.here, nothing, &s);
}

TEST(context, goes_on_with_a_caller_that_was_given_away) {
  if (test::sanitized) GTEST_SKIP() << "the scheduler announces stacks to sanitizers";
  side s;
  kasuri_context_call(s.top(), gives_the_caller_away, &s, &s.here);
  EXPECT_EQ(s.turns, 1);
  kasuri_context_switch(s.there, save_here, &s);
  EXPECT_EQ(s.turns, 2);
}

/// Uses as many callee-saved registers, integer and floating point, as there are.
[[gnu::noinline]] double mixture(side& s, int n) {
  long a = n, b = n + 1, c = n + 2, d = n + 3, e = n + 4, f = n + 5, g = n + 6;
  double x = n * 0.5, y = n * 0.25, z = n * 0.125;
  for (int i = 0; i != 3; ++i) {
    if (s.there != nullptr) kasuri_context_switch(s.there, save_here, &s);
    a += b * i, b += c, c += d, d += e, e += f, f += g, g += a;
    x += y * static_cast<double>(i), y += z, z += x;
  }
  return static_cast<double>(a + b + c + d + e + f + g) + x + y + z;
}

TEST(context, keeps_registers) {
  if (test::sanitized) GTEST_SKIP() << "the scheduler announces stacks to sanitizers";
  side none;
  side s;
  kasuri_context_start(s.top(), count_turns, &s);
  for (int n = 0; n != 50; ++n) EXPECT_EQ(mixture(s, n), mixture(none, n));
  s.over = true;
  kasuri_context_switch(s.there, save_here, &s);
}

}  // namespace
}  // namespace kasuri::context
