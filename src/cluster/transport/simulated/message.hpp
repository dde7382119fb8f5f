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

/// One on its way. It happens twice: at the target, and for what has an answer at its origin.
struct simulation::message final : virtual_time::event {
  enum class kind : std::uint8_t { put, get, add, swap, load, store, ring, alarm };

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
