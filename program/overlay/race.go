package overlay

import (
	_ "embed"
	"fmt"
	"go/ast"
	"strings"
)

// below is the prefix of the names of sync/atomic operations whose twins call the race detector.
const below = "contend"

//go:embed hooks/race.go.txt
var raceHook string

//go:embed hooks/norace.go.txt
var noRaceHook string

// watchHook is the function that the twins of package sync/atomic call.
const watchHook = `
//go:linkname contendAtomic runtime.contendAtomic
//go:noescape
func contendAtomic(addr unsafe.Pointer, kind uint8)
`

// races makes package runtime and the packages above it call the race detector as with -race.
func races(o *release, on bool) {
	if !on {
		o.add(o.named("runtime/contend_race"), noRaceHook+o.unmarked())
		return
	}
	const without, never = "//go:build !race\n", "//go:build contend_never\n"
	o.open("runtime/race0.go").line(without, never)
	o.open("internal/race/norace.go").line(without, never)
	o.open("internal/race/race.go").line("//go:build race\n", without)
	// The heap may be anywhere.
	o.open("runtime/malloc.go").line("if size == 0 {\n\t\tif raceenabled {", "if size == 0 {\n\t\tif false {")
	// The runtime's own dice would be thrown only here.
	o.open("runtime/proc.go").line("const randomizeScheduler = raceenabled\n", "const randomizeScheduler = false\n")
	o.open("sync/pool.go").change("func (p *Pool) Put(x any)", "runtime_randn(4) == 0", "false")
	// A timer that fires after another may fire on another P. In the runtime all timers of a P have one context.
	o.open("runtime/time.go").change("func (t *timer) unlockAndRun(now int64, bubble *synctestBubble)",
		"raceacquirectx(tsLocal.raceCtx, unsafe.Pointer(t))", "contendForgets(tsLocal.raceCtx); raceacquirectx(tsLocal.raceCtx, unsafe.Pointer(t))")
	o.add(o.named("runtime/contend_race"), raceHook)
	traces(o)
}

// watched returns the source of the twin of a function of package sync/atomic. It executes the operation, and
// calls the race detector.
func watched(s *source, f *ast.FuncDecl, bare string) string {
	call := fmt.Sprintf("%s%s(%s)", bare, f.Name.Name, strings.Join(arguments(f), ", "))
	tell := func(kind int) string { return fmt.Sprintf("contendAtomic(unsafe.Pointer(addr), %d); ", kind) }
	body := ""
	switch kindOf(f.Name.Name) {
	case AtomicLoad:
		body = tell(0) + "return " + call
	case AtomicStore:
		body = tell(1) + call
	case AtomicCompareAndSwap: // one that fails stores nothing
		body = "if " + call + " { " + tell(3) + "return true }; " + tell(0) + "return false"
	default:
		body = tell(3) + "return " + call
	}
	return fmt.Sprintf("\nfunc %s%s%s { %s }\n", raw, f.Name.Name, strings.TrimPrefix(s.code(f.Type), "func"), body)
}
