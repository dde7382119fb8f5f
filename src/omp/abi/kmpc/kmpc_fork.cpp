// SPDX-License-Identifier: Apache-2.0
// Clang's parallel regions and leagues, and the clauses that it announces before them.

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "omp/abi/kmpc/kmpc.hpp"
#include "omp/region/league.hpp"
#include "omp/team/icv_access.hpp"
#include "omp/tool/hooks.hpp"

using namespace kasuri::omp;
using namespace kasuri::omp::kmpc;

namespace {

constexpr int in_registers = 8;  // at most; kasuri_omp_call_outlined reads so many

void call(const region_code& code, member& m) {
  std::int32_t thread = m.number;
  std::int32_t bound = m.number;
  void* frame = nullptr;
  void** const place = tool::active() ? tool::exit_frame(m) : &frame;
  kasuri_omp_call_outlined(code.function, &thread, &bound, code.count,
                           static_cast<void**>(code.data), place);
}

/// num_threads(strict: n) that cannot be had.
void complain(const worksharing& w, int got) {
  constexpr std::int32_t fatal = 2;
  std::fprintf(stderr, "kasuri: openmp: num_threads(strict: %d): only %d threads can be had%s%s\n",
               w.next_threads, got, w.strict_message != nullptr ? ": " : "",
               w.strict_message != nullptr ? w.strict_message : "");
  if (w.strict_severity == fatal) std::exit(EXIT_FAILURE);
}

/// The clauses that the program announced for the region that begins.
region_clauses take_clauses(member& m) noexcept {
  worksharing& w = m.work;
  region_clauses c;
  c.threads = w.next_threads;
  if (!w.next_threads_list.empty()) c.threads_list = &w.next_threads_list;
  if (w.next_bind >= 0) c.bind = static_cast<proc_bind>(w.next_bind);
  if (w.strict_severity != 0) {
    const int got = members_of_region(m, c);
    if (got != c.threads) complain(w, got);
    w.strict_severity = 0;
  }
  w.next_threads = 0;
  w.next_bind = -1;
  return c;
}

/// The region that begins is not parallel.
void drop_clauses(member& m) noexcept {
  take_clauses(m);
  m.work.next_threads_list.clear();
}

void run(outlined f, std::int32_t count, void** words) {
  run_region({call, f, words, count}, take_clauses(self()));
}

/// The words that follow in a call; `room` has place for them.
void** take_words(void** room, std::int32_t count, va_list rest) noexcept {
  for (std::int32_t i = 0; i < count; ++i) room[i] = va_arg(rest, void*);
  return room;
}

void announce_strict(std::int32_t severity, const char* message) noexcept {
  worksharing& w = self().work;
  w.strict_severity = severity;
  w.strict_message = message;
}

}  // namespace

extern "C" {

void kasuri___kmpc_fork_call(location*, std::int32_t count, outlined f, ...) {
  tool::called();
  auto* const room =
      static_cast<void**>(__builtin_alloca(sizeof(void*) * std::max(count, in_registers)));
  va_list rest;
  va_start(rest, f);
  run(f, count, take_words(room, count, rest));
  va_end(rest);
}

void kasuri___kmpc_serialized_parallel(location*, gtid) {
  tool::called();
  drop_clauses(self());
  member& zero = begin_serial_region();
  if (tool::active()) [[unlikely]]
    tool::exit_at_call(zero, *zero.in->parent);
}

void kasuri___kmpc_end_serialized_parallel(location*, gtid) {
  tool::called();
  end_region();
}

void kasuri___kmpc_fork_call_if(location*, std::int32_t, outlined f, std::int32_t parallel,
                                void* argument) {
  tool::called();
  void* words[in_registers] = {argument};
  const std::int32_t count = argument != nullptr ? 1 : 0;
  if (parallel != 0) return run(f, count, words);
  drop_clauses(self());
  member& zero = begin_serial_region();
  call({nullptr, f, words, count}, zero);
  end_region();
}

void kasuri___kmpc_fork_teams(location*, std::int32_t count, outlined f, ...) {
  tool::called();
  auto* const room =
      static_cast<void**>(__builtin_alloca(sizeof(void*) * std::max(count, in_registers)));
  va_list rest;
  va_start(rest, f);
  take_words(room, count, rest);
  va_end(rest);
  worksharing& w = self().work;
  const int teams = w.next_teams;
  const int limit = w.next_thread_limit;
  w.next_teams = 0;
  w.next_thread_limit = 0;
  run_league(teams, limit, [f, count, room] { call({nullptr, f, room, count}, self()); });
}

void kasuri___kmpc_push_num_threads(location*, gtid, std::int32_t n) {
  self().work.next_threads = std::max(n, 1);
}

void kasuri___kmpc_push_num_threads_strict(location* at, gtid g, std::int32_t n,
                                           std::int32_t severity, const char* message) {
  kasuri___kmpc_push_num_threads(at, g, n);
  announce_strict(severity, message);
}

/// The first number is for the region that follows, those behind it for the regions in it.
void kasuri___kmpc_push_num_threads_list(location*, gtid, std::uint32_t length,
                                         const std::int32_t* list) {
  if (length == 0) return;
  worksharing& w = self().work;
  w.next_threads = std::max(list[0], 1);
  w.next_threads_list.clear();
  if (length == 1) return;
  for (std::uint32_t i = 0; i != length; ++i) w.next_threads_list.push_back(std::max(list[i], 1));
}

void kasuri___kmpc_push_num_threads_list_strict(location* at, gtid g, std::uint32_t length,
                                                const std::int32_t* list, std::int32_t severity,
                                                const char* message) {
  kasuri___kmpc_push_num_threads_list(at, g, length, list);
  if (length != 0) announce_strict(severity, message);
}

void kasuri___kmpc_pop_num_threads(location*, gtid) {}

void kasuri___kmpc_push_proc_bind(location*, gtid, std::int32_t bind) {
  constexpr std::int32_t primary_since_llvm_13 = 5;
  self().work.next_bind =
      bind == primary_since_llvm_13 ? static_cast<std::int32_t>(proc_bind::primary) : bind;
}

void kasuri___kmpc_push_num_teams(location*, gtid, std::int32_t teams, std::int32_t limit) {
  worksharing& w = self().work;
  w.next_teams = teams;
  w.next_thread_limit = limit;
}

/// The least and the most number of teams.
void kasuri___kmpc_push_num_teams_51(location*, gtid, std::int32_t, std::int32_t most,
                                     std::int32_t limit) {
  worksharing& w = self().work;
  w.next_teams = most;
  w.next_thread_limit = limit;
}

void kasuri___kmpc_set_thread_limit(location*, gtid, std::int32_t limit) {
  member& m = self();
  if (limit > 0) own_values(m).thread_limit = limit;
}

}  // extern "C"
