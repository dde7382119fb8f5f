// SPDX-License-Identifier: Apache-2.0
#include "amr/measures.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace amr {
namespace {

struct integrals {
  double mass = 0;
  double error = 0;
};

class walk {
 public:
  explicit walk(const simulation& s) : root_(s.root()), now_(s.now()), time_(s.time()) {}

  measures run() {
    const integrals whole = visit(root_, {});
    seen_.mass = whole.mass;
    seen_.error = whole.error;
    return seen_;
  }

 private:
  // Means over the square; the domain's square has area 1.
  integrals visit(const node& t, place at) {
    ++seen_.nodes;
    if (t.is_leaf) return leaf(t, at);
    integrals part[4];
    for (int i = 0; i < 4; ++i) part[i] = visit(t.child[i], at.child(i));
    return {0.25 * ((part[0].mass + part[1].mass) + (part[2].mass + part[3].mass)),
            0.25 * ((part[0].error + part[1].error) + (part[2].error + part[3].error))};
  }

  integrals leaf(const node& t, place at) {
    const double value = t.value[now_];
    ++seen_.cells;
    seen_.finest = std::max(seen_.finest, at.level);
    seen_.balanced = seen_.balanced && balanced_at(at);
    mix(static_cast<std::uint64_t>(at.level));
    mix(std::uint64_t{at.column} << 32 | at.row);
    mix(std::bit_cast<std::uint64_t>(value));
    return {value, std::abs(value - problem::exact(at.centre_x(), at.centre_y(), time_))};
  }

  // Looks from the finer side: what covers the neighbouring square is coarser by one level at most.
  // Found from the root by position, so that it shares nothing with the sweeps that it checks.
  bool balanced_at(place at) const noexcept {
    const std::uint32_t last = (std::uint32_t{1} << at.level) - 1;
    const place beside[] = {{(at.column - 1) & last, at.row, at.level},
                            {(at.column + 1) & last, at.row, at.level},
                            {at.column, (at.row - 1) & last, at.level},
                            {at.column, (at.row + 1) & last, at.level}};
    return std::ranges::all_of(beside, [&](place p) { return level_of_cover(p) >= at.level - 1; });
  }

  int level_of_cover(place p) const noexcept {
    const node* t = &root_;
    for (int shift = p.level - 1; shift >= 0 && !t->is_leaf; --shift)
      t = t->child + ((p.column >> shift & 1) + 2 * (p.row >> shift & 1));
    return t->level;
  }

  void mix(std::uint64_t word) noexcept {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;  // 2^64 / golden ratio
    seen_.checksum = (std::rotl(seen_.checksum, 23) ^ word) * odd;
  }

  const node& root_;
  const int now_;
  const double time_;
  measures seen_;
};

}  // namespace

measures measure(const simulation& s) { return walk(s).run(); }

}  // namespace amr
