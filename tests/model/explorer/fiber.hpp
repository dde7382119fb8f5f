// SPDX-License-Identifier: Apache-2.0
// A stack on which one thread of the modelled program runs, again and again.
//
// States: begun (stands at its entry) -> running <-> switched away. begin() throws away whatever
// frames are on the stack, without unwinding them, and puts the fiber back to its entry: an
// execution that was given up costs nothing to leave. ucontext makes the stack; the switches use
// _setjmp/_longjmp, which save no signal mask and so make no system call.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <memory>
#include <ucontext.h>

namespace kasuri::model {

class fiber {
 public:
  using entry = void (*)(void*);

  /// The fiber of the calling thread, which has a stack already.
  fiber() = default;
  /// A fiber that calls entry(argument) each time it is begun. The entry never returns.
  fiber(entry function, void* argument);
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  void begin();
  /// Leaves `from`, which must be the one running, and goes on in `to`.
  static void go(fiber& from, fiber& to);

 private:
  static void start(unsigned high, unsigned low);
  void stand_at_entry();

  std::unique_ptr<std::byte[]> stack_;
  ucontext_t made_;
  ucontext_t maker_;
  jmp_buf entry_;
  jmp_buf here_;
  bool begun_ = false;
  entry function_ = nullptr;
  void* argument_ = nullptr;
};

}  // namespace kasuri::model
