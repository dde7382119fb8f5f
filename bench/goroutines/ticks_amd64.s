// SPDX-License-Identifier: Apache-2.0
#include "textflag.h"

// func ticks() uint64: the cycle counter.
TEXT ·ticks(SB), NOSPLIT, $0-8
	RDTSC
	SHLQ $32, DX
	ORQ DX, AX
	MOVQ AX, ret+0(FP)
	RET
