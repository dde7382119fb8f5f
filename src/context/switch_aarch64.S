// SPDX-License-Identifier: Apache-2.0
//
// Context switch for AArch64, AAPCS64. See context.hpp for what each move means.
//
// A saved context, as the stack pointer points to it (160 bytes, 16-byte aligned):
//
//      +0  x19 x20      +48  x25 x26      +96  d8  d9      +144 d14 d15
//     +16  x21 x22      +64  x27 x28     +112  d10 d11
//     +32  x23 x24      +80  x29 x30     +128  d12 d13
//
// x30 is the return address.

        .text

        .macro  save
        sub     sp, sp, #160
        stp     x19, x20, [sp, #0]
        stp     x21, x22, [sp, #16]
        stp     x23, x24, [sp, #32]
        stp     x25, x26, [sp, #48]
        stp     x27, x28, [sp, #64]
        stp     x29, x30, [sp, #80]
        stp     d8,  d9,  [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        .endm

        .macro  restore_and_return
        ldp     x19, x20, [sp, #0]
        ldp     x21, x22, [sp, #16]
        ldp     x23, x24, [sp, #32]
        ldp     x25, x26, [sp, #48]
        ldp     x27, x28, [sp, #64]
        ldp     x29, x30, [sp, #80]
        ldp     d8,  d9,  [sp, #96]
        ldp     d10, d11, [sp, #112]
        ldp     d12, d13, [sp, #128]
        ldp     d14, d15, [sp, #144]
        add     sp, sp, #160
        ret
        .endm

        .macro  function name
        .globl  \name
        .hidden \name
        .type   \name, %function
        .p2align 4
\name:
        .cfi_startproc
        hint    #34                     // bti c: a landing place for indirect calls
        .endm

        .macro  end name
        .cfi_endproc
        .size   \name, . - \name
        .endm

// void kasuri_context_start(void* top, void (*entry)(void*, saved), void* arg)
        function kasuri_context_start
        save
        mov     x9, x1                  // entry
        mov     x1, sp                  // second argument: the context left
        mov     sp, x0                  // the new stack
        mov     x0, x2                  // first argument: arg
        mov     x29, xzr                // end of the chain of frame pointers
        .cfi_undefined x30
        blr     x9
        brk     #1                      // entry never returns
        end kasuri_context_start

// void kasuri_context_switch(saved to, void (*after)(void*, saved), void* arg)
        function kasuri_context_switch
        save
        mov     x9, x1                  // after
        mov     x1, sp                  // second argument: the context left
        mov     sp, x0                  // the other stack
        mov     x0, x2                  // first argument: arg
        blr     x9
        restore_and_return
        end kasuri_context_switch

// void kasuri_context_jump(saved to, void (*after)(void*), void* arg)
        function kasuri_context_jump
        mov     sp, x0                  // the other stack; nothing here is kept
        mov     x9, x1                  // after
        mov     x0, x2                  // first argument: arg
        blr     x9
        restore_and_return
        end kasuri_context_jump

// void kasuri_context_call(void* top, saved (*entry)(void*), void* arg, saved* from)
        function kasuri_context_call
        save
        mov     x9, sp
        str     x9, [x3]                // the context left
        mov     sp, x0                  // the new stack
        mov     x9, x1                  // entry
        mov     x0, x2                  // first argument: arg
        mov     x29, xzr                // end of the chain of frame pointers
        .cfi_undefined x30
        blr     x9                      // gives the context left back
        mov     sp, x0
        restore_and_return
        end kasuri_context_call

// void kasuri_context_walk(saved at, void (*visit)(void*), void* arg)
        function kasuri_context_walk
        stp     x29, x30, [sp, #-32]!
        .cfi_adjust_cfa_offset 32
        .cfi_offset x29, -32
        .cfi_offset x30, -24
        str     x19, [sp, #16]
        .cfi_offset x19, -16
        mov     x19, x0
        .cfi_remember_state
        .cfi_def_cfa x19, 160           // as if the saved context had called this function
        .cfi_offset x19, -160
        .cfi_offset x20, -152
        .cfi_offset x21, -144
        .cfi_offset x22, -136
        .cfi_offset x23, -128
        .cfi_offset x24, -120
        .cfi_offset x25, -112
        .cfi_offset x26, -104
        .cfi_offset x27, -96
        .cfi_offset x28, -88
        .cfi_offset x29, -80
        .cfi_offset x30, -72
        mov     x0, x2                  // first argument: arg
        blr     x1
        .globl  kasuri_context_walk_returns
        .hidden kasuri_context_walk_returns
kasuri_context_walk_returns:
        .cfi_restore_state
        ldr     x19, [sp, #16]
        ldp     x29, x30, [sp], #32
        ret
        end kasuri_context_walk

        .section .note.GNU-stack, "", %progbits
