// SPDX-License-Identifier: Apache-2.0
#include "profile/watch/system_time.hpp"

#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <string>

#include "platform/base/small_file.hpp"

namespace kasuri::profile {

system_time system_time_now() {
  system_time now;
  std::timespec own{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own) == 0)
    now.own = static_cast<double>(own.tv_sec) + 1e-9 * static_cast<double>(own.tv_nsec);
  const std::string text = platform::text_of_small_file("/proc/stat");
  unsigned long long user = 0, nice = 0, system = 0, irq = 0, soft = 0, stolen = 0;
  if (std::sscanf(text.c_str(), "cpu %llu %llu %llu %*u %*u %llu %llu %llu", &user, &nice, &system,
                  &irq, &soft, &stolen) != 6)
    return now;
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  now.busy = static_cast<double>(user + nice + system + irq + soft) / ticks;
  now.stolen = static_cast<double>(stolen) / ticks;
  return now;
}

}  // namespace kasuri::profile
