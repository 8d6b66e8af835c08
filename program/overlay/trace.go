package overlay

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed hooks/trace.go.txt
var traceHook string

// traces has package runtime name what has happened in a run, by operations that do not commute. What points do not show is noted here: how
// goroutines that have waited go on, what wakes them, timers, the clock, random numbers.
func traces(o *release) {
	note := func(file, signature, call string) { o.open(file).enter(signature, call) }
	for _, p := range [][3]string{
		{"runtime/proc.go", "func ready(gp *g, traceskip int, next bool)", "contendWakes(gp)"},
		{"runtime/chan.go", "func chanlen(c *hchan) int", "contendLen(c)"},
		{"runtime/sema.go", "func semacquire1(addr *uint32, lifo bool, profile semaProfileFlags, skipframes int, reason waitReason)", "contendSema(unsafe.Pointer(addr))"},
		{"runtime/sema.go", "func semrelease1(addr *uint32, handoff bool, skipframes int)", "contendSema(unsafe.Pointer(addr))"},
		{"runtime/sema.go", "func notifyListAdd(l *notifyList) uint32", "contendSema(unsafe.Pointer(l))"},
		{"runtime/sema.go", "func notifyListWait(l *notifyList, t uint32)", "contendSema(unsafe.Pointer(l))"},
		{"runtime/sema.go", "func notifyListNotifyAll(l *notifyList)", "contendSema(unsafe.Pointer(l))"},
		{"runtime/sema.go", "func notifyListNotifyOne(l *notifyList)", "contendSema(unsafe.Pointer(l))"},
		{"runtime/time.go", "func (t *timer) stop() bool", "contendTimerDoes()"},
		{"runtime/time.go", "func (t *timer) modify(when, period int64, f func(arg any, seq uintptr, delay int64), arg any, seq uintptr) bool", "contendTimerDoes()"},
		{"runtime/time.go", "func (t *timer) unlockAndRun(now int64, bubble *synctestBubble)", "contendFires()"},
		{"runtime/time_nofake.go", "func nanotime() int64", "contendClockRead()"},
		{"runtime/rand.go", "func rand() uint64", "if contendRoot != 0 { return contendRolls() }"},
		// What these tell or do depends on more than operations and their order.
		{"runtime/debug.go", "func NumGoroutine() int", "contendUnknown()"},
		{"runtime/mprof.go", "func Stack(buf []byte, all bool) int", "contendUnknown()"},
		{"runtime/mgc.go", "func GC()", "contendUnknown()"},
		{"runtime/mstats.go", "func ReadMemStats(m *MemStats)", "contendUnknown()"},
		{"runtime/coro.go", "func newcoro(f func(*coro)) *coro", "contendUnknown()"},
		{"runtime/synctest.go", "func synctestRun(f func())", "contendUnknown()"},
	} {
		note(p[0], p[1], p[2])
	}
	goesOn := func(file, signature, waits, call string) { o.open(file).change(signature, waits, waits+"; "+call) }
	goesOn("runtime/sema.go", "func semacquire1(addr *uint32, lifo bool, profile semaProfileFlags, skipframes int, reason waitReason)",
		"goparkunlock(&root.lock, reason, traceBlockSync, 4+skipframes)", "contendSema(unsafe.Pointer(addr))")
	goesOn("runtime/chan.go", "func chanrecv(c *hchan, ep unsafe.Pointer, block bool) (selected, received bool)",
		"gopark(chanparkcommit, unsafe.Pointer(&c.lock), reason, traceBlockChanRecv, 2)", "contendReceived(c)")
	goesOn("runtime/select.go", selectgo, "gopark(selparkcommit, nil, waitReason, traceBlockSelect, 1)", "contendSelects(pollorder, scases)")
	var kinds strings.Builder
	kinds.WriteString("\nconst (\n")
	for _, k := range []struct {
		name string
		kind Kind
	}{{"Select", Select}, {"Receive", Receive}, {"Close", Close}, {"MapRead", MapRead}, {"AtomicLoad", AtomicLoad}, {"AtomicOr", AtomicOr}, {"Call", Call}, {"Sleep", Sleep}} {
		fmt.Fprintf(&kinds, "\tcontendKind%s = %d\n", k.name, k.kind)
	}
	kinds.WriteString(")\n")
	o.add(o.named("runtime/contend_trace"), traceHook+kinds.String())
}
