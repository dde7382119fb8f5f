// SPDX-License-Identifier: Apache-2.0
// Hooks of worksharing constructs, masked, reductions, and of the rest.

#include <cstring>
#include <utility>
#include <vector>

#include "omp/abi/ompt/info_of.hpp"
#include "omp/profile/consumer.hpp"
#include "omp/tool/control.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/tool/thread.hpp"
#include "omp/work/cancel.hpp"
#include "profile/base/active.hpp"

namespace kasuri::omp::tool {
namespace {

void tell_work(member& m, work_kind kind, endpoint where, std::uint64_t count) noexcept {
  on_work(kind, where, region_of(m), task_of(m), count, m.tool.call.address);
}

std::int32_t flag_of(cancel_kind what) noexcept {
  switch (what) {
    case cancel_kind::parallel:
      return cancel_parallel;
    case cancel_kind::loop:
      return cancel_loop;
    case cancel_kind::sections:
      return cancel_sections;
    case cancel_kind::taskgroup:
      return cancel_taskgroup;
  }
  return cancel_parallel;
}

}  // namespace

void begin_work(member& m, work_kind kind, std::uint64_t count) noexcept {
  end_single(m);
  end_work(m);
  m.tool.work = kind;
  m.tool.work_count = count;
  if (told()) {
    here();
    tell_work(m, kind, endpoint::begin, count);
  }
  if (profile::active()) sums::begin_work(m, kind, count);
}

void end_work(member& m) noexcept {
  const work_kind kind = std::exchange(m.tool.work, work_kind::none);
  if (kind == work_kind::none) return;
  if (profile::active()) sums::end_work(m);
  if (!told()) return;
  here();
  tell_work(m, kind, endpoint::end, m.tool.work_count);
}

void dispatch(member& m, dispatch_kind kind, std::uint64_t start,
              std::uint64_t iterations) noexcept {
  if (profile::active()) sums::take_chunk(m);
  if (!told()) return;
  here();
  chunk c{start, iterations};
  on_dispatch(region_of(m), task_of(m), kind, {.pointer = &c});
}

void dispatch_section(member& m) noexcept {
  if (profile::active()) sums::take_chunk(m);
  if (!told()) return;
  here();
  on_dispatch(region_of(m), task_of(m), dispatch_kind::section,
              {.pointer = const_cast<void*>(m.tool.call.address)});
}

void dispatch_static(member& m, std::uint64_t start, std::uint64_t iterations) noexcept {
  switch (m.tool.work) {
    case work_kind::sections:
      for (std::uint64_t i = 0; i != iterations; ++i) dispatch_section(m);
      return;
    case work_kind::distribute:
      return dispatch(m, dispatch_kind::distribute_chunk, start, iterations);
    default:
      return dispatch(m, dispatch_kind::loop_chunk, start, iterations);
  }
}

void taskloop(member& m, endpoint where, std::uint64_t count) noexcept {
  if (!told()) return;
  here();
  tell_work(m, work_kind::taskloop, where, count);
}

void meet_single(member& m, bool runs) noexcept {
  end_single(m);
  m.tool.single = runs;
  if (!told()) return;
  here();
  tell_work(m, runs ? work_kind::single_executor : work_kind::single_other, endpoint::begin, 1);
  if (!runs) tell_work(m, work_kind::single_other, endpoint::end, 1);
}

void end_single(member& m) noexcept {
  if (!std::exchange(m.tool.single, false) || !told()) return;
  here();
  tell_work(m, work_kind::single_executor, endpoint::end, 1);
}

void masked(endpoint where) noexcept {
  if (!told()) return;
  member& m = self();
  here();
  on_masked(where, region_of(m), task_of(m), m.tool.call.address);
}

void reduction(member& m, endpoint where) noexcept {
  if (!told()) return;
  here().now = where == endpoint::begin ? state::work_reduction : state::work_parallel;
  on_reduction(sync_kind::reduction, where, region_of(m), task_of(m), m.tool.call.address);
}

void scope(member& m, endpoint where) noexcept {
  if (!told()) return;
  here();
  tell_work(m, work_kind::scope, where, 0);
}

void cross_iteration(member& m, std::span<const std::int64_t> index,
                     dependence_type type) noexcept {
  if (!told()) return;
  here();
  std::vector<dependence_record> records;
  records.reserve(index.size());
  for (const std::int64_t i : index)
    records.push_back({{.value = static_cast<std::uint64_t>(i)}, type});
  on_dependences(task_of(m), records.data(), static_cast<int>(records.size()));
}

void cancel(member& m, cancel_kind what, bool activated) noexcept {
  if (!told()) return;
  here();
  on_cancel(task_of(m), flag_of(what) | (activated ? cancel_activated : cancel_detected),
            m.tool.call.address);
}

int control(std::uint64_t command, std::uint64_t modifier, void* argument) noexcept {
  constexpr int no_tool = -2;
  constexpr int no_callback = -1;
  if (!told()) return no_tool;
  if (!on_control_tool.wanted()) return no_callback;
  member& m = self();
  here();
  task_info& info = info_of(*m.current);
  const bool entered = enter(info, m);
  const int answer = on_control_tool(command, modifier, argument, m.tool.call.address);
  if (entered) leave(info);
  return answer;
}

void flush() noexcept {
  if (!told()) return;
  const member& m = self();
  on_flush(&here().word, m.tool.call.address);
}

void error(severity how, const char* message, std::size_t length) noexcept {
  if (!told()) return;
  const member& m = self();
  here();
  if (message != nullptr && length == SIZE_MAX) length = std::strlen(message);
  on_error(how, message, message != nullptr ? length : 0, m.tool.call.address);
}

}  // namespace kasuri::omp::tool
