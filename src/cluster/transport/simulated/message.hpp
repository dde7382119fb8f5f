// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cluster/transport/simulated/simulated.hpp"

namespace kasuri::cluster {

inline std::uint64_t read_word(const std::byte* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

inline void write_word(std::byte* at, std::uint64_t word) { std::memcpy(at, &word, sizeof word); }

/// Applies the operation to the word there, and returns what that was.
inline std::uint64_t apply_at(std::byte* at, const atomic_operation& op) {
  const auto on = [&](auto word) -> std::uint64_t {
    std::memcpy(&word, at, sizeof word);
    const auto next = static_cast<decltype(word)>(op.result(word));
    std::memcpy(at, &next, sizeof next);
    return word;
  };
  return op.bytes == 4 ? on(std::uint32_t{}) : on(std::uint64_t{});
}

/// One on its way. It happens twice: at the target, and for what has an answer at its origin.
struct simulation::message final : virtual_time::event {
  enum class kind : std::uint8_t { put, get, add, swap, load, apply, store, ring, alarm };

  simulation* all = nullptr;
  kind what = kind::put;
  bool answered = false;
  int origin = 0;
  int target = 0;
  window where;
  std::size_t offset = 0;
  std::size_t bytes = 0;
  const void* from = nullptr;
  void* to = nullptr;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  atomic_operation op;  // of apply
  std::vector<std::byte> content;

  void happen() override;
  void at_target();
  void at_origin();
  void wake_napper();
  void ring_target();
  void operate_on(std::byte* memory);
  void end() { all->free_messages_.push_back(this); }
};

}  // namespace kasuri::cluster
