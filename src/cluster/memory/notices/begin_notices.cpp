// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/notices/begin_notices.hpp"

namespace kasuri::cluster {

void begin_notices::add(std::span<const std::byte> of_others) {
  told_to_all others = told_to_all::read(of_others);
  if (options_.fault == planted_fault::subtree_forgotten) others.notices.clear();
  told_.add(others, log_.most_told());
}

std::span<const std::byte> begin_notices::told() {
  bytes_.clear();
  if (told_.position != log_.known_to_all()) told_.write(bytes_);
  return bytes_;
}

void begin_notices::learn(std::span<const std::byte> of_all) {
  log_.learn_at_begin(told_to_all::read(of_all), apply_);
}

}  // namespace kasuri::cluster
