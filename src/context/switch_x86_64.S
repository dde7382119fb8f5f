// SPDX-License-Identifier: Apache-2.0
//
// Context switch for x86-64, System V ABI. See context.hpp for what each move means.
//
// A saved context, as the stack pointer points to it:
//
//      +0  r15
//      +8  r14
//     +16  r13
//     +24  r12
//     +32  rbx
//     +40  rbp
//     +48  return address
//
// At every call below rsp is a multiple of 16: a context saved in a function entered with
// rsp = 16n + 8 lies at 16n - 40, that is 8 more than a multiple of 16.

        .text

        .macro  save                    // the six registers that a callee must keep
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        .endm

        .macro  restore_and_return
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        ret
        .endm

        .macro  function name
        .globl  \name
        .hidden \name
        .type   \name, @function
        .p2align 4
\name:
        .cfi_startproc
        endbr64
        .endm

        .macro  end name
        .cfi_endproc
        .size   \name, . - \name
        .endm

// void kasuri_context_start(void* top, void (*entry)(void*, saved), void* arg)
        function kasuri_context_start
        save
        movq    %rsi, %rcx              // entry
        movq    %rsp, %rsi              // second argument: the context left
        movq    %rdi, %rsp              // the new stack
        movq    %rdx, %rdi              // first argument: arg
        xorl    %ebp, %ebp              // end of the chain of frame pointers
        .cfi_undefined rip              // and of the unwinder's walk
        call    *%rcx
        ud2                             // entry never returns
        end kasuri_context_start

// void kasuri_context_switch(saved to, void (*after)(void*, saved), void* arg)
        function kasuri_context_switch
        save
        movq    %rsi, %rcx              // after
        movq    %rsp, %rsi              // second argument: the context left
        movq    %rdi, %rsp              // the other stack
        movq    %rdx, %rdi              // first argument: arg
        subq    $8, %rsp                // alignment
        call    *%rcx
        addq    $8, %rsp
        restore_and_return
        end kasuri_context_switch

// void kasuri_context_jump(saved to, void (*after)(void*), void* arg)
        function kasuri_context_jump
        movq    %rdi, %rsp              // the other stack; nothing here is kept
        movq    %rdx, %rdi              // first argument: arg
        subq    $8, %rsp                // alignment
        call    *%rsi                   // after
        addq    $8, %rsp
        restore_and_return
        end kasuri_context_jump

// void kasuri_context_call(void* top, saved (*entry)(void*), void* arg, saved* from)
        function kasuri_context_call
        save
        movq    %rsp, (%rcx)            // the context left
        movq    %rdi, %rsp              // the new stack
        movq    %rdx, %rdi              // first argument: arg
        xorl    %ebp, %ebp              // end of the chain of frame pointers
        .cfi_undefined rip
        call    *%rsi                   // entry; gives the context left back
        movq    %rax, %rsp
        restore_and_return
        end kasuri_context_call

// void kasuri_context_walk(saved at, void (*visit)(void*), void* arg)
        function kasuri_context_walk
        pushq   %rbx
        .cfi_adjust_cfa_offset 8
        movq    %rdi, %rbx
        .cfi_remember_state
        .cfi_def_cfa %rbx, 56           // as if the saved context had called this function
        .cfi_offset %r15, -56
        .cfi_offset %r14, -48
        .cfi_offset %r13, -40
        .cfi_offset %r12, -32
        .cfi_offset %rbx, -24
        .cfi_offset %rbp, -16
        movq    %rdx, %rdi              // first argument: arg
        call    *%rsi
        .globl  kasuri_context_walk_returns
        .hidden kasuri_context_walk_returns
kasuri_context_walk_returns:
        .cfi_restore_state
        popq    %rbx
        ret
        end kasuri_context_walk

        .section .note.GNU-stack, "", @progbits
