// SPDX-License-Identifier: Apache-2.0
// What is called where the C library has no function of its own: for the tests, which run with a C
// library that has.
#pragma once

#include <dlfcn.h>
#include <pthread.h>

#include <ctime>

namespace kasuri::older {

int find_object(void* address, dl_find_object* result) noexcept;
void close_by_proc(int low) noexcept;
int cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* until);

}  // namespace kasuri::older
