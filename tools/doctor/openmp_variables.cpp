// SPDX-License-Identifier: Apache-2.0
// By the table of Kasuri's OpenMP runtime itself. Its twin is openmp_variables_off.cpp.
#include <algorithm>

#include "doctor/environment.hpp"
#include "omp/env/environment_table.hpp"

namespace kasuri::doctor {

findings judge_openmp_variables(std::span<const std::string_view> environment) {
  findings all;
  for (const std::string_view each : environment) {
    const std::size_t equals = std::min(each.find('='), each.size());
    const std::string_view name = each.substr(0, equals);
    if (!name.starts_with("OMP_") && !name.starts_with("GOMP_") && !name.starts_with("KMP_"))
      continue;
    const std::string_view value = each.substr(std::min(equals + 1, each.size()));
    const auto known = std::ranges::find(omp::variables(), name, &omp::variable::name);
    if (known == omp::variables().end()) {
      all.push_back(
          {grade::note, "OpenMP", std::string(name) + " is not heeded by Kasuri's runtime", ""});
      continue;
    }
    omp::given_values given;
    if (known->parse(value, given))
      all.push_back({grade::note, "OpenMP", std::string(each) + " is heeded", ""});
    else
      all.push_back({grade::warning, "OpenMP", std::string(each) + " is not understood",
                     "accepted: " + std::string(known->accepted)});
  }
  return all;
}

}  // namespace kasuri::doctor
