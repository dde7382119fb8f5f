// SPDX-License-Identifier: Apache-2.0
// A seccomp filter, as containers and sandboxes have one: the process's later threads and calls are
// refused system calls by number.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace kasuri::test {

/// From now on the process gets `error` for the call of that number; with `value` not zero only
/// where its argument of that number, from 0, has this value. False: the system allows no filter.
inline bool refuse_call(long number, int error, std::uint32_t value = 0, std::size_t argument = 1) {
  constexpr std::uint16_t load = BPF_LD | BPF_W | BPF_ABS;
  constexpr std::uint16_t equal = BPF_JMP | BPF_JEQ | BPF_K;
  constexpr std::uint16_t answer = BPF_RET | BPF_K;
  std::vector<sock_filter> code{
      {load, 0, 0, offsetof(seccomp_data, nr)},
      {equal, 0, static_cast<std::uint8_t>(value != 0 ? 3 : 1), static_cast<std::uint32_t>(number)},
  };
  if (value != 0) {
    code.push_back({load, 0, 0,
                    static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                               argument * sizeof(std::uint64_t))});
    code.push_back({equal, 0, 1, value});
  }
  code.push_back({answer, 0, 0, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error)});
  code.push_back({answer, 0, 0, SECCOMP_RET_ALLOW});
  sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace kasuri::test
