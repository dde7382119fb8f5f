// SPDX-License-Identifier: Apache-2.0
// The changes that the environment will make for programs on Kasuri.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doctor/finding.hpp"
#include "platform/settings/settings_load.hpp"

namespace kasuri::doctor {

/// Settings that cannot be used, that are none, and that are not as by default.
findings judge(const platform::loaded_settings& settings);

/// Variables of OpenMP's runtimes: whether Kasuri's heeds them. Strings "NAME=VALUE".
findings judge_openmp_variables(std::span<const std::string_view> environment);

/// OpenMP runtimes that the loader would find first, and Kasuri's own in `folder` (empty: it was
/// not built). `library_path` and `preload` as in LD_LIBRARY_PATH and LD_PRELOAD.
findings judge_openmp_libraries(const std::string& folder, const std::string& library_path,
                                const std::string& preload);

/// The launcher of ranks on several machines: looked for in the folders of `path`, as in PATH.
finding judge_mpi(const std::string& path);

}  // namespace kasuri::doctor
