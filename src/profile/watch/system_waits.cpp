// SPDX-License-Identifier: Apache-2.0
#include "profile/watch/system_waits.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "platform/base/small_file.hpp"
#include "platform/process/system_call_names.hpp"
#include "profile/base/json.hpp"
#include "profile/thread/modules.hpp"

namespace kasuri::profile {
namespace {

struct sleeper {
  long call = 0;
  std::uintptr_t sp = 0;
  std::uintptr_t pc = 0;
};

/// False: it runs, or is ready to.
bool find_sleeper(int tid, sleeper& found) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/syscall", tid);
  const std::string text = platform::text_of_small_file(path);
  unsigned long sp = 0, pc = 0;
  if (std::sscanf(text.c_str(), "%ld %*x %*x %*x %*x %*x %*x %lx %lx", &found.call, &sp, &pc) != 3)
    return false;
  found.sp = sp;
  found.pc = pc;
  return true;
}

struct callers {
  std::uintptr_t program = 0;  // the nearest code of the program's own
  bool runtime = false;        // code of ours is nearer
};

/// Of a stack that may be unmapped at any time.
callers callers_on_stack(std::uintptr_t sp) {
  std::array<std::uintptr_t, 512> words;
  iovec to{words.data(), sizeof words};
  iovec from{reinterpret_cast<void*>(sp), sizeof words};
  ssize_t got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
  if (got < 0) {  // the stack ends sooner
    constexpr std::uintptr_t page = 4096;
    from.iov_len = page - sp % page;
    got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
  }
  if (got <= 0) return {};
  const std::size_t n = static_cast<std::size_t>(got) / sizeof words[0];
  return {caller_among(words.data(), n), runtime_called(words.data(), n)};
}

}  // namespace

bool system_waits::look(int tid, bool in_pool, site_id site, double seconds) {
  sleeper s;
  if (!find_sleeper(tid, s)) return false;
  const callers by = callers_on_stack(s.sp);
  if (!by.runtime) seconds_[{s.pc, by.program, s.call, site, in_pool}] += seconds;
  return true;
}

bool system_waits::sleeps(int tid) {
  sleeper s;
  return find_sleeper(tid, s);
}

void system_waits::write(json& to) const {
  to.begin_array();
  for (const auto& [at, s] : seconds_) {
    const auto& [pc, caller, call, site, in_pool] = at;
    to.begin_object().key("pc").address(reinterpret_cast<const void*>(pc));
    to.key("caller").address(reinterpret_cast<const void*>(caller));
    to.pair("call", platform::system_call_name(call)).pair("site", static_cast<int>(site));
    to.pair("in_pool", in_pool).pair("s", s).end_object();
  }
  to.end_array();
}

}  // namespace kasuri::profile
