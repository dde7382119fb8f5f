// SPDX-License-Identifier: Apache-2.0
// Litmus tests: straight-line programs given as data, for the explorer's tests of itself.
#pragma once

#include <deque>
#include <vector>

#include "explorer/explore.hpp"

namespace kasuri::model {

enum class step : std::uint8_t {
  load,
  store,
  add,
  swap_if_zero,
  fence,
  light_fence,
  heavy_fence,
  await_nonzero,  // spins
  sleep_if_zero,  // once
  wake,           // one sleeper
};

struct instruction {
  step what = step::fence;
  int location = 0;
  std::memory_order order = std::memory_order_relaxed;
  int value = 0;
};

using litmus_test = std::vector<std::vector<instruction>>;  // the instructions of each thread

inline instruction read(int location, std::memory_order order) {
  return {step::load, location, order};
}
inline instruction write(int location, int value, std::memory_order order) {
  return {step::store, location, order, value};
}
inline instruction add(int location, int value, std::memory_order order) {
  return {step::add, location, order, value};
}
inline instruction fence(std::memory_order order) { return {step::fence, 0, order}; }
inline instruction light() { return {step::light_fence}; }
inline instruction heavy() { return {step::heavy_fence}; }

class litmus_program {
 public:
  explicit litmus_program(litmus_test test, int locations) : test_(std::move(test)) {
    what_.threads = static_cast<int>(test_.size());
    what_.make = [this, locations] {
      memory_.clear();
      for (int i = 0; i < locations; ++i) memory_.emplace_back(0);
      registers_.assign(test_.size(), {});
    };
    what_.run = [this](int thread) { run(static_cast<std::size_t>(thread)); };
    what_.check = [this] { check(); };
  }
  litmus_program(const litmus_program&) = delete;
  const program& get() const { return what_; }

 private:
  void run(std::size_t thread) {
    for (const instruction& i : test_[thread]) {
      if (const int result = execute(i); result >= 0) registers_[thread].push_back(result);
    }
  }

  int execute(const instruction& i) {
    auto& location = memory_[static_cast<std::size_t>(i.location)];
    int zero = 0;
    switch (i.what) {
      case step::load:
        return location.load(i.order);
      case step::store:
        location.store(i.value, i.order);
        return -1;
      case step::add:
        return location.fetch_add(i.value, i.order);
      case step::swap_if_zero:
        location.compare_exchange_strong(zero, i.value, i.order, std::memory_order_relaxed);
        return zero;
      case step::fence:
        atomics::fence(i.order);
        return -1;
      case step::light_fence:
        atomics::fence_light();
        return -1;
      case step::heavy_fence:
        atomics::fence_heavy();
        return -1;
      case step::await_nonzero:
        while (location.load(i.order) == 0) atomics::pause();
        return -1;
      case step::sleep_if_zero:
        return atomics::futex_wait(location, 0) ? 1 : 0;
      case step::wake:
        return atomics::futex_wake(location, 1);
    }
    return -1;
  }

  // The outcome: what each thread read, in program order, then the final memory.
  void check() {
    std::vector<int> outcome;
    for (const auto& registers : registers_) {
      outcome.insert(outcome.end(), registers.begin(), registers.end());
    }
    for (const auto& location : memory_) outcome.push_back(location.load());
    observe(outcome);
  }

  litmus_test test_;
  program what_;
  std::deque<atomic<int>> memory_;
  std::vector<std::vector<int>> registers_;
};

inline report explore_litmus(const litmus_test& test, int locations, bool reduce = true) {
  const litmus_program it(test, locations);
  return explore({.name = "litmus", .reduce = reduce}, it.get());
}

}  // namespace kasuri::model
