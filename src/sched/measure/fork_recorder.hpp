// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one worker has measured of forks and tasks (measured.hpp). The owner writes; the watcher
// reads the counters.

#include <array>
#include <atomic>
#include <cstdint>

#include "profile/base/sites.hpp"
#include "sched/measure/loops.hpp"
#include "sched/measure/measured.hpp"
#include "sched/measure/record_list.hpp"
#include "sched/measure/site_sums.hpp"

namespace kasuri::sched {

class fork_recorder {
 public:
  fork_recorder* next = nullptr;  // the one made before it

  /// The owner.
  site_sums& at(profile::site_id site) noexcept {
    site_sums* const s = sums_[site].load(std::memory_order_relaxed);
    return s != nullptr ? *s : make(site);
  }
  /// Anyone; null: it has seen nothing of it.
  const site_sums* look(profile::site_id site) const noexcept {
    // acquire: pairs with the release in make
    return sums_[site].load(std::memory_order_acquire);
  }
  profile::site_id site_of(profile::site_kind kind, const void* address) noexcept;

  /// Work below which a side is a leaf, in ticks.
  std::uint64_t shortest() const noexcept { return shortest_; }
  /// Work of a side so short that its forks are a matter of nanoseconds.
  std::uint64_t tiny() const noexcept { return tiny_; }
  /// Whole ticks, that much on the average.
  std::uint64_t whole_ticks(double ticks) noexcept {
    part_of_tick_ += ticks;
    const auto whole = static_cast<std::uint64_t>(part_of_tick_);
    part_of_tick_ -= static_cast<double>(whole);
    return whole;
  }
  /// One more fork is expanded, at `now`.
  void expands(std::uint64_t now) noexcept;

  /// A sample that takes long was not expected to, and ends where it is.
  void sample_begins(std::uint64_t now) noexcept { sample_until_ = now + longest_sample_; }
  bool sample_is_long(std::uint64_t now) const noexcept { return now > sample_until_; }

  /// Every so many calls.
  bool is_turn(unsigned of) noexcept { return ++turns_ % of == 0; }

  /// Short tasks of one site and one key that are counted, and told in one step.
  struct short_tasks {
    const void* key = nullptr;
    profile::site_id site = 0;
    unsigned count = 0;
    unsigned told_at = 1;  // so many; each time twice as many
    std::uint64_t work = 0;
    std::uint64_t longest = 0;
  };
  short_tasks& counted() noexcept { return counted_; }
  /// The site of the short task that runs.
  void set_short_site(profile::site_id site) noexcept { short_site_ = site; }
  profile::site_id short_site() const noexcept { return short_site_; }
  void names_short(const void* entry) noexcept {
    short_site_ = site_of(profile::site_kind::thread, entry);
  }

  /// Null: no memory.
  measured* make_measured() noexcept { return codes_.make(); }
  void drop(measured* m) noexcept { codes_.drop(m); }
  fork_node* make_node() noexcept { return nodes_.make(); }
  void drop(fork_node* n) noexcept { nodes_.drop(n); }
  detail::marked_loop* make_loop() noexcept { return loops_.make(); }
  void drop(detail::marked_loop* l) noexcept { loops_.drop(l); }
  task_node* make_task_node() noexcept { return task_nodes_.make(); }
  void drop(task_node* n) noexcept { task_nodes_.drop(n); }

 private:
  friend fork_recorder* new_fork_recorder() noexcept;
  struct known_site {
    const void* address = nullptr;
    profile::site_kind kind = profile::site_kind::none;
    profile::site_id site = 0;
  };
  static constexpr std::size_t known_sites = 64;
  site_sums& make(profile::site_id site) noexcept;

  std::uint64_t shortest_ = 0;
  std::uint64_t tiny_ = 0;
  double part_of_tick_ = 0;
  std::uint64_t longest_sample_ = 0;
  std::uint64_t sample_until_ = 0;
  std::uint64_t window_began_ = 0;
  unsigned in_window_ = 0;
  unsigned turns_ = 0;
  short_tasks counted_;
  profile::site_id short_site_ = 0;
  record_list<measured> codes_;
  record_list<fork_node> nodes_;
  record_list<task_node> task_nodes_;
  record_list<detail::marked_loop> loops_;
  std::array<known_site, known_sites> known_;
  std::array<std::atomic<site_sums*>, profile::most_sites> sums_{};
  site_sums without_memory_;
};

/// Ticks that pass between two readings of the clock with nothing in between.
std::uint64_t ticks_of_event() noexcept;

/// The one made last; they are linked by `next`.
fork_recorder* newest_fork_recorder() noexcept;
/// In the child of a fork.
void forget_fork_recorders() noexcept;

}  // namespace kasuri::sched
