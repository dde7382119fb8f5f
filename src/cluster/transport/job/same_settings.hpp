// SPDX-License-Identifier: Apache-2.0
#pragma once

// The settings that the ranks of a job must agree on, exchanged before anything depends on them.

#include <array>
#include <span>
#include <string>

namespace kasuri::platform {
struct settings;
}

namespace kasuri::cluster {

/// Their values in one process, as text, in the order of the list in same_settings.cpp; and what is
/// wrong with any of its settings.
struct declared_settings {
  static constexpr std::size_t count = 10;
  std::array<std::array<char, 24>, count> values{};
  std::array<char, 320> problem{};
};

declared_settings declare(const platform::settings& settings);

/// The line about a value that cannot be used among those that the ranks have declared, in their
/// order, or the one that names the first setting that differs, two ranks and their values. Empty:
/// they agree.
std::string disagreement(std::span<const declared_settings> all);

}  // namespace kasuri::cluster
