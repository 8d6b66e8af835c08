#include "textflag.h"

// Offsets in a slot: see slot.go, and what the guest's runtime has of them.
#define guest_sp 0
#define guest_g 8
#define host_sp 16
#define host_word 24
#define called 32
#define host_bp 104
#define busy 112
#define stopping 116
#define entry 120
#define stack 128
#define text 136
#define text_size 144
#define sig 152
#define info 160
#define ctx 288
#define stopped 592
#define running 596
#define ticks 600

// Where places are: see place.go.
#define place_bits 34
#define first_place 1024
#define places 960

// func enter(s *slot): jumps into the guest, until it jumps back. The word below FS is where Go keeps its g, here as there.
TEXT ·enter(SB),NOSPLIT|NOFRAME,$0-8
	MOVQ	s+0(FP), AX
	MOVQ	BP, host_bp(AX)
	MOVQ	-8(FS), DX
	MOVQ	DX, host_word(AX)
	MOVQ	SP, host_sp(AX)
	MOVQ	guest_g(AX), DX
	MOVQ	DX, -8(FS)
	MOVQ	guest_sp(AX), SP
	// What is left in registers may end in the guest's memory, which is to be the same each time.
	XORL	AX, AX
	XORL	DX, DX
	XORL	BX, BX
	XORL	CX, CX
	XORL	SI, SI
	XORL	DI, DI
	XORL	R8, R8
	XORL	R9, R9
	XORL	R10, R10
	XORL	R11, R11
	XORL	R12, R12
	XORL	R13, R13
	XORL	R14, R14
	XORL	R15, R15
	XORL	BP, BP
	XORPS	X0, X0
	XORPS	X1, X1
	XORPS	X2, X2
	XORPS	X3, X3
	XORPS	X4, X4
	XORPS	X5, X5
	XORPS	X6, X6
	XORPS	X7, X7
	XORPS	X8, X8
	XORPS	X9, X9
	XORPS	X10, X10
	XORPS	X11, X11
	XORPS	X12, X12
	XORPS	X13, X13
	XORPS	X14, X14
	XORPS	X15, X15
	RET

// aborted is where a thread goes on whose guest is not to go on: it returns from enter.
TEXT ·aborted(SB),NOSPLIT|NOFRAME,$0-0
	RET

// handler handles the signals of this process. It has the kernel's convention: DI is the signal, SI its siginfo, DX the ucontext.
TEXT ·handler(SB),NOSPLIT|NOFRAME|TOPFRAME,$0-0
	CMPL	DI, $26	// SIGVTALRM: a second of the process's CPU time is over
	JNE	whose
	PUSHQ	DI
	PUSHQ	SI
	PUSHQ	DX
	PUSHQ	BX
	PUSHQ	R12
	XORL	BX, BX
next:
	LEAQ	·slots(SB), R10
	MOVQ	(R10)(BX*8), R12
	INCQ	BX
	TESTQ	R12, R12
	JEQ	more
	CMPL	running(R12), $0
	JEQ	more
	INCL	ticks(R12)
	MOVL	·patience(SB), R10
	CMPL	ticks(R12), R10
	JLT	more
	// Nobody can run code without access: the next instruction is a fault. A guest that tells where it was has the same time again.
	MOVL	$0, ticks(R12)
	MOVL	$1, stopping(R12)
	MOVQ	text(R12), DI
	MOVQ	text_size(R12), SI
	XORL	DX, DX
	MOVQ	$10, AX	// mprotect
	SYSCALL
more:
	CMPQ	BX, $places
	JNE	next
	POPQ	R12
	POPQ	BX
	POPQ	DX
	POPQ	SI
	POPQ	DI
whose:
	// A fault of an access that the code of a place allows is a stop.
	CMPL	DI, $11	// SIGSEGV
	JNE	other
	CMPL	8(SI), $2	// SEGV_ACCERR
	JNE	other
	TESTQ	$2, 192(DX)	// the processor's error code of a write
	JNE	other
	MOVQ	16(SI), R10	// si_addr
	MOVQ	R10, CX
	SHRQ	$place_bits, CX
	SUBQ	$first_place, CX
	CMPQ	CX, $places
	JAE	other
	LEAQ	·slots(SB), R8
	MOVQ	(R8)(CX*8), R8
	TESTQ	R8, R8
	JEQ	other
	SUBQ	text(R8), R10
	CMPQ	R10, text_size(R8)
	JAE	other
	PUSHQ	SI
	PUSHQ	DX
	MOVQ	text(R8), DI
	MOVQ	text_size(R8), SI
	MOVQ	$5, DX	// read and execute
	MOVQ	$10, AX	// mprotect
	SYSCALL
	POPQ	R9
	POPQ	SI
	CMPL	stopping(R8), $0
	JEQ	resume
	MOVL	$0, stopping(R8)
	MOVQ	-8(FS), AX
	MOVQ	R8, CX
	XORQ	AX, CX
	SHRQ	$place_bits, CX
	JNE	postpone
	// The guest gets SIGQUIT, and so writes where it was.
	MOVL	$1, stopped(R8)
	MOVQ	$3, DI	// SIGQUIT
	JMP	its
