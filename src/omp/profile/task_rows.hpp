// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums by the place where tasks are created. Each thread has rows of its own: tasks end often.

#include <array>
#include <cstdint>

#include "profile/base/json.hpp"
#include "profile/base/sites.hpp"
#include "record/counter.hpp"

namespace kasuri::omp::sums {

inline constexpr std::size_t bits_of_ns = 40;

/// Times in ticks. Its thread writes.
struct task_row {
  explicit task_row(std::uint64_t k) noexcept : key(k) {}
  const std::uint64_t key;  // the site
  task_row* next = nullptr;
  std::atomic<const void*> function{nullptr};
  record::counter created, count, own, create, dependences, waits;
  std::array<record::counter, bits_of_ns> log2_ns;  // tasks by the logarithm of their own time

  void add(std::uint64_t own_ticks) noexcept;
};

/// The calling thread's. Null: there is no memory.
task_row* task_row_here(profile::site_id site) noexcept;

void write_tasks(profile::json& to);
void begin_tasks_anew() noexcept;

}  // namespace kasuri::omp::sums
