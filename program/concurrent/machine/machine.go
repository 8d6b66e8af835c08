//go:build !wasip1

package machine

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"contend/program/concurrent/schedule"
)

// A Driver schedules the goroutines of the runs of a test. Goroutines have numbers, 0 for the one that runs the body, in the order in which they
// are created.
type Driver interface {
	// Next says which run comes next.
	Next() Next
	// Point, Pick and Case give the place of what is chosen, or less than 0 to end the program. At a point state names what the goroutine has on its
	// stack, 0 if that is not known, and timer tells whether a timer is set. The place behind the last goroutine has time go on.
	Point(kind uint32, object uint64, goroutines []int, state uint32, timer bool) int
	Pick(goroutines []int) int
	Case(of int) int
	// Traced names what has happened in the run, and what can run, before the next choice. Two runs in which that has the same name go on in the same ways. It is 0 if
	// that is not known.
	Traced(trace uint64)
	// Where tells where the next point is.
	Where(function, file string, line int)
	// Waits tells that all goroutines wait, and some for a timer. It returns how the run goes on.
	Waits(schedule.Sleeping) schedule.Course
	// Ended is called at the end of a run, unless the program ends, with a mask of what is noted of the run: see package concurrent.
	Ended(outcome uint32, text string, notes uint32)
	// Refused is called when the body does what it cannot do, with a sentence without its subject.
	Refused(does string)
	// Raced tells that the run ended at a data race, and the program with it.
	Raced(text string)
}

// Next is what a driver wants of the next run.
type Next struct {
	Another bool   // there is one
	Places  bool   // the places of points are told in it
	Fresh   bool   // it begins as the first run did, whatever was left behind since
	Seed    uint64 // of random numbers
}

// An Exit is how a program ended.
type Exit struct {
	Code   uint32
	Output string // the end of what it wrote since the last run began
	Err    error  // of the machine itself
}

// instance is a program that runs.
type instance struct {
	driver Driver
	main   uint64 // the runtime's id of goroutine 0; 0 outside of runs
	now    int64  // nanoseconds
	output tail
	calls  atomic.Uint64
	memory memory
	room   []int
	next   Next
	random *rand.ChaCha8
	state  state
	others int   // how often in a row the next timer was of no goroutine of the run
	tick   int64 // by how much time goes on where it must and no timer is known
}

type key struct{}

// Run runs a test.
func (p *Program) Run(test, pattern string, d Driver) Exit {
	in := &instance{driver: d, now: 1, random: rand.NewChaCha8([32]byte{1})}
	config := wazero.NewModuleConfig()
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); name != "" && name != "GODEBUG" && !strings.Contains(value, "\x00") {
			config = config.WithEnv(name, value)
		}
	}
	config = config.WithName("").WithArgs("test", "-test.run="+pattern, "-test.v").
		WithEnv("PWD", p.dir).WithEnv(Name, test).WithEnv("GODEBUG", "gcshrinkstackoff=1"). // see state
		WithStdout(&in.output).WithStderr(&in.output).WithRandSource(in.random).
		WithWalltime(func() (int64, int32) { return start + in.now/1e9, int32(in.now % 1e9) }, 1).
		WithNanotime(func() int64 { return in.now }, 1).
		WithNanosleep(in.sleep).WithFSConfig(in.mounted()).WithStartFunctions()
	ctx := context.WithValue(context.Background(), key{}, in)
	defer in.watch(test)()
	defer in.memory.hold()()
	module, err := in.state.instantiate(ctx, p, config)
	if err == nil {
		_, err = module.ExportedFunction("_start").Call(ctx)
	}
	if module != nil {
		_ = module.Close(ctx)
	}
	e := Exit{Output: in.output.String()}
	if exit, is := err.(*sys.ExitError); is {
		e.Code = exit.ExitCode()
	} else {
		e.Err = err
	}
	if e.Err != nil && in.state.globals != nil && in.state.globals.Spent() {
		e.Code, e.Err = Ended, fmt.Errorf("a goroutine loops, and reaches no point at which another one could run")
	}
	return e
}

