// SPDX-License-Identifier: Apache-2.0
#pragma once

// The places that a user asked for, and the CPUs that these are on a machine.
//
//   OMP_PLACES, GOMP_CPU_AFFINITY, KMP_AFFINITY --parse--> place_request --resolve--> place_list
//
// Parsing needs no machine, so that a wrong value is told at the start of the program; resolving
// reads the topology, which costs milliseconds, and is left until somebody needs the places.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/cpu/topology.hpp"

namespace kasuri::omp {

enum class place_kind { none, threads, cores, ll_caches, numa_domains, sockets, listed };

/// Numbers of an explicit list: first, first + stride, ... (count of them), or a set to leave out.
struct cpu_interval {
  std::int64_t first = 0;
  std::int64_t count = 1;
  std::int64_t stride = 1;
  bool excluded = false;
};

/// A place of an explicit list, repeated `count` times, each `stride` CPUs further.
struct place_interval {
  std::vector<cpu_interval> cpus;
  std::int64_t count = 1;
  std::int64_t stride = 0;  // 0: none given: the number of CPUs that the place spans
  bool excluded = false;
};

/// The order in which KMP_AFFINITY puts the members on the places.
enum class place_order { machine, scattered };

struct place_request {
  place_kind kind = place_kind::none;
  int most = 0;                        // so many places at most; 0: all
  std::vector<place_interval> listed;  // kind listed
  place_order order = place_order::machine;
  int permute = 0;  // KMP_AFFINITY's permute and offset
  int offset = 0;
  bool one_cpu_each = false;  // GOMP_CPU_AFFINITY: a list of CPUs, each a place
};

/// Kernel CPU numbers of each place, ascending (a listed place: as listed). No place is empty.
using place_list = std::vector<std::vector<int>>;

/// The value of OMP_PLACES; nothing when it is ill-formed.
std::optional<place_request> parse_places(std::string_view text);

/// The value of GOMP_CPU_AFFINITY: "0 3 1-2 4-15:2".
std::optional<place_request> parse_cpu_affinity(std::string_view text);

/// The value of KMP_AFFINITY.
struct kmp_affinity {
  place_request places;
  bool balanced = false;  // spread, not close
  bool verbose = false;
  bool reset = false;
};
std::optional<kmp_affinity> parse_kmp_affinity(std::string_view text);

/// KMP_HW_SUBSET: so many parts of each level, in each part of the level above, from an offset on.
/// `whole`: of the machine, not of each part.
struct hw_subset {
  struct layer {
    place_kind kind = place_kind::threads;
    int count = 0;  // 0: all
    int offset = 0;
  };
  std::vector<layer> layers;  // outermost first
  bool whole = false;
};
std::optional<hw_subset> parse_hw_subset(std::string_view text);

/// The CPUs of the subset among `cpus`, ascending; all of them when none would be left.
std::vector<int> cpus_of_subset(const hw_subset& subset, const platform::topology& machine,
                                const std::vector<int>& cpus);

/// This machine, cut to these CPUs.
platform::topology usable_machine(const std::vector<int>& cpus);

/// The places on a machine. CPUs that the process may not use are left out, and places that are
/// empty then.
place_list resolve(const place_request& request, const platform::topology& machine);

/// "{0,1},{2,3}": the places as OMP_PLACES could name them.
std::string place_text(const place_list& places);

/// "0,2-5,8": CPU numbers in short.
std::string cpu_text(const std::vector<int>& cpus);

}  // namespace kasuri::omp
