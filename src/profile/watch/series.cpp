// SPDX-License-Identifier: Apache-2.0
#include "profile/watch/series.hpp"

#include <algorithm>

#include "profile/base/json.hpp"

namespace kasuri::profile {
namespace {

struct column {
  const char* name;
  double crowd_state::* value;
};
constexpr column columns[] = {
    {"running", &crowd_state::running}, {"waiting", &crowd_state::waiting},
    {"blocked", &crowd_state::blocked}, {"ready", &crowd_state::ready},
    {"serial", &crowd_state::serial},   {"asleep", &crowd_state::asleep}};

}  // namespace

void series::add(double at, double held, const crowd_state& seen) {
  while (at / bin_ >= static_cast<double>(most_bins)) halve();
  const double begin = std::max(0.0, at - held);
  for (auto i = static_cast<std::size_t>(begin / bin_); i != most_bins; ++i) {
    const double from = std::max(begin, static_cast<double>(i) * bin_);
    const double part_held = std::min(at, static_cast<double>(i + 1) * bin_) - from;
    if (part_held <= 0) break;
    if (bins_.size() <= i) bins_.resize(i + 1);
    part& to = bins_[i];
    to.seconds += part_held;
    for (const column& c : columns) to.sum.*c.value += seen.*c.value * part_held;
  }
}

void series::halve() {
  bin_ *= 2;
  std::vector<part> wider((bins_.size() + 1) / 2);
  for (std::size_t i = 0; i != bins_.size(); ++i) {
    part& to = wider[i / 2];
    to.seconds += bins_[i].seconds;
    for (const column& c : columns) to.sum.*c.value += bins_[i].sum.*c.value;
  }
  bins_ = std::move(wider);
}

void series::write(json& to) const {
  to.begin_object().pair("bin_s", bin_);
  to.key("seconds").begin_array();
  for (const part& p : bins_) to.value(p.seconds);
  to.end_array();
  for (const column& c : columns) {
    to.key(c.name).begin_array();
    for (const part& p : bins_) to.value(p.seconds > 0 ? p.sum.*c.value / p.seconds : 0.0);
    to.end_array();
  }
  to.end_object();
}

}  // namespace kasuri::profile
