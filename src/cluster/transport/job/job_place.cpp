// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/job/job_place.hpp"

#include <charconv>

namespace kasuri::cluster {

std::string job_place_text(const job_place& place) {
  return std::to_string(place.descriptor) + ':' + std::to_string(place.rank);
}

std::optional<job_place> parse_job_place(std::string_view text) {
  job_place place;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, place.descriptor);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, place.rank);
  if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
  if (place.descriptor < 0 || place.rank < 0) return std::nullopt;
  return place;
}

}  // namespace kasuri::cluster
