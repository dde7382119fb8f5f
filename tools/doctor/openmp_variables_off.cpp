// SPDX-License-Identifier: Apache-2.0
// The twin of openmp_variables.cpp in a build without the OpenMP runtime: nothing heeds them.
#include "doctor/environment.hpp"

namespace kasuri::doctor {

findings judge_openmp_variables(std::span<const std::string_view>) { return {}; }

}  // namespace kasuri::doctor
