// SPDX-License-Identifier: Apache-2.0
//
// Routines that programs call themselves, critical constructs and allocators.
#include "omp/exports/macros.inc"

// One more node of a name that has a default, with a function of its own.
        .macro  export_other name:req, impl:req, node:req
        .hidden kasuri_\impl
        row_label \name\().\node
        jump    kasuri_\impl
        row_end \name\().\node
        give_other \name\().\node, \name, \node
        .endm

// Routines of the standard, for C and C++.
        export omp_aligned_alloc, OMP_5.0.2, VERSION
        export omp_aligned_calloc, OMP_5.0.2, VERSION
        export omp_alloc, OMP_5.0.1, VERSION
        export omp_calloc, OMP_5.0.2, VERSION
        export omp_capture_affinity, OMP_5.0, VERSION
        export omp_control_tool, VERSION
        export ompt_start_tool, VERSION
        .weak   ompt_start_tool.VERSION  // a program's own goes before it
        export omp_destroy_allocator, OMP_5.0.1, VERSION
        export omp_display_affinity, OMP_5.0, VERSION
        export omp_display_env, OMP_5.1, VERSION
        export omp_free, OMP_5.0.1, VERSION
        export omp_get_active_level, OMP_3.0, VERSION
        export omp_get_affinity_format, OMP_5.0, VERSION
        export omp_get_ancestor_thread_num, OMP_3.0, VERSION
        export omp_get_cancellation, OMP_4.0, VERSION
        export omp_get_default_allocator, OMP_5.0.1, VERSION
        export omp_get_default_device, OMP_4.0, VERSION
        export omp_get_device_num, OMP_5.0.2, VERSION
        export omp_get_dynamic, OMP_1.0, VERSION
        export omp_get_initial_device, OMP_4.5, VERSION
        export omp_get_interop_int, VERSION
        export omp_get_interop_name, VERSION
        export omp_get_interop_ptr, VERSION
        export omp_get_interop_rc_desc, VERSION
        export omp_get_interop_str, VERSION
        export omp_get_interop_type_desc, VERSION
        export omp_get_level, OMP_3.0, VERSION
        export omp_get_mapped_ptr, OMP_5.1.1
        export omp_get_max_active_levels, OMP_3.0, VERSION
        export omp_get_max_task_priority, OMP_4.5, VERSION
        export omp_get_max_teams, OMP_5.1, VERSION
        export omp_get_max_threads, OMP_1.0, VERSION
        export omp_get_nested, OMP_1.0, VERSION
        export omp_get_num_devices, OMP_4.0, VERSION
        export omp_get_num_interop_properties, VERSION
        export omp_get_num_places, OMP_4.5, VERSION
        export omp_get_num_procs, OMP_1.0, VERSION
        export omp_get_num_teams, OMP_4.0, VERSION
        export omp_get_num_threads, OMP_1.0, VERSION
        export omp_get_partition_num_places, OMP_4.5, VERSION
        export omp_get_partition_place_nums, OMP_4.5, VERSION
        export omp_get_place_num, OMP_4.5, VERSION
        export omp_get_place_num_procs, OMP_4.5, VERSION
        export omp_get_place_proc_ids, OMP_4.5, VERSION
        export omp_get_proc_bind, OMP_4.0, VERSION
        export omp_get_schedule, OMP_3.0
        export_other omp_get_schedule, omp_get_schedule_clang, VERSION
        export omp_get_supported_active_levels, OMP_5.0.1, VERSION
        export omp_get_team_num, OMP_4.0, VERSION
        export omp_get_team_size, OMP_3.0, VERSION
        export omp_get_teams_thread_limit, OMP_5.1, VERSION
        export omp_get_thread_limit, OMP_3.0, VERSION
        export omp_get_thread_num, OMP_1.0, VERSION
        export omp_get_wtick, OMP_2.0, VERSION
        export omp_get_wtime, OMP_2.0, VERSION
        export omp_in_explicit_task, OMP_5.2, VERSION
        export omp_in_final, OMP_3.1, VERSION
        export omp_in_parallel, OMP_1.0, VERSION
        export omp_init_allocator, OMP_5.0.1, VERSION
        export omp_is_initial_device, OMP_4.0, VERSION
        export omp_pause_resource, OMP_5.0, VERSION
        export omp_pause_resource_all, OMP_5.0, VERSION
        export omp_realloc, OMP_5.0.2, VERSION
        export omp_set_affinity_format, OMP_5.0, VERSION
        export omp_set_default_allocator, OMP_5.0.1, VERSION
        export omp_set_default_device, OMP_4.0, VERSION
        export omp_set_dynamic, OMP_1.0, VERSION
        export omp_set_max_active_levels, OMP_3.0, VERSION
        export omp_set_nested, OMP_1.0, VERSION
        export omp_set_num_teams, OMP_5.1, VERSION
        export omp_set_num_threads, OMP_1.0, VERSION
        export omp_set_schedule, OMP_3.0, VERSION
        export omp_set_teams_thread_limit, OMP_5.1, VERSION
        export omp_target_alloc, OMP_4.5
        export omp_target_associate_ptr, OMP_4.5
        export omp_target_disassociate_ptr, OMP_4.5
        export omp_target_free, OMP_4.5
        export omp_target_is_accessible, OMP_5.1.1
        export omp_target_is_present, OMP_4.5
        export omp_target_memcpy, OMP_4.5
        export omp_target_memcpy_async, OMP_5.1.1
        export omp_target_memcpy_rect, OMP_4.5
        export omp_target_memcpy_rect_async, OMP_5.1.1

