package fuzzing

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"contend/checker/gofuzz"
	"contend/checker/kept"
	"contend/checker/sample"
	"contend/checker/watch"
	"contend/model"
	"contend/model/guard"
)

// Fuzz is the body of a fuzz target for a protocol:
//
//	func FuzzProtocol(f *testing.F) { checker.Fuzz(f, mylock.Protocol) }
//
// An input is a run: its first bytes pick one of the protocol's checks and how much larger
// than that the system is, the rest are the choices of one schedule, read by [sample.Bytes].
// Any bytes are a run, so the mutations of the fuzzer are small changes of a schedule.
// A run that violates a claim fails: go test keeps its bytes in testdata/fuzz. The run is made smaller, printed, and kept under
// testdata/contend in a directory of the target's name, where it is replayed first from then on, as [Test] does.
// Claims of safety ([model.Claim.Safety]) are watched, and those of kind Eventually: a run that ends without the goal violates one, as a
// sampled schedule does ([world.World.Missed]). Left out are claims whose assumptions the run does not meet, and those of which a finding is
// recorded. [Target] says more about runs.
//
// Go's fuzzer keeps an input that takes a new branch of the program. Here each state that a node comes to counts as one, as far
// as 4096 such branches tell states apart, so inputs that lead to new states are mutated further.
//
// Unless go test is told otherwise with -fuzzminimizetime, the fuzzer tries but once to make an input smaller
// that covers something new, or that fails: most of the time then goes into schedules.
func Fuzz(f *testing.F, p *model.Protocol) {
	f.Helper()
	Target{Protocol: p}.Fuzz(f)
}

// A Target is a protocol with the runs that [Fuzz] and package rapidcheck make of it.
type Target struct {
	Protocol *model.Protocol
	// Configure picks what to run: the Variant and Config of a check at which the protocol
	// can be built, and its Claims if not all are to be watched. Nil picks one of the protocol's
	// own checks, and enlarges each parameter that counts something by 0 to 2, within its range and as far as the
	// protocol can be built so: [Target.Fixed] says which cannot be.
	Configure func(c sample.Choices) model.Check

	// Patience bounds how long a handler may run in [Target.Inputs]; the zero value is [watch.Usual].
	Patience watch.Patience

	running *guard.Cell // unless nil, shows the handler that runs
}

// fuzzSteps ends a run of a target that does not end by itself.
const fuzzSteps = 2000

// Seeds of a target are so many random inputs of so many bytes, besides the empty one.
const (
	fuzzSeeds    = 16
	fuzzSeedSize = 400
)

// Fuzz is the body of a fuzz target: see the function [Fuzz].
func (tg Target) Fuzz(f *testing.F) {
	f.Helper()
	seeds := [][]byte{nil}
	for seed := range uint64(fuzzSeeds) {
		seeds = append(seeds, randomBytes(seed, fuzzSeedSize))
	}
	if err := tg.Ready(); err != nil {
		f.Fatal(err)
	}
	if err := tg.try(seeds); err != nil {
		f.Fatal(err)
	}
	for _, data := range seeds {
		f.Add(data)
	}
	if err := gofuzz.MinimizeLittle(); err != nil {
		f.Fatal(err)
	}
	if fixed := tg.Fixed(); len(fixed) > 0 {
		f.Logf("not enlarged: %s", strings.Join(fixed, "; "))
	}
	if file := os.Getenv(RunFile); file != "" {
		f.Fuzz(func(t *testing.T, data []byte) { tg.record(t, data, file) })
		return
	}
	worker := gofuzz.Worker()
	if !worker && kept.Own(f, tg.Protocol) {
		return
	}
	before, told, here := gofuzz.Crashers(f.Name()), map[string]bool{}, false
	f.Fuzz(func(t *testing.T, data []byte) {
		here = true
		if _, err := tg.Run(data); err != nil {
			tell(t, f.Name(), err, data, worker, told)
		}
	})
	if f.Failed() && !worker && !here {
		tg.keep(f, append(gofuzz.NewCrashers(f.Name(), before), seeds...))
	}
}

// keep keeps the run of the first input that violates a claim, for the workers of a fuzzer that failed: they only say so. Where
// a seed fails go test writes no input, so the seeds are among them.
func (tg Target) keep(f *testing.F, inputs [][]byte) {
	for _, data := range inputs {
		var broken *Broken
		if _, err := tg.Run(data); errors.As(err, &broken) {
			f.Log(broken.Keep(f.Name(), fuzzed(data)))
			return
		}
	}
}

// tell fails for an input whose run fails: at length where this is not told yet, later in a sentence. Of a mistake in the
// protocol the first sentence is enough.
func tell(t *testing.T, target string, err error, data []byte, worker bool, told map[string]bool) {
	t.Helper()
	var broken *Broken
	what := sentence(err)
	if errors.As(err, &broken) {
		what = broken.Claim
	}
	again := told[what]
	told[what] = true
	switch {
	case again && Mistaken(err):
		t.Skip(what)
	case broken == nil && again:
		t.Fatal(what)
	case broken == nil:
		t.Fatal(err)
	case worker || again:
		t.Fatal(broken.Sentence())
	default:
		t.Fatal(broken.Keep(target, fuzzed(data)))
	}
}

// fuzzed says what a run was made from.
func fuzzed(data []byte) string { return fmt.Sprintf("an input of %d bytes", len(data)) }

// try runs inputs until one fails, or takes a step. It returns what is wrong with all of them: none takes a step, or
// the protocol is mistaken.
func (tg Target) try(inputs [][]byte) error {
	for _, data := range inputs {
		out, err := tg.Run(data)
		switch {
		case Mistaken(err):
			return err
		case err != nil || len(out.Records) > 0:
			return nil
		}
	}
	return errors.New("no run of the seeds takes a step: nothing is put to the test")
}

func randomBytes(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}
