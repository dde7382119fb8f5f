// SPDX-License-Identifier: Apache-2.0
// Opens the plug-in of argv[1], calls it and closes it; and goes on for a while.
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  void* const plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (plugin == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  int (*const call)(void) = (int (*)(void))dlsym(plugin, "sum_of_two");
  const int sum = call == NULL ? -1 : call();
  dlclose(plugin);
  const struct timespec pause = {0, 100 * 1000 * 1000};
  nanosleep(&pause, NULL);
  return sum == 42 ? 0 : 1;
}
