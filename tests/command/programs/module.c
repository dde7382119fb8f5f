// SPDX-License-Identifier: Apache-2.0
// An extension module, as far as its imports go.
int omp_get_num_threads(void);
int module_threads(void);
int module_threads(void) { return omp_get_num_threads(); }
