// SPDX-License-Identifier: Apache-2.0
void openblas_set_threads_callback_function(void* callback) { (void)callback; }
