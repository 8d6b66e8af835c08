//go:build !wasip1 && !contend_native

package machine

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"

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
	start  int64  // of the first run
	output tail
	calls  atomic.Uint64
	room   []int
	next   Next
	random *rand.ChaCha8
	state  state
	left   bool  // a run has left something behind since the state was kept or restored
	others int   // how often in a row the next timer was of no goroutine of the run
	tick   int64 // by how much time goes on where it must and no timer is known
}

// state is what a program is in memory. It is kept as the first run begins, and restored where a run is to begin as that one did: after a run that
// left goroutines or timers behind, or before each run of a body that does not do the same twice.
type state interface {
	keep()
	restore()
}

func newInstance(d Driver) *instance {
	return &instance{driver: d, now: 1, random: rand.NewChaCha8([32]byte{1})}
}

// begins begins a run.
func (in *instance) begins() {
	switch {
	case in.start == 0:
		in.start = in.now
		in.state.keep()
	case in.left || in.next.Fresh:
		in.state.restore()
		in.left = false
	}
	in.now, in.tick = in.start, 0
	in.random.Seed([32]byte{1})
}

// Run runs a test.
func (p *Program) Run(test, pattern string, d Driver) Exit { return p.guest.run(test, pattern, d) }

// environment is that of a test.
func environment(dir, test string) (all []string) {
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); name != "" && !slices.Contains([]string{"GODEBUG", "PWD", Name}, name) && !strings.Contains(value, "\x00") {
			all = append(all, variable)
		}
	}
	return append(all, "PWD="+dir, Name+"="+test, "GODEBUG=gcshrinkstackoff=1") // see linear
}

// arguments are those of a test.
func arguments(pattern string) []string { return []string{"test", "-test.run=" + pattern, "-test.v"} }

// Name is the environment variable that names the test.
const Name = "CONTEND_TEST"

// start is what the clock shows at first, in seconds since 1970.
const start = 1_700_000_000

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

// memory is that of a program.
type memory interface {
	read(at, n uint64) []byte
}

// goroutines are the numbers of goroutines whose ids are in memory.
func (in *instance) goroutines(m memory, at, n uint64) []int {
	ids := m.read(at, 8*n)
	in.room = in.room[:0]
	for ; len(ids) > 0; ids = ids[8:] {
		in.room = append(in.room, int(binary.LittleEndian.Uint64(ids)-in.main))
	}
	return in.room
}

func text(m memory, at, n uint64) string {
	return string(m.read(at, n))
}

// functions are what a program asks: see [overlay.Questions]. I stands for 64 bits, i for 32.
var functions = map[string]struct {
	takes, gives string
	do           func(in *instance, m memory, a []uint64) uint64
}{
	"next": {"", "", func(in *instance, _ memory, _ []uint64) uint64 {
		in.main = 0
		in.next = in.driver.Next()
		if !in.next.Another {
			return 0 // what the last run wrote is the end of what was written
		}
		in.output.reset()
		in.begins()
		return 0
	}},
	"kind": {"", "i", func(in *instance, _ memory, _ []uint64) uint64 {
		switch {
		case !in.next.Another:
			return 0
		case in.next.Places:
			return 2
		}
		return 1
	}},
	"seed":  {"", "I", func(in *instance, _ memory, _ []uint64) uint64 { return in.next.Seed }},
	"clock": {"I", "", func(in *instance, _ memory, a []uint64) uint64 { in.passes(int64(a[0])); return 0 }},
	"idle": {"IIIiii", "i", func(in *instance, _ memory, a []uint64) uint64 {
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
	"started": {"I", "", func(in *instance, _ memory, a []uint64) uint64 { in.main = a[0]; return 0 }},
	"ended": {"iiiii", "", func(in *instance, m memory, a []uint64) uint64 {
		in.main = 0
		in.left = in.left || a[3] != 0
		in.driver.Ended(uint32(a[0]), text(m, a[1], a[2]), uint32(a[4]))
		return 0
	}},
	"refused": {"iii", "", func(in *instance, m memory, a []uint64) uint64 {
		if in.main == 0 {
			return 0
		}
		in.driver.Refused(text(m, a[0], a[1]))
		if a[2] != 0 {
			panic(sys.NewExitError(Refused))
		}
		return 0
	}},
	"raced": {"ii", "", func(in *instance, m memory, a []uint64) uint64 {
		in.main = 0
		in.driver.Raced(text(m, a[0], a[1]))
		panic(sys.NewExitError(0))
	}},
	"pick": {"ii", "i", func(in *instance, m memory, a []uint64) uint64 {
		if in.main == 0 {
			return 0
		}
		return in.took(in.driver.Pick(in.goroutines(m, a[1], a[0])))
	}},
	"point": {"iiiiii", "i", func(in *instance, m memory, a []uint64) uint64 {
		if in.main == 0 {
			return 0
		}
		return in.took(in.driver.Point(uint32(a[0]), a[1], in.goroutines(m, a[3], a[2]), uint32(a[4]), a[5] != 0))
	}},
	"choose": {"i", "i", func(in *instance, _ memory, a []uint64) uint64 {
		if in.main == 0 {
			return 0
		}
		return in.took(in.driver.Case(int(a[0])))
	}},
	"traced": {"I", "", func(in *instance, _ memory, a []uint64) uint64 {
		if in.main != 0 {
			in.driver.Traced(a[0])
		}
		return 0
	}},
	"where": {"iiiii", "", func(in *instance, m memory, a []uint64) uint64 {
		if in.main != 0 {
			in.driver.Where(text(m, a[0], a[1]), text(m, a[2], a[3]), int(a[4]))
		}
		return 0
	}},
}

// errLoops is how a run ends that nothing else ends.
var errLoops = errors.New("a goroutine loops, and reaches no point at which another one could run")
