// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the scheduler asks of global memory when work goes from one process to another. A closure that is
// offered to others takes a token with it; so does the report of its end. Whoever runs the closure, or
// goes on behind the join, acquires the token first and sees all that happened before it was made:
// release and acquire of lazy release consistency (Keleher, Cox and Zwaenepoel, ISCA 1992), with write
// notices instead of data.

#include <array>
#include <cstddef>
#include <cstdint>

namespace kasuri::cluster {

/// Bytes that travel with a closure and with the report of its end. Zero says nothing: acquiring it has
/// no effect.
struct alignas(8) token {
  std::array<std::uint64_t, 16> words{};
};

class coherence {
 public:
  coherence() = default;
  coherence(const coherence&) = delete;
  coherence& operator=(const coherence&) = delete;
  virtual ~coherence() = default;

  /// What the caller, and all that it has acquired from others, wrote so far: from now on it can be read
  /// by whoever acquires the token, without help from this process. Any thread of the process.
  virtual token release() = 0;

  /// The calling task forks. Called at each fork where checks are asked for, else now and then.
  virtual void at_fork() {}

  /// From now on this process sees what happened before the token was made. Any thread.
  virtual void acquire(const token& t) = 0;
};

/// A program without global memory.
class no_coherence final : public coherence {
 public:
  token release() override { return {}; }
  void acquire(const token&) override {}
};

}  // namespace kasuri::cluster
