// SPDX-License-Identifier: Apache-2.0
#include "omp/task/task_where.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "omp/task/task_list.hpp"
#include "omp/task/task_record.hpp"

namespace kasuri::omp {
namespace {

using kind = dependence_kind;

int asked;

/// A machine whose addresses are their nodes; 9 is not known.
int node_by_address(const void* address) noexcept {
  ++asked;
  const auto node = static_cast<int>(reinterpret_cast<std::uintptr_t>(address));
  return node == 9 ? -1 : node;
}

void* on(int node) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(node)); }

int where(const std::vector<dependence>& list) {
  asked = 0;
  return where_by_dependences(list, node_by_address);
}

TEST(task_where, nothing_known) {
  EXPECT_EQ(where({}), -1);
  EXPECT_EQ(where({{on(9), kind::out}, {on(9), kind::in}}), -1);
  EXPECT_EQ(where({{on(2), kind::all_memory}}), -1);
}

TEST(task_where, first_output_with_a_node_wins) {
  EXPECT_EQ(where({{on(1), kind::in}, {on(1), kind::in}, {on(2), kind::out}, {on(3), kind::out}}),
            2);
  EXPECT_EQ(asked, 1) << "what is not needed is not looked up";
  EXPECT_EQ(where({{on(9), kind::out}, {on(3), kind::out}, {on(1), kind::in}}), 3);
  EXPECT_EQ(where({{on(0), kind::in}, {on(2), kind::mutexinoutset}}), 2);
  EXPECT_EQ(where({{on(0), kind::in}, {on(2), kind::inoutset}}), 2);
}

TEST(task_where, else_most_inputs) {
  EXPECT_EQ(where({{on(9), kind::out}, {on(1), kind::in}, {on(2), kind::in}, {on(2), kind::in}}),
            2);
  EXPECT_EQ(where({{on(3), kind::in}, {on(1), kind::in}}), 3) << "a tie goes to the first";
  EXPECT_EQ(where({{on(9), kind::in}, {on(9), kind::in}, {on(1), kind::in}}), 1)
      << "unknown ones have no vote";
}

TEST(task_where, looks_at_a_bounded_number) {
  EXPECT_EQ(where(std::vector<dependence>(1000, {on(4), kind::in})), 4);
  EXPECT_LE(asked, 32);
  const std::vector<const void*> many(1000, on(5));
  asked = 0;
  EXPECT_EQ(node_of_most(many, node_by_address), 5);
  EXPECT_LE(asked, 32);
}

TEST(task_where, is_inherited_through_generations) {
  task implicit;
  implicit.implicit = true;
  explicit_task placed;
  explicit_task child;
  placed.parent = &implicit;
  child.parent = &placed;
  EXPECT_EQ(inherited_where(placed), -1);
  placed.where = 3;
  EXPECT_EQ(inherited_where(child), 3);
}

/// A recursion's temporaries lie anywhere, or where the table still has what was freed there.
TEST(task_where, a_parents_where_comes_before_dependences) {
  task implicit;
  implicit.implicit = true;
  explicit_task parent;
  explicit_task child;
  parent.parent = &implicit;
  child.parent = &parent;
  const std::vector<dependence> list{{on(1), kind::in}, {on(2), kind::out}};
  asked = 0;
  EXPECT_EQ(where_of(parent, list, node_by_address), 2);
  EXPECT_EQ(where_of(child, list, node_by_address), 2) << "nothing to inherit yet";
  parent.where = 3;
  asked = 0;
  EXPECT_EQ(where_of(child, list, node_by_address), 3);
  EXPECT_EQ(asked, 0) << "it is not judged anew";
}

TEST(task_list, highest_priority_first_then_oldest) {
  explicit_task tasks[5];
  task_list list;
  const int priorities[] = {0, 2, 0, 2, 1};
  for (int i = 0; i != 5; ++i) {
    tasks[i].priority = priorities[i];
    list.put(tasks[i]);
  }
  EXPECT_EQ(list.put_so_far(), 5u);
  for (const int i : {1, 3, 4, 0, 2}) EXPECT_EQ(list.take(nullptr), &tasks[i]);
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.take(nullptr), nullptr);
}

TEST(task_list, takes_descendants_only_where_asked_to) {
  task implicit;
  explicit_task tasks[4];  // 0 and 1 are the implicit task's, 2 is a child of 1, 3 of 2
  task* const parents[] = {&implicit, &implicit, &tasks[1], &tasks[2]};
  task_list list;
  for (int i = 0; i != 4; ++i) {
    tasks[i].parent = parents[i];
    tasks[i].depth = parents[i]->depth + 1;
    list.put(tasks[i]);
  }
  EXPECT_EQ(list.take(&tasks[0]), nullptr);
  EXPECT_EQ(list.take(&tasks[1]), &tasks[2]);
  EXPECT_EQ(list.take(&tasks[1]), &tasks[3]);
  EXPECT_EQ(list.take(&tasks[1]), nullptr);
  EXPECT_EQ(list.take(nullptr), &tasks[0]);
  EXPECT_EQ(list.take(nullptr), &tasks[1]);
}

}  // namespace
}  // namespace kasuri::omp
