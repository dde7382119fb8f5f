// SPDX-License-Identifier: Apache-2.0
// What tells an OpenBLAS apart, as builders name it: with a callback, or before there was one.
int NAME(openblas_get_parallel)(void) { return 1; }
const char *NAME(openblas_get_config)(void) { return "OpenBLAS " VERSION " NO_AFFINITY"; }
