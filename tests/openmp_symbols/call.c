// SPDX-License-Identifier: Apache-2.0
// call LIBRARY: calls each function that standard input names, as NAME VERSION, in a child of its
// own, and prints what the child wrote to standard error, as NAME VERSION STATUS: TEXT.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void call(void* function) {
  int ends[2];
  if (pipe(ends) != 0) return;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    ((void (*)(long, long, long, long))function)(0, 0, 0, 0);
    _exit(0);
  }
  close(ends[1]);
  char text[512];
  size_t used = 0;
  ssize_t got;
  while ((got = read(ends[0], text + used, sizeof text - 1 - used)) > 0) used += (size_t)got;
  close(ends[0]);
  text[used] = 0;
  text[strcspn(text, "\n")] = 0;
  int status = -1;
  waitpid(child, &status, 0);
  printf("%d: %s\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1, text);
}

int main(int count, char** arguments) {
  if (count != 2) return 64;
  void* const library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  char name[256], version[64];
  while (scanf("%255s %63s", name, version) == 2) {
    void* const function = dlvsym(library, name, version);
    printf("%s %s ", name, version);
    if (function == NULL)
      puts("-2: not found");
    else
      call(function);
  }
  return 0;
}
