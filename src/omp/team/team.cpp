// SPDX-License-Identifier: Apache-2.0
#include "omp/team/team.hpp"

#include <new>

#include "omp/env/environment.hpp"
#include "omp/place/nodes.hpp"
#include "omp/task/dependence.hpp"
#include "omp/team/root.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {
namespace {

void join_team(member& m, team& t, int number, root& r) noexcept {
  m.start.in = nullptr;
  m.start.of = &m;
  m.in = &t;
  m.number = number;
  m.of = &r;
  m.current = &m.implicit;
  m.implicit.implicit = true;
  m.implicit.executor = &m;
  m.random = 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(number + 1);
}

}  // namespace

team* make_team(root& r, int size, const detail::frame_type& kind) {
  KASURI_EXPECT(cheap, size > 0, "a team of %d", size);
  auto* const t = new team;
  t->size = size;
  t->members = new member*[static_cast<std::size_t>(size)];
  for (int i = 0; i != size; ++i) {
    t->members[i] = new member;
    t->members[i]->start.type = &kind;
    join_team(*t->members[i], *t, i, r);
  }
  if (size > 1 && has_nodes()) t->mail = std::make_unique<task_mail>(node_count());
  return t;
}

team* make_outside_team(root& r) {
  auto* const t = new team;
  t->size = 1;
  t->members = new member*[1]{&r.initial};
  t->on_threads = true;
  t->contention.busy = &r.busy;
  t->inherited.values = environment().initial;
  join_team(r.initial, *t, 0, r);
  r.initial.implicit.values = &t->inherited.values;
  return t;
}

void free_team(team* t) noexcept {
  KASURI_EXPECT(cheap, t->frames.running.all_ended(), "a team of %d is freed, %ld frames run",
                t->size, t->frames.running.left());
  KASURI_EXPECT(cheap, t->frames.helpers.load(std::memory_order_relaxed) == 0,
                "a team of %d is freed, %u helpers run", t->size,
                t->frames.helpers.load(std::memory_order_relaxed));
  for (int i = 0; i != t->size; ++i) {
    member* const m = t->members[i];
    for (team* inner = m->inner; inner != nullptr;) {
      team* const next = inner->next;
      free_team(inner);
      inner = next;
    }
    m->inner = nullptr;
    KASURI_EXPECT(cheap, m->number == i && m->in == t && m->current == &m->implicit,
                  "member %d is number %d, its task %p", i, m->number,
                  static_cast<void*>(m->current));
    drop_dependences(m->implicit);
    if (m->implicit.tool != nullptr) tool::drop(m->implicit.tool);
    if (m != &m->of->initial) delete m;
  }
  delete[] t->members;
  if (t->tool.sums != nullptr) tool::drop(t->tool.sums);
  delete t;
}

bool more_created_than_ended(const team& t) noexcept {
  // The ended ones first: a task is counted as created before it can end, so if the sums are equal,
  // they were so at the moment between the two loops, and with all members waiting nothing comes
  // after. acquire: pairs with the release of the same counter
  std::uint64_t ended = t.tasks.ended_by_event.load(std::memory_order_acquire);
  for (int i = 0; i != t.size; ++i)
    // acquire: pairs with the release by which a task's end is counted
    ended += t.members[i]->tasks_executed.load(std::memory_order_acquire);
  std::uint64_t created = 0;
  for (int i = 0; i != t.size; ++i)
    created += t.members[i]->tasks_created.load(std::memory_order_relaxed);
  KASURI_EXPECT(cheap, created >= ended, "%lu tasks were created and %lu have ended", created,
                ended);
  return created != ended;
}

}  // namespace kasuri::omp