// Locks. Programs of before OpenMP 3.0 have those of OMP_1.0; ours do for both.
        export omp_destroy_lock, OMP_3.0, OMP_1.0, VERSION
        export omp_destroy_nest_lock, OMP_3.0, OMP_1.0, VERSION
        export omp_init_lock, OMP_3.0, OMP_1.0, VERSION
        export omp_init_lock_with_hint, VERSION
        export omp_init_nest_lock, OMP_3.0, OMP_1.0, VERSION
        export omp_init_nest_lock_with_hint, VERSION
        export omp_set_lock, OMP_3.0, OMP_1.0, VERSION
        export omp_set_nest_lock, OMP_3.0, OMP_1.0, VERSION
        export omp_test_lock, OMP_3.0, OMP_1.0, VERSION
        export omp_test_nest_lock, OMP_3.0, OMP_1.0, VERSION
        export omp_unset_lock, OMP_3.0, OMP_1.0, VERSION
        export omp_unset_nest_lock, OMP_3.0, OMP_1.0, VERSION

// The same for Fortran. Functions without arguments, and those of locks, are the C functions; of those
// of VERSION some take by value what the others take by reference.
        export omp_capture_affinity_, OMP_5.0, VERSION
        export_as omp_control_tool_, omp_control_tool_by_reference, VERSION
        export omp_destroy_allocator_, OMP_5.0.1
        export_other omp_destroy_allocator_, omp_destroy_allocator, VERSION
        export_as omp_destroy_lock_, omp_destroy_lock, OMP_3.0, OMP_1.0, VERSION
        export_as omp_destroy_nest_lock_, omp_destroy_nest_lock, OMP_3.0, OMP_1.0, VERSION
        export omp_display_affinity_, OMP_5.0, VERSION
        export omp_display_env_, OMP_5.1
        export_other omp_display_env_, omp_display_env, VERSION
        export omp_display_env_8_, OMP_5.1
        export_as omp_get_active_level_, omp_get_active_level, OMP_3.0, VERSION
        export omp_get_affinity_format_, OMP_5.0, VERSION
        export omp_get_ancestor_thread_num_, OMP_3.0, VERSION
        export omp_get_ancestor_thread_num_8_, OMP_3.0
        export_as omp_get_cancellation_, omp_get_cancellation, OMP_4.0, VERSION
        export_as omp_get_default_allocator_, omp_get_default_allocator, OMP_5.0.1, VERSION
        export_as omp_get_default_device_, omp_get_default_device, OMP_4.0, VERSION
        export_as omp_get_device_num_, omp_get_device_num, OMP_5.0.2, VERSION
        export_as omp_get_dynamic_, omp_get_dynamic, OMP_1.0, VERSION
        export_as omp_get_initial_device_, omp_get_initial_device, OMP_4.5, VERSION
        export_as omp_get_interop_int_, omp_get_interop_int, VERSION
        export_as omp_get_interop_name_, omp_get_interop_name, VERSION
        export_as omp_get_interop_ptr_, omp_get_interop_ptr, VERSION
        export_as omp_get_interop_rc_desc_, omp_get_interop_rc_desc, VERSION
        export_as omp_get_interop_str_, omp_get_interop_str, VERSION
        export_as omp_get_interop_type_desc_, omp_get_interop_type_desc, VERSION
        export_as omp_get_level_, omp_get_level, OMP_3.0, VERSION
        export_as omp_get_max_active_levels_, omp_get_max_active_levels, OMP_3.0, VERSION
        export_as omp_get_max_task_priority_, omp_get_max_task_priority, OMP_4.5, VERSION
        export_as omp_get_max_teams_, omp_get_max_teams, OMP_5.1, VERSION
        export_as omp_get_max_threads_, omp_get_max_threads, OMP_1.0, VERSION
        export_as omp_get_nested_, omp_get_nested, OMP_1.0, VERSION
        export_as omp_get_num_devices_, omp_get_num_devices, OMP_4.0, VERSION
        export_as omp_get_num_interop_properties_, omp_get_num_interop_properties, VERSION
        export_as omp_get_num_places_, omp_get_num_places, OMP_4.5, VERSION
        export_as omp_get_num_procs_, omp_get_num_procs, OMP_1.0, VERSION
        export_as omp_get_num_teams_, omp_get_num_teams, OMP_4.0, VERSION
        export_as omp_get_num_threads_, omp_get_num_threads, OMP_1.0, VERSION
        export_as omp_get_partition_num_places_, omp_get_partition_num_places, OMP_4.5, VERSION
        export omp_get_partition_place_nums_, OMP_4.5, VERSION
        export omp_get_partition_place_nums_8_, OMP_4.5
        export_as omp_get_place_num_, omp_get_place_num, OMP_4.5, VERSION
        export omp_get_place_num_procs_, OMP_4.5, VERSION
        export omp_get_place_num_procs_8_, OMP_4.5
        export omp_get_place_proc_ids_, OMP_4.5, VERSION
        export omp_get_place_proc_ids_8_, OMP_4.5
        export_as omp_get_proc_bind_, omp_get_proc_bind, OMP_4.0, VERSION
        export omp_get_schedule_, OMP_3.0
        export_other omp_get_schedule_, omp_get_schedule_clang_, VERSION
        export omp_get_schedule_8_, OMP_3.0
        export_as omp_get_supported_active_levels_, omp_get_supported_active_levels, OMP_5.0.1, VERSION
        export_as omp_get_team_num_, omp_get_team_num, OMP_4.0, VERSION
        export omp_get_team_size_, OMP_3.0, VERSION
        export omp_get_team_size_8_, OMP_3.0
        export_as omp_get_teams_thread_limit_, omp_get_teams_thread_limit, OMP_5.1, VERSION
        export_as omp_get_thread_limit_, omp_get_thread_limit, OMP_3.0, VERSION
        export_as omp_get_thread_num_, omp_get_thread_num, OMP_1.0, VERSION
        export_as omp_get_wtick_, omp_get_wtick, OMP_2.0, VERSION
        export_as omp_get_wtime_, omp_get_wtime, OMP_2.0, VERSION
        export_as omp_in_explicit_task_, omp_in_explicit_task, OMP_5.2, VERSION
        export_as omp_in_final_, omp_in_final, OMP_3.1, VERSION
        export_as omp_in_parallel_, omp_in_parallel, OMP_1.0, VERSION
        export omp_init_allocator_, OMP_5.0.1, VERSION
        export omp_init_allocator_8_, OMP_5.0.1
        export_as omp_init_lock_, omp_init_lock, OMP_3.0, OMP_1.0, VERSION
        export_as omp_init_lock_with_hint_, omp_init_lock_with_hint, VERSION
        export_as omp_init_nest_lock_, omp_init_nest_lock, OMP_3.0, OMP_1.0, VERSION
        export_as omp_init_nest_lock_with_hint_, omp_init_nest_lock_with_hint, VERSION
        export_as omp_is_initial_device_, omp_is_initial_device, OMP_4.0, VERSION
        export omp_pause_resource_, OMP_5.0
        export_other omp_pause_resource_, omp_pause_resource, VERSION
        export omp_pause_resource_all_, OMP_5.0
        export_other omp_pause_resource_all_, omp_pause_resource_all, VERSION
        export omp_set_affinity_format_, OMP_5.0, VERSION
        export omp_set_default_allocator_, OMP_5.0.1
        export_other omp_set_default_allocator_, omp_set_default_allocator, VERSION
        export omp_set_default_device_, OMP_4.0, VERSION
        export omp_set_default_device_8_, OMP_4.0
        export omp_set_dynamic_, OMP_1.0, VERSION
        export omp_set_dynamic_8_, OMP_1.0
        export_as omp_set_lock_, omp_set_lock, OMP_3.0, OMP_1.0, VERSION
        export omp_set_max_active_levels_, OMP_3.0, VERSION
        export omp_set_max_active_levels_8_, OMP_3.0
        export_as omp_set_nest_lock_, omp_set_nest_lock, OMP_3.0, OMP_1.0, VERSION
        export omp_set_nested_, OMP_1.0, VERSION
        export omp_set_nested_8_, OMP_1.0
        export omp_set_num_teams_, OMP_5.1, VERSION
        export omp_set_num_teams_8_, OMP_5.1
        export omp_set_num_threads_, OMP_1.0, VERSION
        export omp_set_num_threads_8_, OMP_1.0
        export omp_set_schedule_, OMP_3.0, VERSION
        export omp_set_schedule_8_, OMP_3.0
        export omp_set_teams_thread_limit_, OMP_5.1, VERSION
        export omp_set_teams_thread_limit_8_, OMP_5.1
        export_as omp_test_lock_, omp_test_lock, OMP_3.0, OMP_1.0, VERSION
        export_as omp_test_nest_lock_, omp_test_nest_lock, OMP_3.0, OMP_1.0, VERSION
        export_as omp_unset_lock_, omp_unset_lock, OMP_3.0, OMP_1.0, VERSION
        export_as omp_unset_nest_lock_, omp_unset_nest_lock, OMP_3.0, OMP_1.0, VERSION

