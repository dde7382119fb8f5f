// SPDX-License-Identifier: Apache-2.0
// Hooks of explicit tasks.

#include <vector>

#include "omp/abi/ompt/info_of.hpp"
#include "omp/profile/consumer.hpp"
#include "omp/task/dependence.hpp"
#include "omp/task/task_record.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/tool/thread.hpp"
#include "platform/base/expect.hpp"
#include "profile/base/active.hpp"

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

void tell_start(member& m, task& outer, task_info& before, task_info& info) noexcept {
  here();
  // The barrier at the end of a region is no part of its implicit tasks.
  info.entered = !(outer.implicit && m.tool.at_end) && enter(before, m);
  const task_status status = m.tool.yields ? task_status::yield : task_status::switched;
  m.tool.yields = false;
  on_task_schedule(&before.word, status, &info.word);
  if (info.part.iterations != 0)
    on_dispatch(region_of(m), &info.word, dispatch_kind::taskloop_chunk, {.pointer = &info.part});
}

}  // namespace

void create(member& m, explicit_task& t, bool undeferred, bool has_dependences) noexcept {
  task_info& info = info_of(t);
  task_info& creator = info_of(*m.current);
  if (told()) {
    here();
    info.flags = flags_of(t, undeferred);
    const bool entered = enter(creator, m);
    on_task_create(&creator.word, &creator.where, &info.word, info.flags, has_dependences ? 1 : 0,
                   m.tool.call.address);
    if (entered) leave(creator);
  }
  if (profile::active()) sums::create(m, t, has_dependences);
}

void tell_dependences(member&, explicit_task& t, std::span<const dependence> on) noexcept {
  tell(info_of(t), on);
}

void tell_dependence(const task_info* first, const task_info* second) noexcept {
  if (first == nullptr || second == nullptr) return;
  on_task_dependence(&const_cast<task_info*>(first)->word, &const_cast<task_info*>(second)->word);
}

void tell_order(const task_info* first, task_info* second) noexcept {
  if (first == nullptr || second == nullptr || !profile::active()) return;
  sums::follow(*first, *second);
}

void taskwait_task::begin(member& m, std::span<const dependence> on) noexcept {
  of_ = &m;
  info_ = &make_info();
  if (profile::active()) {
    summed_ = true;
    sums::begin_wait_for(m, *info_);
  }
  if (!told()) return;
  here();
  info_->flags = task_taskwait | task_undeferred | task_mergeable;
  task_info& creator = info_of(*m.current);
  const bool entered = enter(creator, m);
  on_task_create(&creator.word, &creator.where, &info_->word, info_->flags, 1, m.tool.call.address);
  tell(*info_, on);
  if (entered) leave(creator);
}

void taskwait_task::end() noexcept {
  if (told()) {
    here();
    on_task_schedule(&info_->word, task_status::taskwait_complete, task_of(*of_));
  }
  if (summed_) sums::end_wait_for(*of_, *info_);
  drop(info_);
}

void start_task(member& m, task& outer, explicit_task& t) noexcept {
  task_info& info = info_of(t);
  task_info& before = info_of(outer);
  KASURI_EXPECT(cheap, info.interrupted == nullptr && &outer != &t,
                "member %d starts a task that has interrupted %p", m.number,
                static_cast<void*>(info.interrupted));
  info.interrupted = &outer;
  if (told()) tell_start(m, outer, before, info);
  if (profile::active()) sums::start_task(m, outer, t);
}

void stop_task(member& m, explicit_task& t, task& outer, task_status status) noexcept {
  if (profile::active()) sums::stop_task(m, t, outer);
  end_single(m);
  task_info& info = info_of(t);
  task_info& before = info_of(outer);
  KASURI_EXPECT(cheap, info.interrupted == &outer, "member %d goes back to task %p, not to %p",
                m.number, static_cast<void*>(&outer), static_cast<void*>(info.interrupted));
  info.where = {};
  info.interrupted = nullptr;
  if (told()) {
    here();
    on_task_schedule(&info.word, status, &before.word);
    if (info.entered) leave(before);
  }
  info.entered = false;
}

void discard_task(member&, explicit_task& t) noexcept {
  if (profile::active()) sums::discard_task(t);
  on_cancel(&info_of(t).word, cancel_taskgroup | cancel_discarded_task, nullptr);
}

void pay_parent(member& m) noexcept {
  if (profile::active()) sums::pay_parent(m);
}

void pay_group(member& m) noexcept {
  if (profile::active()) sums::pay_group(m);
}

void fulfill(explicit_task& t, task_status status) noexcept {
  if (!told()) return;
  self();
  here();
  on_task_schedule(&info_of(t).word, status, nullptr);
}

void set_yields(member& m, bool yields) noexcept { m.tool.yields = yields; }

}  // namespace kasuri::omp::tool
