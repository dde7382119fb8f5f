// SPDX-License-Identifier: Apache-2.0
// Opens each plug-in of its arguments, calls it and closes it; and goes on for a while.
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

int main(int argc, char** argv) {
  int right = argc > 1;
  for (int i = 1; i < argc; ++i) {
    void* const plugin = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    int (*const call)(void) = (int (*)(void))dlsym(plugin, "sum_of_two");
    right = right && call != NULL && call() == 42;
    dlclose(plugin);
  }
  const struct timespec pause = {0, 100 * 1000 * 1000};
  nanosleep(&pause, NULL);
  return right ? 0 : 1;
}