// Name is the environment variable that names the test.
const Name = "CONTEND_TEST"

// start is what the clock shows at first, in seconds since 1970.
const start = 1_700_000_000

// Stuck is after how long without a point a program is given up.
const Stuck = time.Minute

// watch ends the process when a program reaches no point for long, since it cannot be stopped. The result ends the watch.
func (in *instance) watch(test string) func() {
	done := make(chan struct{})
	go func() {
		last, tick := in.calls.Load(), time.NewTicker(Stuck)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			now := in.calls.Load()
			if now == last {
				fmt.Fprintf(os.Stderr, "%s: a goroutine runs for %v and reaches no point at which another one could run; what was written:\n%s\n", test, Stuck, in.output.String())
				os.Exit(1)
			}
			last = now
		}
	}()
	return func() { close(done) }
}

func (in *instance) sleep(ns int64) {
	in.calls.Add(1)
	if in.main == 0 { // else idle has had time go on
		in.now += max(ns, 0)
	}
}

// passes has time go on to an instant, or, where that is 0, by twice as much as the last time: goroutines wait in loops, and what they wait for may be
// the clock.
func (in *instance) passes(to int64) {
	if to > in.now {
		in.now, in.tick = to, leastTick
		return
	}
	in.tick = min(max(in.tick, leastTick)*2, mostTick)
	in.now += in.tick
}

// waitsForOthers reports whether timers fire first that are of no goroutine of the run, unless they have done so often enough.
func (in *instance) waitsForOthers(until, next int64) bool {
	if in.others++; next > until && in.others <= mostOthers {
		return true
	}
	in.others = 0
	return false
}

// mostOthers is how often in a row timers fire that are of no goroutine of the run, until time goes on to the next that is.
const mostOthers = 10

// Bounds of the ticks of a clock that goroutines wait for in loops, in nanoseconds.
const (
	leastTick = 1_000_000
	mostTick  = 3_600_000_000_000
)

// Ended is the exit code of a program that the driver ends, and Refused of a program that cannot go on with what the body does.
const (
	Ended   = 200
	Refused = 202
)

// took is a choice as the program takes it.
func (in *instance) took(place int) uint64 {
	if place < 0 {
		panic(sys.NewExitError(Ended))
	}
	return uint64(place)
}

// goroutines are the numbers of goroutines whose ids are in memory.
func (in *instance) goroutines(m api.Memory, at, n uint64) []int {
	ids, ok := m.Read(uint32(at), uint32(8*n))
	if !ok {
		panic("goroutines beyond memory")
	}
	in.room = in.room[:0]
	for ; len(ids) > 0; ids = ids[8:] {
		in.room = append(in.room, int(binary.LittleEndian.Uint64(ids)-in.main))
	}
	return in.room
}

func text(m api.Memory, at, n uint64) string {
	b, ok := m.Read(uint32(at), uint32(n))
	if !ok {
		panic("text beyond memory")
	}
	return string(b)
}