// Names that Clang's omp.h gives to routines for C.
        export_as ompc_capture_affinity, omp_capture_affinity, VERSION
        export_as ompc_display_affinity, omp_display_affinity, VERSION
        export_as ompc_get_affinity_format, omp_get_affinity_format, VERSION
        export_as ompc_get_ancestor_thread_num, omp_get_ancestor_thread_num, VERSION
        export_as ompc_get_team_size, omp_get_team_size, VERSION
        export_as ompc_set_affinity_format, omp_set_affinity_format, VERSION
        export_as ompc_set_dynamic, omp_set_dynamic, VERSION
        export_as ompc_set_max_active_levels, omp_set_max_active_levels, VERSION
        export_as ompc_set_nested, omp_set_nested, VERSION
        export_as ompc_set_num_threads, omp_set_num_threads, VERSION
        export_as ompc_set_schedule, omp_set_schedule, VERSION

// Extensions of libomp.
        export kmp_aligned_malloc, VERSION
        export kmp_aligned_malloc_, VERSION
        export kmp_calloc, VERSION
        export kmp_calloc_, VERSION
        export kmp_create_affinity_mask, VERSION
        export_as kmp_create_affinity_mask_, kmp_create_affinity_mask, VERSION
        export kmp_destroy_affinity_mask, VERSION
        export_as kmp_destroy_affinity_mask_, kmp_destroy_affinity_mask, VERSION
        export kmp_free, VERSION
        export kmp_free_, VERSION
        export kmp_get_affinity, VERSION
        export_as kmp_get_affinity_, kmp_get_affinity, VERSION
        export kmp_get_affinity_mask_proc, VERSION
        export kmp_get_affinity_mask_proc_, VERSION
        export kmp_get_affinity_max_proc, VERSION
        export_as kmp_get_affinity_max_proc_, kmp_get_affinity_max_proc, VERSION
        export kmp_get_blocktime, VERSION
        export_as kmp_get_blocktime_, kmp_get_blocktime, VERSION
        export kmp_get_library, VERSION
        export_as kmp_get_library_, kmp_get_library, VERSION
        export kmp_get_num_known_threads, VERSION
        export_as kmp_get_num_known_threads_, kmp_get_num_known_threads, VERSION
        export kmp_get_stacksize, VERSION
        export_as kmp_get_stacksize_, kmp_get_stacksize, VERSION
        export kmp_get_stacksize_s, VERSION
        export_as kmp_get_stacksize_s_, kmp_get_stacksize_s, VERSION
        export kmp_malloc, VERSION
        export kmp_malloc_, VERSION
        export kmp_realloc, VERSION
        export kmp_realloc_, VERSION
        export kmp_set_affinity, VERSION
        export_as kmp_set_affinity_, kmp_set_affinity, VERSION
        export kmp_set_affinity_mask_proc, VERSION
        export kmp_set_affinity_mask_proc_, VERSION
        export kmp_set_blocktime, VERSION
        export kmp_set_blocktime_, VERSION
        export kmp_set_defaults, VERSION
        export kmp_set_defaults_, VERSION
        export kmp_set_disp_num_buffers, VERSION
        export kmp_set_disp_num_buffers_, VERSION
        export kmp_set_library, VERSION
        export kmp_set_library_, VERSION
        export kmp_set_library_serial, VERSION
        export_as kmp_set_library_serial_, kmp_set_library_serial, VERSION
        export kmp_set_library_throughput, VERSION
        export_as kmp_set_library_throughput_, kmp_set_library_throughput, VERSION
        export kmp_set_library_turnaround, VERSION
        export_as kmp_set_library_turnaround_, kmp_set_library_turnaround, VERSION
        export kmp_set_stacksize, VERSION
        export kmp_set_stacksize_, VERSION
        export kmp_set_stacksize_s, VERSION
        export kmp_set_stacksize_s_, VERSION
        export kmp_set_thread_affinity_mask_initial, VERSION
        export kmp_set_warnings_off, VERSION
        export_as kmp_set_warnings_off_, kmp_set_warnings_off, VERSION
        export kmp_set_warnings_on, VERSION
        export_as kmp_set_warnings_on_, kmp_set_warnings_on, VERSION
        export kmp_unset_affinity_mask_proc, VERSION
        export kmp_unset_affinity_mask_proc_, VERSION
        export_as kmpc_aligned_malloc, kmp_aligned_malloc, VERSION
        export_as kmpc_calloc, kmp_calloc, VERSION
        export_as kmpc_free, kmp_free, VERSION
        export_as kmpc_get_affinity_mask_proc, kmp_get_affinity_mask_proc, VERSION
        export_as kmpc_malloc, kmp_malloc, VERSION
        export_as kmpc_realloc, kmp_realloc, VERSION
        export_as kmpc_set_affinity_mask_proc, kmp_set_affinity_mask_proc, VERSION
        export_as kmpc_set_blocktime, kmp_set_blocktime, VERSION
        export_as kmpc_set_defaults, kmp_set_defaults, VERSION
        export_as kmpc_set_disp_num_buffers, kmp_set_disp_num_buffers, VERSION
        export_as kmpc_set_library, kmp_set_library, VERSION
        export_as kmpc_set_stacksize, kmp_set_stacksize, VERSION
        export_as kmpc_set_stacksize_s, kmp_set_stacksize_s, VERSION
        export_as kmpc_unset_affinity_mask_proc, kmp_unset_affinity_mask_proc, VERSION

