// SPDX-License-Identifier: Apache-2.0
// GCC's sections, single and scope.

#include "omp/abi/gomp/gomp_loop.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/work/cancel.hpp"
#include "omp/work/sections.hpp"
#include "omp/work/single.hpp"

using namespace kasuri::omp;

extern "C" {

unsigned kasuri_GOMP_sections_start(unsigned count) {
  tool::called();
  member& m = self();
  begin_loop(m, count, sections_schedule, false);
  return next_section(m);
}

unsigned kasuri_GOMP_sections2_start(unsigned count, std::uintptr_t* reductions, void** mem) {
  tool::called();
  member& m = self();
  gomp::begin_with(m, count, sections_schedule, false, gomp::shared_part(reductions, mem));
  return next_section(m);
}

unsigned kasuri_GOMP_sections_next() {
  tool::called();
  return next_section(self());
}

bool kasuri_GOMP_single_start() {
  tool::called();
  return begin_single(self());
}

void* kasuri_GOMP_single_copy_start() {
  tool::called();
  member& m = self();
  return begin_single(m) ? nullptr : published_copy(m);
}

void kasuri_GOMP_single_copy_end(void* data) {
  tool::called();
  publish_copy(self(), data);
}

void kasuri_GOMP_scope_start(std::uintptr_t* reductions) {
  tool::called();
  member& m = self();
  gomp::begin_with(m, 0, sections_schedule, false, gomp::shared_part(reductions, nullptr));
  end_loop(m);
}

}  // extern "C"
