// SPDX-License-Identifier: Apache-2.0
#include "profile/watch/timeline.hpp"

#include <algorithm>

#include "platform/base/expect.hpp"
#include "profile/base/json.hpp"

namespace kasuri::profile {
namespace {

constexpr const char* names[timeline::states] = {"work",    "runtime", "lock",    "barrier",
                                                 "waiting", "late",    "no_work", "blocked"};

/// Makes one of each two elements. `add(to, from)`.
template <class T, class Add>
void halve(std::vector<T>& all, Add add) {
  std::vector<T> half((all.size() + 1) / 2);
  for (std::size_t i = 0; i != all.size(); ++i) add(half[i / 2], all[i]);
  all = std::move(half);
}

}  // namespace

void timeline::saw(std::size_t worker, state now) {
  workers_ = std::max(workers_, worker + 1);
  while (worker / group_ >= most_groups) widen_groups();
  if (now_.size() <= worker / group_) now_.resize(worker / group_ + 1);
  now_[worker / group_][now] += 1;
}

void timeline::widen_groups() {
  group_ *= 2;
  const auto add_shares = [](shares& to, const shares& from) {
    for (std::size_t s = 0; s != states; ++s) to[s] += from[s];
  };
  halve(now_, add_shares);
  for (part& p : bins_) halve(p.groups, add_shares);
}

void timeline::widen_bins() {
  bin_ *= 2;
  halve(bins_, [](part& to, const part& from) { add(to, from, 1); });
}

void timeline::add(part& to, const part& from, float weight) {
  to.seconds += weight * from.seconds;
  if (to.groups.size() < from.groups.size()) to.groups.resize(from.groups.size());
  for (std::size_t g = 0; g != from.groups.size(); ++g)
    for (std::size_t s = 0; s != states; ++s) to.groups[g][s] += weight * from.groups[g][s];
}

void timeline::end_round(double at, double held, const lacks& l) {
  while (at / bin_ > static_cast<double>(most_bins)) widen_bins();
  part seen{1, std::move(now_)};
  divide_idle(seen.groups, l);
  const double begin = std::max(0.0, at - held);
  for (auto i = static_cast<std::size_t>(begin / bin_); i != most_bins; ++i) {
    if (static_cast<double>(i) * bin_ >= at) break;
    const double from = std::max(begin, static_cast<double>(i) * bin_);
    const double to = std::min(at, static_cast<double>(i + 1) * bin_);
    if (bins_.size() <= i) bins_.resize(i + 1);
    add(bins_[i], seen, static_cast<float>(std::max(0.0, to - from)));
  }
  KASURI_EXPECT(cheap, bins_.size() <= most_bins, "a round at %g s is in bin %zu of %zu", at,
                bins_.size(), most_bins);
  now_.assign(seen.groups.size(), {});
}

void timeline::divide_idle(std::vector<shares>& groups, const lacks& l) {
  float idle = 0;
  for (const shares& g : groups) idle += g[no_work];
  if (idle == 0) return;
  float left = 1;
  const auto part_of = [&](double workers) {
    const float part = std::clamp(static_cast<float>(workers) / idle, 0.0F, left);
    left -= part;
    return part;
  };
  const float for_lock = part_of(l.lock);
  const float in_barrier = part_of(l.barrier);
  const float too_late = part_of(l.late);
  for (shares& g : groups) {
    g[lock] += for_lock * g[no_work];
    g[barrier] += in_barrier * g[no_work];
    g[late] += too_late * g[no_work];
    g[no_work] *= left;
  }
}

std::vector<timeline::part> timeline::joined(std::size_t bins) const {
  const std::size_t each = std::max<std::size_t>(1, (bins_.size() + bins - 1) / bins);
  std::vector<part> all((bins_.size() + each - 1) / each);
  for (std::size_t i = 0; i != bins_.size(); ++i) add(all[i / each], bins_[i], 1);
  return all;
}

void timeline::write(json& to, std::size_t bins) const {
  const std::vector<part> all = joined(bins);
  const std::size_t each = std::max<std::size_t>(1, (bins_.size() + bins - 1) / bins);
  to.begin_object().pair("bin_s", bin_ * static_cast<double>(each));
  to.pair("workers", static_cast<std::uint64_t>(workers_));
  to.key("groups").begin_array();
  for (std::size_t g = 0; g * group_ < workers_; ++g) write_group(to, g, all);
  to.end_array().end_object();
}

void timeline::write_group(json& to, std::size_t g, const std::vector<part>& bins) const {
  const std::size_t first = g * group_;
  const std::size_t last = std::min(first + group_, workers_) - 1;
  to.begin_object().pair("first", static_cast<std::uint64_t>(first));
  to.pair("last", static_cast<std::uint64_t>(last));
  const auto whole = static_cast<float>(last - first + 1);
  for (std::size_t s = 0; s != states; ++s) {
    const auto share = [&](const part& p) {
      if (p.groups.size() <= g || p.seconds <= 0) return 0L;
      return static_cast<long>(1000 * p.groups[g][s] / (p.seconds * whole) + 0.5F);
    };
    if (std::ranges::none_of(bins, share)) continue;
    to.key(names[s]).begin_array();
    for (const part& p : bins) to.value(static_cast<std::int64_t>(share(p)));
    to.end_array();
  }
  to.end_object();
}

}  // namespace kasuri::profile
