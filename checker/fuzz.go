package checker

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"contend/checker/enlarge"
	"contend/checker/gofuzz"
	"contend/checker/judge"
	"contend/checker/kept"
	"contend/checker/plan"
	"contend/checker/record"
	"contend/checker/sample"
	"contend/model"
	"contend/model/guard"
	"contend/model/world"
	"contend/traces"
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

// pureEvery is how many inputs share one in which every handler runs twice and must agree with itself. That takes
// twice the time of a run, so it is not done for all.
const pureEvery = 16

// pure reports whether the handlers run twice on an input. It is a function of all its bytes: most mutations of the
// fuzzer keep the length.
func pure(data []byte) bool { return crc32.ChecksumIEEE(data)%pureEvery == 0 }

// Run runs the schedule that data stands for. The error is a [Broken], or says why the run failed.
func (tg Target) Run(data []byte) (sample.Outcome, error) {
	var taken func(*world.World, world.Record)
	if gofuzz.Worker() {
		taken = gofuzz.NewStates().Step
	}
	_, out, err := tg.run(data, taken)
	return out, err
}

// A Trial is one run of a target: a system and the world in which it takes its steps.
type Trial struct {
	World   *world.World
	Reading world.Options // how the world keeps time
	target  Target
	check   model.Check
	watched []model.Claim
}

// Pick picks what a run is of: Configure does if there is one.
func (tg Target) Pick(c sample.Choices) model.Check {
	if tg.Configure != nil {
		return tg.Configure(c)
	}
	return enlarge.Pick(tg.Protocol, c)
}

// Fixed lists the protocol's parameters that runs leave as the protocol's checks have them, each with the reason: they are
// durations, or no check can be built with a larger one. There are none where Configure picks what to run.
func (tg Target) Fixed() []string {
	if tg.Configure != nil {
		return nil
	}
	return enlarge.Fixed(tg.Protocol)
}

// Trial begins a run: the choices pick the system and the reading of time. If pure is set, every
// handler runs twice and must agree with itself.
func (tg Target) Trial(c sample.Choices, pure bool) (*Trial, error) {
	return tg.begin(tg.Pick(c), c, pure)
}

// begin begins a run of a check: the choices pick the reading of time.
func (tg Target) begin(check model.Check, c sample.Choices, pure bool) (*Trial, error) {
	t := &Trial{target: tg, check: check}
	t.Reading = world.Options{Timed: c.Choose(4) != 3, Parts: []int64{4, 1, 6, 12}[c.Choose(4)], Running: tg.running}
	if pure {
		t.Reading.Purity = world.NewPurity()
	}
	asked, reading := t.check, model.Untimed
	if t.Reading.Timed {
		reading = model.Dense
	}
	asked.Reading, asked.AssumeAnyway = reading, false
	claims, err := plan.Claims(tg.Protocol, asked.Claims)
	if err != nil {
		return nil, err
	}
	of, err := plan.Whole(tg.Protocol, asked, claims)
	if err != nil {
		return nil, err
	}
	t.watched = slices.DeleteFunc(judge.Watched(of.Met()), func(c model.Claim) bool { return !t.violates(c, of.System.Config) })
	t.World, err = world.New(of.System, t.watched, t.Reading)
	return t, err
}

// violates reports whether a run can violate a claim, by a step or by its end, that is not known to be violated.
func (t *Trial) violates(c model.Claim, is model.Config) bool {
	return (c.Safety() || c.Kind == model.Eventually) && !record.Refuted(t.target.Protocol, c.Name, t.check.Variant, is)
}

// Violated returns nil, or a [Broken] for the first claim that the steps taken so far violate.
func (t *Trial) Violated(steps []world.Record) error { return t.broken(t.World.Violations, steps) }

// Over is Violated for a run that takes no more steps. If nothing is left that has to happen, it also violates each Eventually claim whose
// goal is not reached.
func (t *Trial) Over(steps []world.Record) error {
	return t.broken(append(slices.Clone(t.World.Violations), t.World.Missed()...), steps)
}

// broken returns nil, or a [Broken] for the first of some violations.
func (t *Trial) broken(all []world.Violation, steps []world.Record) error {
	if len(all) == 0 {
		return nil
	}
	v := all[0]
	trace, err := traces.FromRun(t.header(v.Claim, v.Text), t.World, t.Reading.Parts, steps)
	if err != nil {
		return t.Failed(steps, err)
	}
	_, run, err := kept.Replay(t.target.Protocol, trace)
	if err != nil {
		return t.Failed(steps, fmt.Errorf("%s is violated, but not when the run is replayed: %w", v.Claim, err))
	}
	return &Broken{v.Claim, v.Text, trace, t.target.Protocol, run}
}

// header starts the trace of the run.
func (t *Trial) header(claim, text string) traces.Trace {
	h := traces.New(t.target.Protocol, t.check.Variant, t.World.System.Config, t.Reading.Timed, claim, text)
	for _, c := range t.watched {
		h.Watched = append(h.Watched, c.Name)
	}
	return h
}

// Failed says of what run an error is, unless it is [Mistaken].
func (t *Trial) Failed(steps []world.Record, err error) error {
	if Mistaken(err) {
		return err
	}
	name := t.target.Protocol.Name
	if t.check.Variant != "" {
		name += "/" + t.check.Variant
	}
	return fmt.Errorf("%w\n\n%s, %s, timed: %v, %d parts to a tick\n%s", err, name, t.header("", "").Config,
		t.Reading.Timed, t.Reading.Parts, sample.Text(t.World.System, steps, t.Reading.Parts))
}
