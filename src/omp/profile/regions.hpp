// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums by place of regions, and of their phases: what lies between two barriers of a region.

#include <cstdint>

#include "profile/base/row_table.hpp"
#include "profile/base/sum.hpp"
#include "profile/base/json.hpp"
#include "profile/base/sites.hpp"

namespace kasuri::omp::sums {

inline constexpr int members_named = 64;

/// What is known of one run of a region or phase.
struct instance {
  int members = 0;
  std::uint64_t busy = 0;     // of all members
  std::uint64_t longest = 0;  // the most that one was busy
  int worst = 0;              // its number
};

/// Sums over instances, in ticks.
struct instance_sums {
  profile::sum count, busy, longest, mean, members;  // members: the most
  std::array<profile::sum, members_named> worst;

  void add(const instance& i) noexcept;
  void write(profile::json& to) const;
};

struct region_row {
  explicit region_row(std::uint64_t k) noexcept : key(k) {}
  const std::uint64_t key;  // the site
  region_row* next = nullptr;
  instance_sums all;
  profile::sum wall, serial;
  std::atomic<const void*> code{nullptr};
};

struct phase_row {
  explicit phase_row(std::uint64_t k) noexcept : key(k) {}
  const std::uint64_t key;  // kind, the barrier's site, the region's
  phase_row* next = nullptr;
  instance_sums all;
  profile::sum wait, locks;
};

enum class phase_kind : std::uint8_t { region, barrier, loop };

/// `code`: the entry of the function that the members run.
void add_region(profile::site_id site, const void* code, const instance& i, std::uint64_t wall,
                std::uint64_t serial) noexcept;
void add_phase(profile::site_id site, profile::site_id region, phase_kind kind, const instance& i,
               std::uint64_t wait, std::uint64_t locks) noexcept;

void write_regions(profile::json& to);
void write_phases(profile::json& to);
void begin_regions_anew() noexcept;

}  // namespace kasuri::omp::sums
