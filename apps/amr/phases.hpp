// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "amr/problem.hpp"
#include "amr/sweep.hpp"

/// The five phases of a time step, as visitors of sweeps.
namespace amr {

/// Sums over pairs of neighbouring cells.
struct difference_sums {
  double pairs = 0;
  double sum = 0;
  double squares = 0;

  void add(double difference) noexcept {
    pairs += 1;
    sum += difference;
    squares += difference * difference;
  }
  static difference_sums of(const std::array<difference_sums, 4>& p) noexcept {
    const auto total = [&](double difference_sums::* x) {
      return (p[0].*x + p[1].*x) + (p[2].*x + p[3].*x);
    };
    return {total(&difference_sums::pairs), total(&difference_sums::sum),
            total(&difference_sums::squares)};
  }
  double mean() const noexcept;
  double deviation() const noexcept;
};

/// First-order upwind: each cell takes in what leaves its western and southern neighbours. Flow
/// into a coarse cell is the mean of that out of the two fine ones, so nothing is lost.
class calculate : public phase_visitor<phase::calculate, sight::ghosts> {
 public:
  calculate(const problem& p, int now);
  nothing leaf(node& t, const around& a, int worker, lane& mine) const noexcept;

 private:
  const int now_;
  std::array<double, 32> courant_;  // by level
};

/// The differences of each cell to its neighbours: the greatest of each, the sums of all.
class check : public phase_visitor<phase::check, sight::ghosts> {
 public:
  using result = difference_sums;

  explicit check(int now) : now_(now) {}
  difference_sums leaf(node& t, const around& a, int worker, lane& mine) const noexcept;
  difference_sums join(node&, const std::array<difference_sums, 4>& parts, lane&) const noexcept {
    return difference_sums::of(parts);
  }

 private:
  const int now_;
};

/// Splits cells that differ much from their neighbours and merges four that differ little, and
/// counts the nodes of each subtree. The rule (Parthasarathy, Kallinderis, Nakajima, AIAA 95-067):
/// greatest difference - mean >= 0.1 deviations splits, <= 0.05 deviations merges. A cell beside
/// finer ones does not merge: balance would split it again.
class remesh : public phase_visitor<phase::remesh, sight::none> {
 public:
  remesh(const problem& p, const difference_sums& sums, int now);
  nothing leaf(node& t, const around& a, int worker, lane& mine) const;
  nothing join(node& t, const std::array<nothing, 4>& parts, lane& mine) const noexcept;

 private:
  const problem& problem_;
  const int now_;
  const double split_from_;
  const double merge_to_;
};

/// Balance, first half of a round: marks the leaves beside which cells are finer by two levels or
/// more; whether there is one. Rounds after the first look only where the last one split: at
/// subtrees that it changed, and at their neighbours.
class mark : public phase_visitor<phase::balance, sight::cells> {
 public:
  using result = bool;

  mark(std::uint32_t round, bool first) : round_(round), first_(first) {}
  bool skip(const node& t, const around& a) const noexcept;
  void enter(node& t, int worker, lane& mine) const noexcept {
    if (first_) phase_visitor::enter(t, worker, mine);  // later rounds see few nodes, count none
  }
  bool leaf(node& t, const around& a, int worker, lane& mine) const noexcept;
  bool join(node& t, const std::array<bool, 4>& parts, lane& mine) const noexcept;

 private:
  const std::uint32_t round_;
  const bool first_;
};

/// Balance, second half of a round: splits what is marked. The least balanced refinement is unique,
/// so it does not matter in which rounds it is reached.
class split_marked : public phase_visitor<phase::balance, sight::none> {
 public:
  split_marked(std::uint32_t round, int now) : round_(round), now_(now) {}
  bool skip(const node& t, const around&) const noexcept { return t.marked != round_; }
  void enter(node&, int, lane&) const noexcept {}
  nothing leaf(node& t, const around& a, int worker, lane& mine) const;
  nothing join(node& t, const std::array<nothing, 4>& parts, lane& mine) const noexcept;

 private:
  const std::uint32_t round_;
  const int now_;
};

/// Gives every cell beside finer ones ghosts with its value, and takes them from the others.
class ghost : public phase_visitor<phase::ghost, sight::cells> {
 public:
  explicit ghost(int now) : now_(now) {}
  nothing leaf(node& t, const around& a, int worker, lane& mine) const;

 private:
  const int now_;
};

/// Makes a leaf an inner node with four leaves of its value.
void split(node& t, int now, int worker, lane& mine);

}  // namespace amr
