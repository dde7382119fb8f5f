// SPDX-License-Identifier: Apache-2.0
//
// Explicit tasks, of both compilers.
#include "omp/exports/macros.inc"

        export GOMP_task, GOMP_2.0, VERSION
        export GOMP_taskwait, GOMP_2.0, VERSION
        export GOMP_taskyield, GOMP_3.0, VERSION
        export GOMP_taskgroup_start, GOMP_4.0, VERSION
        export GOMP_taskgroup_end, GOMP_4.0, VERSION
        export GOMP_taskloop, GOMP_4.5, VERSION
        export GOMP_taskloop_ull, GOMP_4.5, VERSION
        export GOMP_taskwait_depend, GOMP_5.0, VERSION
        export GOMP_taskgroup_reduction_register, GOMP_5.0, VERSION
        export GOMP_taskgroup_reduction_unregister, GOMP_5.0, VERSION
        export GOMP_task_reduction_remap, GOMP_5.0, VERSION
        export GOMP_parallel_reductions, GOMP_5.0, VERSION
        export GOMP_workshare_task_reduction_unregister, GOMP_5.0, VERSION

        export omp_fulfill_event, OMP_5.0.1, VERSION
        // Fortran's has its argument by value too.
        export_as omp_fulfill_event_, omp_fulfill_event, OMP_5.0.1, VERSION

        export __kmpc_omp_task_alloc, VERSION
        export __kmpc_omp_target_task_alloc, VERSION
        export __kmpc_omp_task, VERSION
        export __kmpc_omp_task_parts, VERSION
        export __kmpc_omp_task_with_deps, VERSION
        export __kmpc_omp_task_begin_if0, VERSION
        export __kmpc_omp_task_complete_if0, VERSION
        export __kmpc_omp_wait_deps, VERSION
        export __kmpc_omp_taskwait, VERSION
        export __kmpc_omp_taskwait_deps_51, VERSION
        export __kmpc_omp_taskyield, VERSION
        export __kmpc_taskgroup, VERSION
        export __kmpc_end_taskgroup, VERSION
        export __kmpc_taskloop, VERSION
        export __kmpc_taskloop_5, VERSION
        export __kmpc_taskred_init, VERSION
        export __kmpc_taskred_modifier_init, VERSION
        export __kmpc_task_reduction_init, VERSION
        export __kmpc_task_reduction_modifier_init, VERSION
        export __kmpc_task_reduction_modifier_fini, VERSION
        export __kmpc_task_reduction_get_th_data, VERSION
        export __kmpc_task_allow_completion_event, VERSION
        export __kmpc_proxy_task_completed, VERSION
        export __kmpc_proxy_task_completed_ooo, VERSION
        export __kmpc_omp_reg_task_with_affinity, VERSION
        export __kmpc_omp_has_task_team, VERSION

        // The inside of libomp, which no compiler calls.
        export __kmpc_task_get_depnode, VERSION
        export __kmpc_task_get_successors, VERSION
