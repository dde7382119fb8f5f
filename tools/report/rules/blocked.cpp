// SPDX-License-Identifier: Apache-2.0
#include <sys/syscall.h>

#include <algorithm>
#include <map>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {
namespace {

const char* name_of_call(long number) {
  switch (number) {
    case SYS_read:
    case SYS_pread64:
    case SYS_readv:
      return "read()";
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
      return "write()";
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
      return "sleep()";
    case SYS_recvfrom:
    case SYS_recvmsg:
      return "recv()";
    case SYS_accept:
    case SYS_accept4:
      return "accept()";
    case SYS_ppoll:
    case SYS_pselect6:
    case SYS_epoll_pwait:
#ifdef SYS_poll
    case SYS_poll:
    case SYS_select:
    case SYS_epoll_wait:
#endif
      return "poll()";
    case SYS_wait4:
      return "wait()";
    case SYS_fsync:
    case SYS_fdatasync:
      return "fsync()";
    default:
      return "a system call";
  }
}

}  // namespace

std::optional<finding> blocked_rule(const measures& m) {
  constexpr double worth_saying = 0.05;
  std::map<std::pair<long, std::uint64_t>, double> by_call;
  for (const system_wait& w : m.of.waits)
    if (w.in_pool && w.call != SYS_futex) by_call[{w.call, w.caller}] += w.s;
  const auto most = std::ranges::max_element(by_call, {}, [](const auto& e) { return e.second; });
  if (most == by_call.end() || m.part(most->second) < worth_saying) return {};
  finding f{.rule = "blocked", .where = m.where.at(most->first.second)};
  f.gain_s = std::min(most->second / m.workers(), m.seconds() * 0.99);
  f.sentence = say("Tasks sleep in %s%s for %s in all, and their workers with them: %s.",
                   name_of_call(most->first.first), at_place(f.where).c_str(),
                   duration(most->second).c_str(), how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice = "Put the call into kasuri::blocking, so that another thread runs tasks meanwhile.";
  return f;
}

}  // namespace kasuri::report
