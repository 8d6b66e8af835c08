package concurrent

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// Options bound a test. The zero value has the usual bounds.
type Options struct {
	// Preemptions is how many preemptions schedules have at most that are all run; less than 0 stands for none, and 0 for 2, and for more
	// once these are run and schedules are left: see [Options.NoReduction].
	Preemptions int
	// Schedules is how many are run at most; 0 stands for 20,000. One in four is drawn, and all once there are no systematic ones left. Under
	// go test -short there are 2,000 at most.
	Schedules int
	// Seed is of the schedules that are drawn.
	Seed uint64
	// Timeout is for how long schedules are run; 0 stands for no limit but that of go test.
	Timeout time.Duration
	// NoRaces has data races not looked for. A schedule then takes less time, and WebAssembly needs no compiler of its own.
	NoRaces bool
	// NoReduction has every schedule run. Else schedules that differ from others only in the order of operations that commute are left out, where data races
	// are looked for.
	NoReduction bool
	// Guest is as what the tests run; 0 stands for the environment variable CONTEND_GUEST, "wasm" or "native", and without that for a native guest where that is
	// possible.
	Guest Guest

	deepens bool // no bound on preemptions was given
}

// A Guest is a way to run a body.
type Guest int

// The guests.
const (
	Wasm   Guest = 1 + iota // in WebAssembly
	Native                  // as code of the processor, on linux/amd64
)

// String returns the name of the guest.
func (g Guest) String() string { return [...]string{"any guest", "wasm", "native"}[g] }

// Test tests a body with the usual bounds, as [Options.Test] does.
func Test(t *testing.T, body func()) {
	t.Helper()
	Options{}.Test(t, body)
}

// Default bounds.
const (
	defaultPreemptions = 2
	defaultSchedules   = 20_000
	shortSchedules     = 2_000
)

// guest is the guest of the options, or of the environment.
func (o Options) guest() (Guest, error) {
	if o.Guest != 0 {
		return o.Guest, nil
	}
	name := os.Getenv("CONTEND_GUEST")
	for _, g := range []Guest{Wasm, Native} {
		if name == g.String() {
			return g, nil
		}
	}
	if name != "" {
		return 0, fmt.Errorf("CONTEND_GUEST is %q, and can be wasm or native", name)
	}
	return 0, nil
}

// bounded are the options with what zero stands for.
func (o Options) bounded() Options {
	o.deepens = o.Preemptions == 0
	switch {
	case o.Preemptions == 0:
		o.Preemptions = defaultPreemptions
	case o.Preemptions < 0:
		o.Preemptions = 0
	}
	if o.Schedules <= 0 {
		o.Schedules = defaultSchedules
	}
	if testing.Short() {
		o.Schedules = min(o.Schedules, shortSchedules)
	}
	return o
}
