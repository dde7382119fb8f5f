// SPDX-License-Identifier: Apache-2.0
// A report as one HTML file that refers to nothing outside of it.
#pragma once

#include <nlohmann/json_fwd.hpp>  // for json
#include <string>                 // for string

namespace kasuri::report {

/// The page is shorter than this, whatever is in the report.
inline constexpr std::size_t page_limit = 1'000'000;

/// `report` may lack any field; what is there with another type than expected is left out.
std::string page(const nlohmann::json& report);

}  // namespace kasuri::report
