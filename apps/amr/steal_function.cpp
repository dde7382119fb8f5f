// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>

#include "amr/placement.hpp"

namespace amr {
namespace {

constexpr int most_candidates = 16;

struct candidate {
  int victim;
  steal_hint seen;
  int thief;

  bool own() const noexcept { return seen.last_worker == thief; }
  bool before(const candidate& other) const noexcept {
    return own() != other.own() ? own() : seen.n_nodes > other.seen.n_nodes;
  }
};

bool confirm(const void* hint, std::ptrdiff_t bytes, void* arg) {
  const candidate& wanted = *static_cast<const candidate*>(arg);
  steal_hint got{0, -1};
  if (bytes >= static_cast<std::ptrdiff_t>(sizeof got)) std::memcpy(&got, hint, sizeof got);
  return got.n_nodes >= wanted.seen.n_nodes &&
         (!wanted.own() || got.last_worker == wanted.seen.last_worker);
}

bool steal(kasuri::steal_round& round, void*) {
  const int workers = round.workers();
  std::array<candidate, most_candidates> seen;
  std::size_t count = 0;
  int victim = static_cast<int>(round.random() % static_cast<unsigned>(workers));
  for (int i = 0; i < workers && count != seen.size(); ++i, victim = (victim + 1) % workers) {
    candidate& c = seen[count];
    c = {victim, {0, -1}, round.thief()};
    if (victim != c.thief && round.peek(victim, &c.seen, sizeof c.seen) >= 0) ++count;
  }
  std::sort(seen.begin(), seen.begin() + count,
            [](const candidate& a, const candidate& b) { return a.before(b); });
  for (std::size_t i = 0; i < count; ++i)
    if (round.steal(seen[i].victim, confirm, &seen[i])) return true;
  return false;
}

}  // namespace

void steal_largest_own() noexcept { kasuri::set_steal_function(steal); }

}  // namespace amr
