//go:build linux && amd64

package native

import "unsafe"

// A slot is what host and guest share. It is the guest's to write, so the host believes nothing of it that it has not set before it enters the guest.
// The assembly here and in the guest's runtime has its offsets.
type slot struct {
	guestSP  uintptr    // 0: of the guest while the host runs
	guestG   uintptr    // 8
	hostSP   uintptr    // 16: of the host while the guest runs
	hostWord uintptr    // 24
	called   uintptr    // 32: the system call that the guest makes, or aborts
	args     [6]uintptr // 40
	result   uintptr    // 88
	now      int64      // 96: the clock
	hostBP   uintptr    // 104
	busy     uint32     // 112: the guest handles a signal
	stopping uint32     // 116: it is to stop
	entry    uintptr    // 120: where it handles signals
	stack    uintptr    // 128: the end of its stack for signals
	text     uintptr    // 136: its code
	textSize uintptr    // 144
	sig      uintptr    // 152
	info     [128]byte  // 160
	ctx      [304]byte  // 288
	stopped  uint32     // 592: it was stopped
	running  uint32     // 596: a step is being taken
	ticks    uint32     // 600: of the timer, since the step began
}

// aborts is in the place of a system call if the guest cannot go on, not even by its runtime.
const aborts = ^uintptr(0)

func slotOf(b []byte) *slot { return (*slot)(unsafe.Pointer(unsafe.SliceData(b))) }

// enter jumps into the guest of a slot, until it asks something.
//
//go:noescape
func enter(s *slot)

func init() {
	if s := (*slot)(nil); unsafe.Offsetof(s.stopped) != 592 || unsafe.Offsetof(s.ctx) != 288 || unsafe.Offsetof(s.busy) != 112 {
		panic("native: the assembly has other offsets")
	}
}