postpone:
	// The word below FS is the host's, so the guest is at the end of contendYield. It stops a tick later, if the step goes on.
	MOVL	·patience(SB), R10
	DECL	R10
	MOVL	R10, ticks(R8)
resume:
	// Without a request the stop was that of an earlier step, which ended first.
	RET
other:
	MOVQ	-8(FS), AX
	MOVQ	AX, CX
	SHRQ	$place_bits, CX
	SUBQ	$first_place, CX
	CMPQ	CX, $places
	JAE	pass
	LEAQ	·slots(SB), R8
	MOVQ	(R8)(CX*8), R8
	TESTQ	R8, R8
	JEQ	pass
	// A guest runs. Is the signal its own?
	CMPL	8(SI), $0	// si_code
	JLE	host
	CMPL	DI, $4	// SIGILL
	JEQ	fault
	CMPL	DI, $5	// SIGTRAP
	JEQ	fault
	CMPL	DI, $7	// SIGBUS
	JEQ	fault
	CMPL	DI, $8	// SIGFPE
	JEQ	fault
	CMPL	DI, $11	// SIGSEGV
	JEQ	fault
host:
	// The host's handler sees the host's g.
	PUSHQ	AX
	MOVQ	host_word(R8), R9
	MOVQ	R9, -8(FS)
	LEAQ	·handlers(SB), R10
	MOVQ	(R10)(DI*8), R10
	CALL	R10
	POPQ	AX
	MOVQ	AX, -8(FS)
	RET
pass:
	LEAQ	·handlers(SB), R10
	MOVQ	(R10)(DI*8), R10
	JMP	R10
fault:
	MOVQ	DX, R9
	// No access to the region is a fault but to pages of a mapping beyond the end of its file, which is SIGBUS.
	CMPL	DI, $11	// SIGSEGV
	JNE	its
	CMPL	8(SI), $2	// SEGV_ACCERR, as BUS_ADRERR
	JNE	its
	MOVQ	16(SI), R10	// si_addr
	MOVQ	R10, CX
	XORQ	R8, CX
	SHRQ	$place_bits, CX
	JNE	its
	BTQ	$32, R10
	JCS	beyond
	BTQ	$33, R10
	JCC	its
beyond:
	MOVL	$7, DI	// SIGBUS
	MOVL	DI, 0(SI)	// si_signo
its:
	CMPL	busy(R8), $0
	JNE	abort
	MOVQ	stack(R8), R10
	TESTQ	R10, R10
	JEQ	abort
	MOVL	$1, busy(R8)
	MOVQ	DI, sig(R8)
	// Copy siginfo and ucontext, and go on with the guest's handler on its own stack for signals.
	LEAQ	info(R8), DI
	MOVQ	$16, CX
	CLD
	REP; MOVSQ
	MOVQ	R9, SI
	LEAQ	ctx(R8), DI
	MOVQ	$38, CX
	REP; MOVSQ
	MOVQ	R10, 160(R9)	// RSP
	MOVQ	entry(R8), R10
	MOVQ	R10, 168(R9)	// RIP
	RET
abort:
	// Return from enter.
	MOVQ	168(R9), R10
	MOVQ	R10, (called+8)(R8)
	MOVQ	DI, (called+16)(R8)
	MOVQ	$-1, R10
	MOVQ	R10, called(R8)
	MOVQ	host_word(R8), R10
	MOVQ	R10, -8(FS)
	MOVQ	host_sp(R8), R10
	MOVQ	R10, 160(R9)
	MOVQ	host_bp(R8), R10
	MOVQ	R10, 120(R9)	// RBP
	LEAQ	·aborted(SB), R10
	MOVQ	R10, 168(R9)
	RET

// func handlerAddress() uintptr
TEXT ·handlerAddress(SB),NOSPLIT,$0-8
	LEAQ	·handler(SB), AX
	MOVQ	AX, ret+0(FP)
	RET

// restorer ends a handler.
TEXT ·restorer(SB),NOSPLIT|NOFRAME,$0-0
	MOVQ	$15, AX	// rt_sigreturn
	SYSCALL
	INT	$3
