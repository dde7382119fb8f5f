// SPDX-License-Identifier: Apache-2.0
// The sections as they are written.
#include <gtest/gtest.h>

#include "omp/profile/locks.hpp"
#include "omp/profile/regions.hpp"
#include "omp/profile/task_rows.hpp"

namespace kasuri::omp::sums {
namespace {

template <class Writer>
std::string text_of(const Writer& write) {
  profile::json to;
  write(to);
  return to.text();
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Regions, InstancesOfASiteAddUp) {
  begin_regions_anew();
  const void* const code = reinterpret_cast<const void*>(0x1234);
  add_region(7, code, {.members = 2, .busy = 30, .longest = 20, .worst = 1}, 25, 3);
  add_region(7, code, {.members = 4, .busy = 40, .longest = 10, .worst = 0}, 12, 0);
  add_region(9, code, {.members = 1, .busy = 5, .longest = 5, .worst = 0}, 5, 0);
  const std::string text = text_of(write_regions);
  EXPECT_TRUE(holds(text, R"("site":7,"code":"0x1234","count":2,"members":4)")) << text;
  EXPECT_TRUE(holds(text, R"("worst":[1,1,0,0])")) << text;
  EXPECT_TRUE(holds(text, R"("site":9,"code":"0x1234","count":1,"members":1)")) << text;
}

TEST(Regions, PhasesAreToldApartByBarrierRegionAndKind) {
  begin_regions_anew();
  const instance one{.members = 2, .busy = 30, .longest = 20, .worst = 1};
  add_phase(3, 7, phase_kind::barrier, one, 4, 1);
  add_phase(3, 7, phase_kind::barrier, one, 4, 1);
  add_phase(3, 8, phase_kind::barrier, one, 4, 1);
  add_phase(7, 7, phase_kind::region, one, 4, 1);
  const std::string text = text_of(write_phases);
  EXPECT_TRUE(holds(text, R"("site":3,"region":7,"kind":"barrier","count":2)")) << text;
  EXPECT_TRUE(holds(text, R"("site":3,"region":8,"kind":"barrier","count":1)")) << text;
  EXPECT_TRUE(holds(text, R"("site":7,"region":7,"kind":"region","count":1)")) << text;
  begin_regions_anew();
  EXPECT_EQ(text_of(write_phases), "[]");
}

TEST(Regions, MembersBehindTheNamedOnesAreCounted) {
  begin_regions_anew();
  add_region(7, nullptr, {.members = 100, .busy = 30, .longest = 20, .worst = 99}, 25, 3);
  const std::string text = text_of(write_regions);
  EXPECT_TRUE(holds(text, R"("count":1,"members":100)")) << text;
  begin_regions_anew();
}

TEST(TaskRows, ASiteHasItsTasksByLength) {
  begin_tasks_anew();
  task_row* const r = task_row_here(11);
  ASSERT_NE(r, nullptr);
  EXPECT_EQ(task_row_here(11), r);
  r->created.add(3);
  for (int i = 0; i != 3; ++i) r->add(0);
  const std::string text = text_of(write_tasks);
  EXPECT_TRUE(holds(text, R"("site":11)")) << text;
  EXPECT_TRUE(holds(text, R"("created":3,"count":3)")) << text;
  EXPECT_TRUE(holds(text, R"("log2_ns":[3])")) << text;
  begin_tasks_anew();
  EXPECT_EQ(text_of(write_tasks), "[]");
}

}  // namespace
}  // namespace kasuri::omp::sums
