// SPDX-License-Identifier: Apache-2.0
// The report as one JSON document: what the text, the page and `--json` are made from.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/finding.hpp"
#include "report/measures.hpp"

namespace kasuri::report {

nlohmann::json document(const measures& m, const std::vector<finding>& findings);

/// Parts of it that are of the profile alone.
nlohmann::json series_of(const over_time& s);
nlohmann::json accounts_of(const profile& p);

/// The part that the terminal shows: the headline, the sentences, what is fine.
std::string text(const nlohmann::json& document);

}  // namespace kasuri::report
