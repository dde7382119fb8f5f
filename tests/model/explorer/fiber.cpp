// SPDX-License-Identifier: Apache-2.0
#include "fiber.hpp"

#include <cstdint>

#include "fatal.hpp"

namespace kasuri::model {

namespace {
constexpr std::size_t stack_size = 256 * 1024;
}

fiber::fiber(entry function, void* argument)
    : stack_(new std::byte[stack_size]), function_(function), argument_(argument) {
  if (getcontext(&made_) != 0) fatal("getcontext failed");
  made_.uc_stack.ss_sp = stack_.get();
  made_.uc_stack.ss_size = stack_size;
  made_.uc_link = nullptr;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&made_, reinterpret_cast<void (*)()>(start), 2,
              static_cast<unsigned>(std::uint64_t{self} >> 32), static_cast<unsigned>(self));
  if (swapcontext(&maker_, &made_) != 0) fatal("swapcontext failed");
}

void fiber::start(unsigned high, unsigned low) {
  const auto self = static_cast<std::uintptr_t>((std::uint64_t{high} << 32) | low);
  reinterpret_cast<fiber*>(self)->stand_at_entry();
}

void fiber::stand_at_entry() {
  if (_setjmp(entry_) == 0) setcontext(&maker_);
  function_(argument_);
  fatal("the entry of a fiber returned");
}

void fiber::begin() { begun_ = true; }

void fiber::go(fiber& from, fiber& to) {
  if (_setjmp(from.here_) != 0) return;
  if (to.begun_) {
    to.begun_ = false;
    _longjmp(to.entry_, 1);
  }
  _longjmp(to.here_, 1);
}

}  // namespace kasuri::model
