// SPDX-License-Identifier: Apache-2.0
// `kasuri trace`: from a recording to something a person can look at.
#pragma once

#include <filesystem>  // for path

namespace kasuri::trace {

/// Turns the recording `in` into Chrome/Perfetto JSON in `out` ("-" is standard output; empty is
/// the name of `in` with ".json" appended, or nothing at all when only a summary is wanted). With
/// `summary`, prints one on standard output, or on stderr when the JSON goes to the former. `out`
/// is replaced only when all went well. Returns 0, or after one line on stderr 1 if `out` cannot be
/// written, 2 if `in` is no recording or not a whole one.
int trace_command(const std::filesystem::path& in, const std::filesystem::path& out, bool summary);

}  // namespace kasuri::trace
