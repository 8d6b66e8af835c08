package overlay

import (
	_ "embed"
	"fmt"
)

//go:embed hooks/runtime.go.txt
var runtimeHook string

// scheduler edits package runtime: which goroutine runs next, when the system is idle, channels and select.
func scheduler(o *release, bare string) {
	proc := o.open("runtime/proc.go")
	proc.body("func runqget(pp *p) (gp *g, inheritTime bool)", "return contendRunqget(pp), false")
	// Otherwise each 61st turn would take a goroutine of the global queue without asking.
	proc.change("func findRunnable() (gp *g, inheritTime, tryWakeP bool)", "pp.schedtick%61 == 0 && !sched.runq.empty()", "false")
	idle := o.open("runtime/lock_wasip1.go")
	if f := idle.function("func beforeIdle(int64, int64) (*g, bool)"); f != nil {
		idle.replace(f.Type.Params.Pos(), f.Type.Params.End(), "(_, pollUntil int64)")
		idle.replace(f.Body.Lbrace+1, f.Body.Lbrace+1, " return contendIdled(pollUntil), false;")
	}
	channels := o.open("runtime/chan.go")
	for signature, kind := range map[string]Kind{
		"func chansend(c *hchan, ep unsafe.Pointer, block bool, callerpc uintptr) bool":    Send,
		"func chanrecv(c *hchan, ep unsafe.Pointer, block bool) (selected, received bool)": Receive,
		"func closechan(c *hchan)": Close,
	} {
		channels.enter(signature, fmt.Sprintf("contendPoint(%d, uintptr(unsafe.Pointer(c)))", kind))
	}
	const selectgo = "func selectgo(cas0 *scase, order0 *uint16, pc0 *uintptr, nsends, nrecvs int, block bool) (int, bool)"
	selects := o.open("runtime/select.go")
	selects.enter(selectgo, fmt.Sprintf("contendPoint(%d, uintptr(unsafe.Pointer(cas0.c)))", Select))
	selects.change(selectgo, "cheaprandn(uint32(norder + 1))", "uint32(norder)")
	selects.change(selectgo, "pollorder = pollorder[:norder]", "pollorder = pollorder[:norder]; contendCase(pollorder, scases, nsends)")
	pointers := o.open("runtime/atomic_pointer.go")
	for _, name := range []string{"StoreUintptr", "StorePointer", "SwapUintptr", "SwapPointer", "CompareAndSwapUintptr", "CompareAndSwapPointer"} {
		pointers.line("//go:linkname sync_atomic_"+name+" sync/atomic."+name+"\n", "//go:linkname sync_atomic_"+name+" sync/atomic."+bare+name+"\n")
	}
	o.add("runtime/contend_wasip1.go", runtimeHook)
}
