// SPDX-License-Identifier: Apache-2.0
//
// void kasuri_omp_call_outlined(f, thread, bound, count, words, frame):
//     *frame = the frame pointer here; f(thread, bound, words[0], ...)
//
// All arguments are words. Eight go in registers, the others on the stack, the first one lowest. The
// registers are loaded whether there are so many or not: the array has room.

        .text
        .globl  kasuri_omp_call_outlined
        .hidden kasuri_omp_call_outlined
        .type   kasuri_omp_call_outlined, %function
        .p2align 4
kasuri_omp_call_outlined:
        .cfi_startproc
        hint    #34                     // bti c
        stp     x29, x30, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset 29, -16
        .cfi_offset 30, -8
        mov     x29, sp
        .cfi_def_cfa_register 29
        str     x29, [x5]
        mov     x16, x0                 // f
        mov     x17, x4                 // words
        mov     x0, x1
        mov     x1, x2
        subs    x9, x3, #6              // words for the stack
        b.le    2f
        add     x10, x9, #1             // an even number of slots
        and     x10, x10, #-2
        sub     sp, sp, x10, lsl #3
        add     x11, x17, #48
1:      sub     x9, x9, #1
        ldr     x12, [x11, x9, lsl #3]
        str     x12, [sp, x9, lsl #3]
        cbnz    x9, 1b
2:      ldp     x2, x3, [x17]
        ldp     x4, x5, [x17, #16]
        ldp     x6, x7, [x17, #32]
        blr     x16
        mov     sp, x29
        ldp     x29, x30, [sp], #16
        .cfi_def_cfa sp, 0
        ret
        .cfi_endproc
        .size   kasuri_omp_call_outlined, . - kasuri_omp_call_outlined

        .section .note.GNU-stack, "", %progbits
