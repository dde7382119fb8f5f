// SPDX-License-Identifier: Apache-2.0
//
// The entries that Clang's programs call, but for tasks (tasks.S), locks, critical and atomic
// constructs (omp_api.S).
#include "omp/exports/macros.inc"

        export __kmpc_barrier, VERSION
        export __kmpc_barrier_master, VERSION
        export __kmpc_barrier_master_nowait, VERSION
        export __kmpc_begin, VERSION
        export __kmpc_bound_num_threads, VERSION
        export __kmpc_bound_thread_num, VERSION
        export __kmpc_cancel, VERSION
        export __kmpc_cancel_barrier, VERSION
        export __kmpc_cancellationpoint, VERSION
        export __kmpc_copyprivate, VERSION
        export __kmpc_copyprivate_light, VERSION
        export __kmpc_dispatch_deinit, VERSION
        export_as __kmpc_dispatch_fini_4, __kmpc_dispatch_fini, VERSION
        export_as __kmpc_dispatch_fini_4u, __kmpc_dispatch_fini, VERSION
        export_as __kmpc_dispatch_fini_8, __kmpc_dispatch_fini, VERSION
        export_as __kmpc_dispatch_fini_8u, __kmpc_dispatch_fini, VERSION
        export __kmpc_dispatch_init_4, VERSION
        export __kmpc_dispatch_init_4u, VERSION
        export __kmpc_dispatch_init_8, VERSION
        export __kmpc_dispatch_init_8u, VERSION
        export __kmpc_dispatch_next_4, VERSION
        export_as __kmpc_dispatch_next_4u, __kmpc_dispatch_next_4, VERSION
        export __kmpc_dispatch_next_8, VERSION
        export_as __kmpc_dispatch_next_8u, __kmpc_dispatch_next_8, VERSION
        export __kmpc_dist_dispatch_init_4, VERSION
        export __kmpc_dist_dispatch_init_4u, VERSION
        export __kmpc_dist_dispatch_init_8, VERSION
        export __kmpc_dist_dispatch_init_8u, VERSION
        export __kmpc_dist_for_static_init_4, VERSION
        export __kmpc_dist_for_static_init_4u, VERSION
        export __kmpc_dist_for_static_init_8, VERSION
        export __kmpc_dist_for_static_init_8u, VERSION
        export __kmpc_doacross_fini, VERSION
        export __kmpc_doacross_init, VERSION
        export __kmpc_doacross_post, VERSION
        export __kmpc_doacross_wait, VERSION
        export __kmpc_end, VERSION
        export __kmpc_end_barrier_master, VERSION
        export __kmpc_end_masked, VERSION
        export __kmpc_end_master, VERSION
        export __kmpc_end_ordered, VERSION
        export __kmpc_end_reduce, VERSION
        export __kmpc_end_reduce_nowait, VERSION
        export __kmpc_end_scope, VERSION
        export __kmpc_end_sections, VERSION
        export __kmpc_end_serialized_parallel, VERSION
        export __kmpc_end_single, VERSION
        export __kmpc_error, VERSION
        export __kmpc_flush, VERSION
        export __kmpc_for_static_fini, VERSION
        export __kmpc_for_static_init_4, VERSION
        export __kmpc_for_static_init_4u, VERSION
        export __kmpc_for_static_init_8, VERSION
        export __kmpc_for_static_init_8u, VERSION
        export __kmpc_fork_call, VERSION
        export __kmpc_fork_call_if, VERSION
        export __kmpc_fork_teams, VERSION
        export __kmpc_get_parent_taskid, VERSION
        export __kmpc_get_target_offload, VERSION
        export __kmpc_get_taskid, VERSION
        export __kmpc_global_num_threads, VERSION
        export __kmpc_global_thread_num, VERSION
        export __kmpc_in_parallel, VERSION
        export __kmpc_masked, VERSION
        export __kmpc_master, VERSION
        export __kmpc_next_section, VERSION
        export __kmpc_ok_to_fork, VERSION
        export __kmpc_omp_get_target_async_handle_ptr, VERSION
        export __kmpc_ordered, VERSION
        export __kmpc_pause_resource, VERSION
        export __kmpc_pop_num_threads, VERSION
        export __kmpc_push_num_teams, VERSION
        export __kmpc_push_num_teams_51, VERSION
        export __kmpc_push_num_threads, VERSION
        export __kmpc_push_num_threads_list, VERSION
        export __kmpc_push_num_threads_list_strict, VERSION
        export __kmpc_push_num_threads_strict, VERSION
        export __kmpc_push_proc_bind, VERSION
        export __kmpc_reduce, VERSION
        export __kmpc_reduce_nowait, VERSION
        export __kmpc_scope, VERSION
        export __kmpc_sections_init, VERSION
        export __kmpc_serialized_parallel, VERSION
        export __kmpc_set_thread_limit, VERSION
        export __kmpc_single, VERSION
        export __kmpc_team_static_init_4, VERSION
        export __kmpc_team_static_init_4u, VERSION
        export __kmpc_team_static_init_8, VERSION
        export __kmpc_team_static_init_8u, VERSION
        export __kmpc_threadprivate, VERSION
        export __kmpc_threadprivate_cached, VERSION
        export __kmpc_threadprivate_register, VERSION
        export __kmpc_threadprivate_register_vec, VERSION
        export kmp_get_cancellation_status, VERSION
        export_as kmp_get_cancellation_status_, kmp_get_cancellation_status_by_reference, VERSION

// Steps of loop transformations that Clang does not emit calls for, and entries without users.
        absent __kmpc_calc_original_ivs_rectang, VERSION
        absent __kmpc_for_collapsed_init, VERSION
        absent __kmpc_invoke_task_func, VERSION
        absent __kmpc_process_loop_nest_rectang, VERSION
