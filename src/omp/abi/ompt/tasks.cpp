// SPDX-License-Identifier: Apache-2.0
// Hooks of explicit tasks.

#include <vector>

#include "omp/abi/ompt/info_of.hpp"
#include "omp/task/dependence.hpp"
#include "omp/task/task_record.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/tool/thread.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp::tool {
namespace {

std::uint32_t flags_of(const explicit_task& t, bool undeferred) noexcept {
  return task_explicit | (undeferred ? task_undeferred : 0) | (t.untied ? task_untied : 0) |
         (t.final ? task_final : 0);
}

dependence_type type_of(dependence_kind kind) noexcept {
  switch (kind) {
    case dependence_kind::in:
      return dependence_type::in;
    // The compilers do not tell out from inout.
    case dependence_kind::out:
      return dependence_type::inout;
    case dependence_kind::mutexinoutset:
      return dependence_type::mutexinoutset;
    case dependence_kind::inoutset:
      return dependence_type::inoutset;
    case dependence_kind::all_memory:
      return dependence_type::out_all_memory;
  }
  return dependence_type::inout;
}

void tell(task_info& info, std::span<const dependence> on) noexcept {
  if (!on_dependences.wanted()) return;
  std::vector<dependence_record> records;
  records.reserve(on.size());
  for (const dependence& d : on) {
    // For all memory there is no address.
    void* const variable = d.kind == dependence_kind::all_memory ? nullptr : d.address;
    records.push_back({{.pointer = variable}, type_of(d.kind)});
  }
  on_dependences(&info.word, records.data(), static_cast<int>(records.size()));
}

}  // namespace

void create(member& m, explicit_task& t, bool undeferred, bool has_dependences) noexcept {
  here();
  task_info& info = info_of(t);
  info.flags = flags_of(t, undeferred);
  task_info& creator = info_of(*m.current);
  const bool entered = enter(creator, m);
  on_task_create(&creator.word, &creator.where, &info.word, info.flags, has_dependences ? 1 : 0,
                 m.tool.call.address);
  if (entered) leave(creator);
}

void tell_dependences(member&, explicit_task& t, std::span<const dependence> on) noexcept {
  tell(info_of(t), on);
}

void tell_dependence(const task_info* first, const task_info* second) noexcept {
  if (first == nullptr || second == nullptr) return;
  on_task_dependence(&const_cast<task_info*>(first)->word, &const_cast<task_info*>(second)->word);
}

void taskwait_task::begin(member& m, std::span<const dependence> on) noexcept {
  here();
  of_ = &m;
  info_ = new task_info;
  info_->flags = task_taskwait | task_undeferred | task_mergeable;
  task_info& creator = info_of(*m.current);
  const bool entered = enter(creator, m);
  on_task_create(&creator.word, &creator.where, &info_->word, info_->flags, 1, m.tool.call.address);
  tell(*info_, on);
  if (entered) leave(creator);
}

void taskwait_task::end() noexcept {
  here();
  on_task_schedule(&info_->word, task_status::taskwait_complete, task_of(*of_));
  drop(info_);
}

void start_task(member& m, task& outer, explicit_task& t) noexcept {
  here();
  task_info& info = info_of(t);
  task_info& before = info_of(outer);
  KASURI_EXPECT(cheap, info.interrupted == nullptr && &outer != &t,
                "member %d starts a task that has interrupted %p", m.number,
                static_cast<void*>(info.interrupted));
  info.interrupted = &outer;
  // The barrier at the end of a region is no part of its implicit tasks.
  info.entered = !(outer.implicit && m.tool.at_end) && enter(before, m);
  const task_status status = m.tool.yields ? task_status::yield : task_status::switched;
  m.tool.yields = false;
  on_task_schedule(&before.word, status, &info.word);
  if (info.part.iterations != 0)
    on_dispatch(region_of(m), &info.word, dispatch_kind::taskloop_chunk, {.pointer = &info.part});
}

void stop_task(member& m, explicit_task& t, task& outer, task_status status) noexcept {
  here();
  end_single(m);
  task_info& info = info_of(t);
  task_info& before = info_of(outer);
  KASURI_EXPECT(cheap, info.interrupted == &outer, "member %d goes back to task %p, not to %p",
                m.number, static_cast<void*>(&outer), static_cast<void*>(info.interrupted));
  info.where = {};
  info.interrupted = nullptr;
  on_task_schedule(&info.word, status, &before.word);
  if (info.entered) leave(before);
  info.entered = false;
}

void discard_task(member&, explicit_task& t) noexcept {
  on_cancel(&info_of(t).word, cancel_taskgroup | cancel_discarded_task, nullptr);
}

void fulfill(explicit_task& t, task_status status) noexcept {
  self();
  here();
  on_task_schedule(&info_of(t).word, status, nullptr);
}

void set_yields(member& m, bool yields) noexcept { m.tool.yields = yields; }

}  // namespace kasuri::omp::tool
