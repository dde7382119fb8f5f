// SPDX-License-Identifier: Apache-2.0
//
// Calls of the C library in which the kernel has to know the OS thread, and one that asks for the stack of
// the caller: see abi/omp/pthread_calls.cpp. Under
// the nodes that they have had there on x86-64 and AArch64, and never as a default: a linker binds to the C library's.
#include "omp/exports/macros.inc"

        .macro  instead name:req, nodes:vararg
        .hidden kasuri_\name
        .irp    node, \nodes
        row_label \name\().\node
        jump    kasuri_\name
        row_end \name\().\node
        give_other \name\().\node, \name, \node
        .endr
        .endm

        // Straight on to the C library's but for mutexes of which the kernel knows the owner: bit 5 of their kind.
        .macro  unless_kernels name:req, nodes:vararg
        .hidden kasuri_\name, kasuri_omp_real_\name
        .irp    node, \nodes
        row_label \name\().\node
        jump_by_bit kasuri_\name, kasuri_omp_real_\name, 16, 5
        row_end \name\().\node
        give_other \name\().\node, \name, \node
        .endr
        .endm

        unless_kernels pthread_mutex_lock, GLIBC_2.2.5, GLIBC_2.17
        unless_kernels pthread_mutex_trylock, GLIBC_2.2.5, GLIBC_2.17, GLIBC_2.34
        instead pthread_mutex_timedlock, GLIBC_2.2.5, GLIBC_2.17, GLIBC_2.34
        instead pthread_mutex_clocklock, GLIBC_2.30, GLIBC_2.34
        unless_kernels pthread_mutex_unlock, GLIBC_2.2.5, GLIBC_2.17
        instead pthread_cond_wait, GLIBC_2.3.2, GLIBC_2.17
        instead pthread_cond_timedwait, GLIBC_2.3.2, GLIBC_2.17
        instead pthread_cond_clockwait, GLIBC_2.30, GLIBC_2.34
        instead pthread_setaffinity_np, GLIBC_2.3.4, GLIBC_2.17, GLIBC_2.34
        instead pthread_getaffinity_np, GLIBC_2.3.4, GLIBC_2.17, GLIBC_2.32
        instead pthread_getcpuclockid, GLIBC_2.2.5, GLIBC_2.17, GLIBC_2.34
        instead pthread_setschedparam, GLIBC_2.2.5, GLIBC_2.17
        instead pthread_getschedparam, GLIBC_2.2.5, GLIBC_2.17
        instead pthread_getattr_np, GLIBC_2.2.5, GLIBC_2.17, GLIBC_2.32
        instead pthread_setschedprio, GLIBC_2.3.4, GLIBC_2.17, GLIBC_2.34
