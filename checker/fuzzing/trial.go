package fuzzing

import (
	"fmt"
	"hash/crc32"
	"slices"

	"contend/checker/enlarge"
	"contend/checker/explain"
	"contend/checker/gofuzz"
	"contend/checker/judge"
	"contend/checker/plan"
	"contend/checker/record"
	"contend/checker/sample"
	"contend/model"
	"contend/model/world"
	"contend/model/wrapped"
	"contend/traces"
)

// pureEvery is the number of inputs to one that calls each handler twice and compares the results. Two calls take
// twice the time.
const pureEvery = 16

// pure reports whether handlers are called twice for an input. It depends on all bytes, since most mutations of the
// fuzzer keep the length.
func pure(data []byte) bool { return crc32.ChecksumIEEE(data)%pureEvery == 0 }

// Run runs the schedule of an input. The error is a [Broken], or the reason why the run failed.
func (tg Target) Run(data []byte) (sample.Outcome, error) {
	var taken func(*world.World, world.Record)
	if gofuzz.Worker() {
		taken = gofuzz.NewStates().Step
	}
	_, out, err := tg.run(data, taken)
	return out, err
}

// A Trial is one run of a target: a system, and the world in which it takes steps.
type Trial struct {
	World   *world.World
	Reading world.Options // the options of the world, with its time
	target  Target
	check   model.Check
	watched []model.Claim
}

// Pick chooses the variant and the configuration of a run: see [Target].Configure.
func (tg Target) Pick(c sample.Choices) model.Check {
	if tg.Configure != nil {
		return tg.Configure(c)
	}
	return enlarge.Pick(tg.Protocol, c)
}

// Fixed returns the parameters of the protocol that runs do not enlarge, each with the reason: it is a duration, or
// no check can be built with a larger value. It returns none with Configure.
func (tg Target) Fixed() []string {
	if tg.Configure != nil {
		return nil
	}
	return enlarge.Fixed(tg.Protocol)
}

// Trial begins a run. The choices determine the system and the reading of time. If pure is set, each handler is
// called twice, and the results are compared.
func (tg Target) Trial(c sample.Choices, pure bool) (*Trial, error) {
	return tg.begin(tg.Pick(c), c, pure)
}

// begin begins a run of a check. The choices determine the reading of time.
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
	planned, err := plan.Whole(tg.Protocol, asked, claims)
	if err != nil {
		return nil, err
	}
	t.Reading.Clocks = wrapped.HasLone(planned.System)
	t.watched = slices.DeleteFunc(judge.Watched(planned.Met()), func(c model.Claim) bool { return !t.violates(c, planned.System.Config) })
	t.World, err = world.New(planned.System, t.watched, t.Reading)
	return t, err
}

// violates reports whether a run can violate a claim that has no recorded finding, by a step or by its end.
func (t *Trial) violates(c model.Claim, is model.Config) bool {
	return (c.Safety() || c.Kind == model.Eventually) && !record.Refuted(t.target.Protocol, c.Name, t.check.Variant, is)
}

// Violated returns a [Broken] for the first claim that the steps violate; nil if there is none.
func (t *Trial) Violated(steps []world.Record) error { return t.broken(t.World.Violations, steps) }

// Over is [Trial.Violated] for a complete run. If nothing must happen any more, the run also violates each claim of
// kind Eventually whose goal it does not reach.
func (t *Trial) Over(steps []world.Record) error {
	return t.broken(append(slices.Clone(t.World.Violations), t.World.Missed()...), steps)
}

// broken returns a [Broken] for the first of the violations; nil if there is none.
func (t *Trial) broken(all []world.Violation, steps []world.Record) error {
	if len(all) == 0 {
		return nil
	}
	v := all[0]
	trace, err := traces.FromRun(t.header(v.Claim, v.Text), t.World, t.Reading.Parts, steps)
	if err != nil {
		return t.Failed(steps, err)
	}
	run := explain.New(t.target.Protocol, trace)
	if _, err := run.Run(); err != nil {
		return t.Failed(steps, fmt.Errorf("%s is violated, but not when the run is replayed: %w", v.Claim, err))
	}
	return &Broken{v.Claim, v.Text, trace, t.target.Protocol, run}
}

// header returns a trace of the run without steps.
func (t *Trial) header(claim, text string) traces.Trace {
	h := traces.New(t.target.Protocol, t.check.Variant, t.World.System.Config, t.Reading.Timed, claim, text)
	for _, c := range t.watched {
		h.Watched = append(h.Watched, c.Name)
	}
	return h
}

// Failed adds the run to an error, unless the error is [Mistaken].
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