// functions are what a program imports from module contend; I stands for 64 bits, i for 32.
var functions = map[string]struct {
	takes, gives string
	do           func(in *instance, m api.Memory, a []uint64) uint64
}{
	"next": {"", "", func(in *instance, _ api.Memory, _ []uint64) uint64 {
		in.main = 0
		in.next = in.driver.Next()
		if !in.next.Another {
			return 0 // what the last run wrote is the end of what was written
		}
		in.memory.collect()
		in.output.reset()
		in.state.begins(in)
		return 0
	}},
	"kind": {"", "i", func(in *instance, _ api.Memory, _ []uint64) uint64 {
		switch {
		case !in.next.Another:
			return 0
		case in.next.Places:
			return 2
		}
		return 1
	}},
	"seed":  {"", "I", func(in *instance, _ api.Memory, _ []uint64) uint64 { return in.next.Seed }},
	"clock": {"I", "", func(in *instance, _ api.Memory, a []uint64) uint64 { in.passes(int64(a[0])); return 0 }},
	"idle": {"IIIiii", "i", func(in *instance, _ api.Memory, a []uint64) uint64 {
		until, next, once := int64(a[0]), int64(a[1]), int64(a[2])
		if in.main != 0 && !in.waitsForOthers(until, next) {
			until = next
			switch in.driver.Waits(schedule.Sleeping{Over: a[3] != 0, Once: once > 0, Later: once > until, Stuck: a[4] != 0, Ripe: a[5] != 0}) {
			case schedule.Ends:
				return 1
			case schedule.Cut:
				return 2
			case schedule.Skips:
				until = max(until, once)
			}
		}
		in.now = max(in.now, until)
		return 0
	}},
	"started": {"I", "", func(in *instance, _ api.Memory, a []uint64) uint64 { in.main = a[0]; return 0 }},
	"ended": {"iiiii", "", func(in *instance, m api.Memory, a []uint64) uint64 {
		in.main = 0
		in.state.left = in.state.left || a[3] != 0
		in.driver.Ended(uint32(a[0]), text(m, a[1], a[2]), uint32(a[4]))
		return 0
	}},
	"refused": {"iii", "", func(in *instance, m api.Memory, a []uint64) uint64 {
		if in.main == 0 {
			return 0
		}
		in.driver.Refused(text(m, a[0], a[1]))
		if a[2] != 0 {
			panic(sys.NewExitError(Refused))
		}
		return 0
	}},
	"raced": {"ii", "", func(in *instance, m api.Memory, a []uint64) uint64 {
		in.main = 0
		in.driver.Raced(text(m, a[0], a[1]))
		panic(sys.NewExitError(0))
	}},
	"pick": {"ii", "i", func(in *instance, m api.Memory, a []uint64) uint64 {
		if in.main == 0 {
			return 0
		}
		return in.took(in.driver.Pick(in.goroutines(m, a[1], a[0])))
	}},
	"point": {"iiiiii", "i", func(in *instance, m api.Memory, a []uint64) uint64 {
		if in.main == 0 {
			return 0
		}
		return in.took(in.driver.Point(uint32(a[0]), a[1], in.goroutines(m, a[3], a[2]), uint32(a[4]), a[5] != 0))
	}},
	"choose": {"i", "i", func(in *instance, _ api.Memory, a []uint64) uint64 {
		if in.main == 0 {
			return 0
		}
		return in.took(in.driver.Case(int(a[0])))
	}},
	"traced": {"I", "", func(in *instance, _ api.Memory, a []uint64) uint64 {
		if in.main != 0 {
			in.driver.Traced(a[0])
		}
		return 0
	}},
	"where": {"iiiii", "", func(in *instance, m api.Memory, a []uint64) uint64 {
		if in.main != 0 {
			in.driver.Where(text(m, a[0], a[1]), text(m, a[2], a[3]), int(a[4]))
		}
		return 0
	}},
}

func types(letters string) (all []api.ValueType) {
	for _, c := range letters {
		if c == 'I' {
			all = append(all, api.ValueTypeI64)
		} else {
			all = append(all, api.ValueTypeI32)
		}
	}
	return all
}

// define defines what programs import.
func define(ctx context.Context, r wazero.Runtime) error {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return err
	}
	b := r.NewHostModuleBuilder("contend")
	for name, f := range functions {
		call := func(ctx context.Context, mod api.Module, stack []uint64) {
			for i, c := range f.takes {
				if c == 'i' {
					stack[i] &= 0xffffffff // the upper half may hold anything
				}
			}
			in := ctx.Value(key{}).(*instance)
			in.calls.Add(1)
			in.state.globals.Refuel()
			is := f.do(in, mod.Memory(), stack)
			if f.gives != "" {
				stack[0] = is
			}
		}
		b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(call), types(f.takes), types(f.gives)).Export(name)
	}
	_, err := b.Instantiate(ctx)
	return err
}
