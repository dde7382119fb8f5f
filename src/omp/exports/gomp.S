// SPDX-License-Identifier: Apache-2.0
//
// The entries that GCC's programs call, but for tasks (tasks.S), critical and atomic constructs
// (omp_api.S). All forms that take the next chunk are one function, since the loop knows its
// schedule.
#include "omp/exports/macros.inc"

        export GOMP_barrier, GOMP_1.0, VERSION
        export GOMP_barrier_cancel, GOMP_4.0, VERSION
        export GOMP_cancel, GOMP_4.0, VERSION
        export GOMP_cancellation_point, GOMP_4.0, VERSION
        export GOMP_doacross_post, GOMP_4.5, VERSION
        export_as GOMP_doacross_ull_post, GOMP_doacross_post, GOMP_4.5, VERSION
        export GOMP_doacross_ull_wait, GOMP_4.5, VERSION
        export GOMP_doacross_wait, GOMP_4.5, VERSION
        export GOMP_error, GOMP_5.1
        export GOMP_loop_doacross_dynamic_start, GOMP_4.5, VERSION
        export GOMP_loop_doacross_guided_start, GOMP_4.5, VERSION
        export GOMP_loop_doacross_runtime_start, GOMP_4.5, VERSION
        export GOMP_loop_doacross_start, GOMP_5.0, VERSION
        export GOMP_loop_doacross_static_start, GOMP_4.5, VERSION
        export_as GOMP_loop_dynamic_next, GOMP_loop_next, GOMP_1.0, VERSION
        export GOMP_loop_dynamic_start, GOMP_1.0, VERSION
        export GOMP_loop_end, GOMP_1.0, VERSION
        export GOMP_loop_end_cancel, GOMP_4.0, VERSION
        export GOMP_loop_end_nowait, GOMP_1.0, VERSION
        export_as GOMP_loop_guided_next, GOMP_loop_next, GOMP_1.0, VERSION
        export GOMP_loop_guided_start, GOMP_1.0, VERSION
        export_as GOMP_loop_maybe_nonmonotonic_runtime_next, GOMP_loop_next, GOMP_5.0, VERSION
        export GOMP_loop_maybe_nonmonotonic_runtime_start, GOMP_5.0, VERSION
        export_as GOMP_loop_nonmonotonic_dynamic_next, GOMP_loop_next, GOMP_4.5, VERSION
        export GOMP_loop_nonmonotonic_dynamic_start, GOMP_4.5, VERSION
        export_as GOMP_loop_nonmonotonic_guided_next, GOMP_loop_next, GOMP_4.5, VERSION
        export_as GOMP_loop_nonmonotonic_guided_start, GOMP_loop_guided_start, GOMP_4.5, VERSION
        export_as GOMP_loop_nonmonotonic_runtime_next, GOMP_loop_next, GOMP_5.0, VERSION
        export GOMP_loop_nonmonotonic_runtime_start, GOMP_5.0, VERSION
        export_as GOMP_loop_ordered_dynamic_next, GOMP_loop_next, GOMP_1.0, VERSION
        export GOMP_loop_ordered_dynamic_start, GOMP_1.0, VERSION
        export_as GOMP_loop_ordered_guided_next, GOMP_loop_next, GOMP_1.0, VERSION
        export GOMP_loop_ordered_guided_start, GOMP_1.0, VERSION
        export_as GOMP_loop_ordered_runtime_next, GOMP_loop_next, GOMP_1.0, VERSION
        export GOMP_loop_ordered_runtime_start, GOMP_1.0, VERSION
        export GOMP_loop_ordered_start, GOMP_5.0, VERSION
        export_as GOMP_loop_ordered_static_next, GOMP_loop_next, GOMP_1.0, VERSION
        export GOMP_loop_ordered_static_start, GOMP_1.0, VERSION
        export_as GOMP_loop_runtime_next, GOMP_loop_next, GOMP_1.0, VERSION
        export GOMP_loop_runtime_start, GOMP_1.0, VERSION
        export GOMP_loop_start, GOMP_5.0, VERSION
        export_as GOMP_loop_static_next, GOMP_loop_next, GOMP_1.0, VERSION
        export GOMP_loop_static_start, GOMP_1.0, VERSION
        export GOMP_loop_ull_doacross_dynamic_start, GOMP_4.5, VERSION
        export GOMP_loop_ull_doacross_guided_start, GOMP_4.5, VERSION
        export GOMP_loop_ull_doacross_runtime_start, GOMP_4.5, VERSION
        export GOMP_loop_ull_doacross_start, GOMP_5.0, VERSION
        export GOMP_loop_ull_doacross_static_start, GOMP_4.5, VERSION
        export_as GOMP_loop_ull_dynamic_next, GOMP_loop_next, GOMP_2.0, VERSION
        export GOMP_loop_ull_dynamic_start, GOMP_2.0, VERSION
        export_as GOMP_loop_ull_guided_next, GOMP_loop_next, GOMP_2.0, VERSION
        export GOMP_loop_ull_guided_start, GOMP_2.0, VERSION
        export_as GOMP_loop_ull_maybe_nonmonotonic_runtime_next, GOMP_loop_next, GOMP_5.0, VERSION
        export GOMP_loop_ull_maybe_nonmonotonic_runtime_start, GOMP_5.0, VERSION
        export_as GOMP_loop_ull_nonmonotonic_dynamic_next, GOMP_loop_next, GOMP_4.5, VERSION
        export GOMP_loop_ull_nonmonotonic_dynamic_start, GOMP_4.5, VERSION
        export_as GOMP_loop_ull_nonmonotonic_guided_next, GOMP_loop_next, GOMP_4.5, VERSION
        export_as GOMP_loop_ull_nonmonotonic_guided_start, GOMP_loop_ull_guided_start, GOMP_4.5, VERSION
        export_as GOMP_loop_ull_nonmonotonic_runtime_next, GOMP_loop_next, GOMP_5.0, VERSION
        export GOMP_loop_ull_nonmonotonic_runtime_start, GOMP_5.0, VERSION
        export_as GOMP_loop_ull_ordered_dynamic_next, GOMP_loop_next, GOMP_2.0, VERSION
        export GOMP_loop_ull_ordered_dynamic_start, GOMP_2.0, VERSION
        export_as GOMP_loop_ull_ordered_guided_next, GOMP_loop_next, GOMP_2.0, VERSION
        export GOMP_loop_ull_ordered_guided_start, GOMP_2.0, VERSION
        export_as GOMP_loop_ull_ordered_runtime_next, GOMP_loop_next, GOMP_2.0, VERSION
        export GOMP_loop_ull_ordered_runtime_start, GOMP_2.0, VERSION
        export GOMP_loop_ull_ordered_start, GOMP_5.0, VERSION
        export_as GOMP_loop_ull_ordered_static_next, GOMP_loop_next, GOMP_2.0, VERSION
        export GOMP_loop_ull_ordered_static_start, GOMP_2.0, VERSION
        export_as GOMP_loop_ull_runtime_next, GOMP_loop_next, GOMP_2.0, VERSION
        export GOMP_loop_ull_runtime_start, GOMP_2.0, VERSION
        export GOMP_loop_ull_start, GOMP_5.0, VERSION
        export_as GOMP_loop_ull_static_next, GOMP_loop_next, GOMP_2.0, VERSION
        export GOMP_loop_ull_static_start, GOMP_2.0, VERSION
        export GOMP_offload_register, GOMP_4.0.1
        export GOMP_offload_register_ver, GOMP_4.5
        export GOMP_offload_unregister, GOMP_4.0.1
        export GOMP_offload_unregister_ver, GOMP_4.5
        export GOMP_ordered_end, GOMP_1.0, VERSION
        export GOMP_ordered_start, GOMP_1.0, VERSION
        export GOMP_parallel, GOMP_4.0, VERSION
        export GOMP_parallel_end, GOMP_1.0, VERSION
        export GOMP_parallel_loop_dynamic, GOMP_4.0, VERSION
        export GOMP_parallel_loop_dynamic_start, GOMP_1.0, VERSION
        export GOMP_parallel_loop_guided, GOMP_4.0, VERSION
        export GOMP_parallel_loop_guided_start, GOMP_1.0, VERSION
        export GOMP_parallel_loop_maybe_nonmonotonic_runtime, GOMP_5.0, VERSION
        export GOMP_parallel_loop_nonmonotonic_dynamic, GOMP_4.5, VERSION
        export_as GOMP_parallel_loop_nonmonotonic_guided, GOMP_parallel_loop_guided, GOMP_4.5, VERSION
        export GOMP_parallel_loop_nonmonotonic_runtime, GOMP_5.0, VERSION
        export GOMP_parallel_loop_runtime, GOMP_4.0, VERSION
        export GOMP_parallel_loop_runtime_start, GOMP_1.0, VERSION
        export GOMP_parallel_loop_static, GOMP_4.0, VERSION
        export GOMP_parallel_loop_static_start, GOMP_1.0, VERSION
        export GOMP_parallel_sections, GOMP_4.0, VERSION
        export GOMP_parallel_sections_start, GOMP_1.0, VERSION
        export GOMP_parallel_start, GOMP_1.0, VERSION
        export GOMP_scope_start, GOMP_5.1
        export GOMP_sections2_start, GOMP_5.0, VERSION
        export_as GOMP_sections_end, GOMP_loop_end, GOMP_1.0, VERSION
        export_as GOMP_sections_end_cancel, GOMP_loop_end_cancel, GOMP_4.0, VERSION
        export_as GOMP_sections_end_nowait, GOMP_loop_end_nowait, GOMP_1.0, VERSION
        export GOMP_sections_next, GOMP_1.0, VERSION
        export GOMP_sections_start, GOMP_1.0, VERSION
        export GOMP_single_copy_end, GOMP_1.0, VERSION
        export GOMP_single_copy_start, GOMP_1.0, VERSION
        export GOMP_single_start, GOMP_1.0, VERSION
        export GOMP_target, GOMP_4.0, VERSION
        export GOMP_target_data, GOMP_4.0, VERSION
        export GOMP_target_data_ext, GOMP_4.5
        export GOMP_target_end_data, GOMP_4.0, VERSION
        export GOMP_target_enter_exit_data, GOMP_4.5
        export GOMP_target_ext, GOMP_4.5
        export GOMP_target_update, GOMP_4.0, VERSION
        export GOMP_target_update_ext, GOMP_4.5
        export GOMP_teams, GOMP_4.0, VERSION
        export GOMP_teams4, GOMP_5.1
        export GOMP_teams_reg, GOMP_5.0, VERSION
        export GOMP_warning, GOMP_5.1

// Added by GCC 13 and 14.
        export GOMP_taskwait_depend_nowait, GOMP_5.1.1
        export GOMP_target_map_indirect_ptr, GOMP_5.1.2
