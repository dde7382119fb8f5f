// SPDX-License-Identifier: Apache-2.0
// arc4random (glibc 2.36): what std::random_device of libstdc++.a reads.
#include <sys/random.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  // So few bytes come whole or not at all.
  while (::getrandom(&value, sizeof value, 0) != sizeof value) {
    if (errno == EINTR) continue;
    std::perror("kasuri: getrandom");
    std::abort();
  }
  return value;
}
