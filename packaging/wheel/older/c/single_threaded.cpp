// SPDX-License-Identifier: Apache-2.0
// __libc_single_threaded (glibc 2.32): libstdc++ counts without atomic instructions while it is
// set. Never set is right at all times.
extern "C" {
extern char __libc_single_threaded;
char __libc_single_threaded = 0;
}
