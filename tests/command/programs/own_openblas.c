// SPDX-License-Identifier: Apache-2.0
// What tells an OpenBLAS apart, as builders name it.
int PARALLEL(void) { return 1; }
const char* CONFIG(void) { return "OpenBLAS " VERSION " NO_AFFINITY"; }
