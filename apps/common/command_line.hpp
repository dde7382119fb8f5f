// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

/// Command lines of applications: a bad one gives one line that names the option, its value and
/// what is accepted, and status 2.
namespace apps {

inline constexpr int status_usage = 2;
inline constexpr int status_differs = 1;  ///< a check failed, or a file could not be written

/// Accepts whole numbers from `least` to `most`.
CLI::Validator whole_number(long long least, long long most);

/// Accepts numbers from `least` to `most`.
CLI::Validator real_number(double least, double most);

/// Accepts the names of files that can be read.
CLI::Validator readable_file();

/// Accepts these words.
CLI::Validator one_of(std::vector<std::string> words);

/// Accepts names that end in one of `endings` (as ".png").
CLI::Validator file_name(std::vector<std::string> endings);

/// Prints the line "PROGRAM: PROBLEM" on standard error; returns status_usage.
int usage_error(const CLI::App& program, const std::string& problem);

/// Parses; the status with which the program must end now, if any (--help is one).
std::optional<int> parse(CLI::App& program, int argc, char** argv);

/// The program without Kasuri has no workers, and nothing to be compared with: refuses --workers
/// and --check beside it. Returns the status with which the program must end, if any.
std::optional<int> refuse_with_serial(const CLI::App& program, const std::string& policy);

}  // namespace apps
