// SPDX-License-Identifier: Apache-2.0
//
// The names that libomp exports of its inside, for debuggers and for its own tools. No program
// calls them.
#include "omp/exports/macros.inc"

        absent ___kmp_allocate, VERSION
        absent ___kmp_free, VERSION
        absent __kmp_acquire_drdpa_lock, VERSION
        absent __kmp_acquire_nested_drdpa_lock, VERSION
        absent __kmp_acquire_nested_queuing_lock, VERSION
        absent __kmp_acquire_nested_tas_lock, VERSION
        absent __kmp_acquire_nested_ticket_lock, VERSION
        absent __kmp_acquire_queuing_lock, VERSION
        absent __kmp_acquire_tas_lock, VERSION
        absent __kmp_acquire_ticket_lock, VERSION
        absent __kmp_fork_call, VERSION
        absent __kmp_get_reduce_method, VERSION
        absent __kmp_invoke_microtask, VERSION
        absent __kmp_itt_fini_ittlib, VERSION
        absent __kmp_itt_init_ittlib, VERSION
        absent __kmp_reap_monitor, VERSION
        absent __kmp_reap_worker, VERSION
        absent __kmp_release_64, VERSION
        absent __kmp_reset_stats, VERSION
        absent __kmp_wait_4, VERSION
        absent __kmp_wait_64, VERSION
        absent kmp_threadprivate_insert, VERSION
        absent kmp_threadprivate_insert_private_data, VERSION
