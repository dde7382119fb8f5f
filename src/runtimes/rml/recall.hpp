// SPDX-License-Identifier: Apache-2.0
#pragma once

// Has oneTBB let workers go where other work waits for their tokens. The contract of the server has
// no word for that: only oneTBB itself makes a worker leave, at the end of its outermost task. So
// the recall is an object of the program's kind, a global_control of max_allowed_parallelism, made
// and destroyed by the functions of the very copy of oneTBB that the client belongs to. The least
// of all such objects holds, so a limit of the program's own is never raised. While there is one
// the library is held: it must not be unloaded, and its static objects must live.
//
// One thread at a time calls it (server_list's lock).

#include <cstddef>
#include <cstdint>
#include <string>

namespace kasuri::runtimes::rml {

class client_face;

class recall {
 public:
  explicit recall(const client_face& of) noexcept;

  /// At most so many workers from here on, until lift().
  void limit_to(int workers) noexcept;
  void lift() noexcept;

 private:
  // As oneTBB's headers lay it out, alike in 2021.8.0 and 2023.2.0.
  struct control {
    std::size_t value;
    std::intptr_t reserved;
    int parameter;
  };
  static_assert(sizeof(control) == 24);
  static constexpr int max_allowed_parallelism = 0;

  /// False: it is not loaded any more, or has no such functions.
  [[nodiscard]] bool hold_library() noexcept;

  using function = void(control&);
  std::string file_;
  // While there is a limit:
  void* library_ = nullptr;
  function* create_ = nullptr;
  function* destroy_ = nullptr;
  control here_{};
  bool limited_ = false;
};

}  // namespace kasuri::runtimes::rml
