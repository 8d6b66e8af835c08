package overlay

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed hooks/runtime.go.txt
var runtimeHook string

const selectgo = "func selectgo(cas0 *scase, order0 *uint16, pc0 *uintptr, nsends, nrecvs int, block bool) (int, bool)"

// scheduler edits package runtime: which goroutine runs next, when the system is idle, channels and select.
func scheduler(o *release, bare string) {
	proc := o.open("runtime/proc.go")
	proc.body("func runqget(pp *p) (gp *g, inheritTime bool)", "return contendRunqget(pp), false")
	// Otherwise each 61st turn would take a goroutine of the global queue without asking.
	proc.change("func findRunnable() (gp *g, inheritTime, tryWakeP bool)", "pp.schedtick%61 == 0 && !sched.runq.empty()", "false")
	idle := o.open(o.locks())
	if f := idle.function("func beforeIdle(int64, int64) (*g, bool)"); f != nil {
		idle.replace(f.Type.Params.Pos(), f.Type.Params.End(), "(_, pollUntil int64)")
		idle.replace(f.Body.Lbrace+1, f.Body.Lbrace+1, " return contendIdled(pollUntil), false;")
	}
	if o.native {
		clocks(o)
	} else { // package os/signal waits for signals by asking again and again, and none comes
		idle.enter("func notetsleepg(n *note, ns int64) bool", "if ns < 0 && n.key == 0 { gopark(nil, nil, waitReasonZero, traceBlockGeneric, 1) }")
	}
	o.add(o.named("runtime/contend_asks"), o.asks())
	channels := o.open("runtime/chan.go")
	for signature, kind := range map[string]Kind{
		"func chansend(c *hchan, ep unsafe.Pointer, block bool, callerpc uintptr) bool":    Send,
		"func chanrecv(c *hchan, ep unsafe.Pointer, block bool) (selected, received bool)": Receive,
		"func closechan(c *hchan)": Close,
	} {
		channels.enter(signature, fmt.Sprintf("contendPoint(%d, uintptr(unsafe.Pointer(c)))", kind))
	}
	selects := o.open("runtime/select.go")
	selects.enter(selectgo, fmt.Sprintf("contendPoint(%d, uintptr(unsafe.Pointer(cas0.c)))", Select))
	selects.change(selectgo, "cheaprandn(uint32(norder + 1))", "uint32(norder)")
	selects.change(selectgo, "pollorder = pollorder[:norder]", "pollorder = pollorder[:norder]; contendCase(pollorder, scases, nsends)")
	after := func(file, signature string, kind Kind, object string) {
		o.open(file).leave(signature, fmt.Sprintf("contendAfter(%d, %s)", kind, object))
	}
	after("runtime/chan.go", "func chansend1(c *hchan, elem unsafe.Pointer)", AfterSend, "uintptr(unsafe.Pointer(c))")
	after("runtime/chan.go", "func closechan(c *hchan)", AfterClose, "uintptr(unsafe.Pointer(c))")
	after("runtime/proc.go", "func newproc(fn *funcval)", AfterGo, "0")
	proc.enter("func Gosched()", fmt.Sprintf("contendWaits(%d)", Yield))
	settings := o.open("internal/godebug/godebug.go")
	settings.enter("func (s *Setting) Value() string", "contendHush(1); defer contendHush(-1)")
	o.add(o.named("internal/godebug/contend"), "package godebug\n\nimport _ \"unsafe\"\n\n//go:linkname contendHush runtime.contendHush\nfunc contendHush(by int32)\n")
	timers := o.open("runtime/time.go")
	timers.enter("func timeSleep(ns int64)", fmt.Sprintf("contendWaits(%d)", Sleep))
	timers.enter("func (t *timer) modify(when, period int64, f func(arg any, seq uintptr, delay int64), arg any, seq uintptr) bool", "contendSets(t)")
	for _, name := range []string{"math/rand/rand.go", "math/rand/v2/rand.go"} {
		o.open(name).line("//go:linkname runtime_rand runtime.rand\n", "//go:linkname runtime_rand runtime.contendRand\n")
	}
	pointers := o.open("runtime/atomic_pointer.go")
	for _, name := range []string{"StoreUintptr", "StorePointer", "SwapUintptr", "SwapPointer", "CompareAndSwapUintptr", "CompareAndSwapPointer"} {
		pointers.line("//go:linkname sync_atomic_"+name+" sync/atomic."+name+"\n", "//go:linkname sync_atomic_"+name+" sync/atomic."+bare+name+"\n")
	}
	channel := "sg.c" // before Go 1.26
	if strings.Contains(string(o.open("runtime/runtime2.go").text), "maybeTraceableChan") {
		channel = "sg.c.get()"
	}
	o.open("internal/runtime/maps/table.go").change("func (it *Iter) Init(typ *abi.MapType, m *Map)", "it.entryOffset = rand()", "it.entryOffset = contendOrder(m.used)")
	o.add(o.named("internal/runtime/maps/contend"), "package maps\n\nimport _ \"unsafe\"\n\n//go:linkname contendOrder runtime.contendOrder\nfunc contendOrder(entries uint64) uint64\n")
	o.add(o.named("runtime/contend"), strings.NewReplacer("CHANNEL", channel, "STANDARD", o.standard()).Replace(runtimeHook))
}

// standard lists the first elements of the names of the standard library's packages, as Go writes the elements of an array.
func (o *release) standard() string {
	entries, err := os.ReadDir(filepath.Join(o.goroot, "src"))
	if err != nil {
		o.err = &missing{"src", "cannot be read"}
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && e.Name() != "cmd" && e.Name() != "testdata" {
			names = append(names, strconv.Quote(e.Name()))
		}
	}
	return strings.Join(names, ", ")
}
