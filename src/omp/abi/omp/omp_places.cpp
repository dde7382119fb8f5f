// SPDX-License-Identifier: Apache-2.0
// omp_*: places and the affinity display.
#include <algorithm>
#include <cstring>

#include "omp/place/places.hpp"
#include "omp/region/affinity_format.hpp"
#include "omp/team/icv_access.hpp"

namespace kasuri::omp {
namespace {

bool is_place(int place) noexcept {
  return place >= 0 && place < static_cast<int>(places().size());
}

/// Copies what fits, with a zero at its end, and returns the length without it.
std::size_t copy_out(const std::string& text, char* buffer, std::size_t size) noexcept {
  if (buffer != nullptr && size != 0) {
    const std::size_t part = std::min(text.size(), size - 1);
    std::memcpy(buffer, text.data(), part);
    buffer[part] = '\0';
  }
  return text.size();
}

}  // namespace
}  // namespace kasuri::omp

using namespace kasuri::omp;

extern "C" {

int kasuri_omp_get_proc_bind() noexcept { return static_cast<int>(values(self()).bind); }

int kasuri_omp_get_num_places() noexcept { return static_cast<int>(places().size()); }

int kasuri_omp_get_place_num_procs(int place) noexcept {
  return is_place(place) ? static_cast<int>(places()[static_cast<std::size_t>(place)].size()) : 0;
}

void kasuri_omp_get_place_proc_ids(int place, int* ids) noexcept {
  if (is_place(place)) std::ranges::copy(places()[static_cast<std::size_t>(place)], ids);
}

int kasuri_omp_get_place_num() noexcept { return self().places.bound; }

int kasuri_omp_get_partition_num_places() noexcept { return self().places.count; }

void kasuri_omp_get_partition_place_nums(int* numbers) noexcept {
  const place_partition& mine = self().places;
  for (int i = 0; i != mine.count; ++i) numbers[i] = mine.first + i;
}

void kasuri_omp_set_affinity_format(const char* format) noexcept { set_affinity_format(format); }

std::size_t kasuri_omp_get_affinity_format(char* buffer, std::size_t size) noexcept {
  return copy_out(affinity_format(), buffer, size);
}

void kasuri_omp_display_affinity(const char* format) noexcept {
  display_affinity(format == nullptr ? "" : format);
}

std::size_t kasuri_omp_capture_affinity(char* buffer, std::size_t size,
                                        const char* format) noexcept {
  return copy_out(captured_affinity(format == nullptr ? "" : format), buffer, size);
}

}  // extern "C"
