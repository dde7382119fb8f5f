// SPDX-License-Identifier: Apache-2.0
// Figures in words, as sentences have them.
#pragma once

#include <string>

#include "report/places.hpp"

namespace kasuri::report {

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string say(const char* format, ...);

/// "12.4 s", "31 ms", "2.5 us".
std::string duration(double seconds);

/// "1 worker", "2 workers".
std::string so_many_workers(int workers);

/// "up to 1.4 times as fast without that": of a run of `seconds` that would be shorter by `gain_s`.
std::string how_much_faster(double seconds, double gain_s);

/// " at merge.cpp:41 (merge)"; empty for an unknown place.
std::string at_place(const place& where);

}  // namespace kasuri::report
