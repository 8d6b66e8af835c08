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
// An input is a run. Its first bytes choose one of the protocol's checks, and by how much its system is larger. The
// other bytes are the choices of one schedule, read by [sample.Bytes]. Any bytes are a run, so the fuzzer's
// mutations are small changes of a schedule.
//
// A run that violates a claim fails, and go test stores its bytes in testdata/fuzz. The run is minimized, printed,
// and stored under testdata/contend in a directory of the target's name. The next run of the target replays it
// first.
//
// Claims of safety ([model.Claim.Safety]) are watched, and claims of kind Eventually. A run that ends without the
// goal violates a claim of this kind ([world.World.Missed]). Claims whose assumptions the run does not meet are
// omitted, and claims with a recorded finding. See [Target] for the runs.
//
// Go's fuzzer stores an input that takes a new branch of the program. Here each new state of a node is like a new
// branch, up to 4096 different branches. So inputs that lead to new states are mutated further.
//
// Without the flag -fuzzminimizetime, the fuzzer tries only once to make an input smaller. So most of the time is
// used for schedules.
func Fuzz(f *testing.F, p *model.Protocol) {
	f.Helper()
	Target{Protocol: p}.Fuzz(f)
}

// A Target is a protocol and its runs for [Fuzz] and package rapidcheck.
type Target struct {
	Protocol *model.Protocol
	// Configure chooses the Variant and the Config of a run, which the protocol must be able to build. It may also
	// choose Claims; none are all. If Configure is nil, one of the protocol's checks is chosen, and each parameter
	// that counts something is enlarged by 0 to 2, within its range and if the protocol can be built: see
	// [Target.Fixed].
	Configure func(c sample.Choices) model.Check

	// Patience bounds how long a handler may run in [Target.Inputs]; the zero value is [watch.Usual].
	Patience watch.Patience

	running *guard.Cell // shows the running handler; may be nil
}

// fuzzSteps is the maximum number of steps of a run.
const fuzzSteps = 2000

// The seeds of a target are the empty input, and this number of random inputs of this number of bytes.
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
	before, reported, here := gofuzz.Crashers(f.Name()), map[string]bool{}, false
	f.Fuzz(func(t *testing.T, data []byte) {
		here = true
		if _, err := tg.Run(data); err != nil {
			fail(t, f.Name(), err, data, worker, reported)
		}
	})
	if f.Failed() && !worker && !here {
		tg.keep(f, append(gofuzz.NewCrashers(f.Name(), before), seeds...))
	}
}

// keep stores the run of the first input that violates a claim, after the fuzzer's workers failed. If a seed fails,
// go test stores no input, so the inputs include the seeds.
func (tg Target) keep(f *testing.F, inputs [][]byte) {
	for _, data := range inputs {
		var broken *Broken
		if _, err := tg.Run(data); errors.As(err, &broken) {
			f.Log(broken.Keep(f.Name(), origin(data)))
			return
		}
	}
}

// fail fails the test of an input whose run fails. It prints the run of the first such input, and a sentence for
// later ones. A mistake in the protocol is reported once.
func fail(t *testing.T, target string, err error, data []byte, worker bool, reported map[string]bool) {
	t.Helper()
	var broken *Broken
	what := sentence(err)
	if errors.As(err, &broken) {
		what = broken.Claim
	}
	again := reported[what]
	reported[what] = true
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
		t.Fatal(broken.Keep(target, origin(data)))
	}
}

// origin describes the input of a run.
func origin(data []byte) string { return fmt.Sprintf("an input of %d bytes", len(data)) }

// try runs inputs until one fails or takes a step. The error is a mistake in the protocol, or that no input takes a
// step.
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

// randomBytes returns n bytes, which the seed determines.
func randomBytes(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}
