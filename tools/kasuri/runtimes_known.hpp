// SPDX-License-Identifier: Apache-2.0
// The runtimes that `kasuri info --runtimes` knows, by what their libraries export or are called.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "elf/object.hpp"
#include "runtimes_report.hpp"

namespace kasuri::command {

/// How the library would be served where Kasuri's is loaded before it. `setting`: the value of an
/// environment variable there, empty where it is not set. `at_start`: it is linked to the program.
std::optional<found_runtime> know_runtime(
    const elf::object& library, bool at_start,
    const std::function<std::string(const char* name)>& setting);

}  // namespace kasuri::command
