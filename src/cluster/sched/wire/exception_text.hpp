// SPDX-License-Identifier: Apache-2.0
#pragma once

// Exceptions as bytes: the name of the type and the text, each ending with a zero.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kasuri::cluster {

/// Inside a handler: the rank on which what is being handled was thrown first; `here` is this one.
int thrown_on(int here) noexcept;

/// Inside a handler: writes what is being handled, cut to fit; returns the bytes used.
std::uint32_t write_exception(std::span<std::byte> to) noexcept;

void read_exception(const std::byte* from, std::uint32_t bytes, std::string& type,
                    std::string& text);

}  // namespace kasuri::cluster