// GCC calls these.
        export GOMP_alloc, GOMP_5.0.1, VERSION
        export GOMP_atomic_end, GOMP_1.0, VERSION
        export GOMP_atomic_start, GOMP_1.0, VERSION
        export GOMP_critical_end, GOMP_1.0, VERSION
        export GOMP_critical_name_end, GOMP_1.0, VERSION
        export GOMP_critical_name_start, GOMP_1.0, VERSION
        export GOMP_critical_start, GOMP_1.0, VERSION
        export GOMP_free, GOMP_5.0.1, VERSION

// Clang calls these.
        export __kmpc_aligned_alloc, VERSION
        export __kmpc_alloc, VERSION
        export __kmpc_atomic_end, VERSION
        export __kmpc_atomic_start, VERSION
        export __kmpc_calloc, VERSION
        export __kmpc_critical, VERSION
        export __kmpc_critical_with_hint, VERSION
        export __kmpc_destroy_allocator, VERSION
        export __kmpc_destroy_lock, VERSION
        export __kmpc_destroy_nest_lock, VERSION
        export __kmpc_end_critical, VERSION
        export __kmpc_free, VERSION
        export __kmpc_get_default_allocator, VERSION
        export __kmpc_init_allocator, VERSION
        export __kmpc_init_lock, VERSION
        export __kmpc_init_lock_with_hint, VERSION
        export __kmpc_init_nest_lock, VERSION
        export __kmpc_init_nest_lock_with_hint, VERSION
        export __kmpc_realloc, VERSION
        export __kmpc_set_default_allocator, VERSION
        export __kmpc_set_lock, VERSION
        export __kmpc_set_nest_lock, VERSION
        export __kmpc_test_lock, VERSION
        export __kmpc_test_nest_lock, VERSION
        export __kmpc_unset_lock, VERSION
        export __kmpc_unset_nest_lock, VERSION

// Handles as objects, as libomp has them.
        constant omp_null_allocator, 0, VERSION
        constant omp_default_mem_alloc, 1, VERSION
        constant omp_large_cap_mem_alloc, 2, VERSION
        constant omp_const_mem_alloc, 3, VERSION
        constant omp_high_bw_mem_alloc, 4, VERSION
        constant omp_low_lat_mem_alloc, 5, VERSION
        constant omp_cgroup_mem_alloc, 6, VERSION
        constant omp_pteam_mem_alloc, 7, VERSION
        constant omp_thread_mem_alloc, 8, VERSION
        constant omp_default_mem_space, 0, VERSION
        constant omp_large_cap_mem_space, 1, VERSION
        constant omp_const_mem_space, 2, VERSION
        constant omp_high_bw_mem_space, 3, VERSION
        constant omp_low_lat_mem_space, 4, VERSION
