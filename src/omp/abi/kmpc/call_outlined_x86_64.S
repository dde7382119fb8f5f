// SPDX-License-Identifier: Apache-2.0
//
// void kasuri_omp_call_outlined(f, thread, bound, count, words, frame):
//     *frame = the frame pointer here; f(thread, bound, words[0], ...)
//
// All arguments are words. Six go in registers, the others on the stack, the last one first. The
// registers are loaded whether there are so many or not: the array has room.

        .text
        .globl  kasuri_omp_call_outlined
        .hidden kasuri_omp_call_outlined
        .type   kasuri_omp_call_outlined, @function
        .p2align 4
kasuri_omp_call_outlined:
        .cfi_startproc
        endbr64
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        movq    %rbp, (%r9)
        movq    %rdi, %r11              // f
        movq    %r8, %rax               // words
        movq    %rsi, %rdi
        movq    %rdx, %rsi
        leaq    -4(%rcx), %r10          // words for the stack
        testq   %r10, %r10
        jle     2f
        testb   $1, %r10b
        jz      1f
        subq    $8, %rsp                // alignment
1:      pushq   24(%rax, %r10, 8)       // words[4 + r10 - 1]
        decq    %r10
        jnz     1b
2:      movq    (%rax), %rdx
        movq    8(%rax), %rcx
        movq    16(%rax), %r8
        movq    24(%rax), %r9
        call    *%r11
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   kasuri_omp_call_outlined, . - kasuri_omp_call_outlined

        .section .note.GNU-stack, "", @progbits
