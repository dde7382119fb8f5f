// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/collective_call.hpp"

namespace kasuri::cluster {
namespace {

std::string name(const collective_call& call) {
  const std::string first = std::to_string(call.sizes[0]);
  const std::string array = "global::vector of " + first + " bytes";
  const std::string values = " of " + first + " bytes";
  const std::string root = std::to_string(call.sizes[1]);
  const std::string chunks = std::to_string(call.sizes[1]) + " bytes";
  const std::string saved = values + ", whose path, names and arrays have checksum " + root;
  switch (call.what) {
    case collective_call::kind::none:
      break;
    case collective_call::kind::run:
      return "global::run with a result of " + first + " bytes";
    case collective_call::kind::counters:
      return "global::counters";
    case collective_call::kind::blocked:
      return array;
    case collective_call::kind::cyclic:
      return array + ", cyclic by " + chunks;
    case collective_call::kind::listed:
      return array + ", listed by " + chunks;
    case collective_call::kind::file:
      return "global::file_view";
    case collective_call::kind::hash_map:
      return "global::hash_map of capacity " + first + ", with entries of " + chunks;
    case collective_call::kind::bag:
      return "global::bag, with elements of " + first + " bytes";
    case collective_call::kind::end_of_array:
      return "the end of the global array at global address " + first;
    case collective_call::kind::broadcast:
      return "global::broadcast" + values + " by rank " + root;
    case collective_call::kind::reduce:
      return "global::reduce" + values + " for rank " + root;
    case collective_call::kind::all_reduce:
      return "global::all_reduce" + values;
    case collective_call::kind::scan:
      return "global::scan" + values;
    case collective_call::kind::exclusive_scan:
      return "global::exclusive_scan" + values;
    case collective_call::kind::write_file:
      return "global::write_file" + saved;
    case collective_call::kind::save_checkpoint:
      return "global::save_checkpoint" + saved;
    case collective_call::kind::load_checkpoint:
      return "global::load_checkpoint" + saved;
  }
  return "no collective call";
}

}  // namespace

std::string in_words(const collective_call& call) {
  return name(call) + " (its collective call " + std::to_string(call.number) + ')';
}

std::string waits_in(int rank, const collective_call& call) {
  if (call.what == collective_call::kind::none) return "";
  return ", while rank " + std::to_string(rank) + " is in " + in_words(call);
}

}  // namespace kasuri::cluster
