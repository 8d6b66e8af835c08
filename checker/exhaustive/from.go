package exhaustive

import (
	"encoding/json"
	"fmt"

	"github.com/zeebo/xxh3"

	"contend/checker/confirm"
	"contend/checker/judge"
	"contend/checker/kept"
	"contend/checker/plan"
	"contend/checker/search/checkpoint"
	"contend/checker/search/runs"
	"contend/checker/verdict"
	"contend/model"
	"contend/traces/replay"
)

// refuse says in a sentence why a check cannot begin behind the run, or nil.
func refuseFrom(f *verdict.From, pl *plan.Plan) error {
	c := pl.Check
	switch {
	case f.Trace.Protocol != pl.Protocol.Name:
		return fmt.Errorf("from: %s is a run of %s", f.File, f.Trace.Protocol)
	case f.Steps < 0 || f.Steps > len(f.Trace.Steps):
		return fmt.Errorf("from: step is %d, but must be 0 to %d, the steps of %s", f.Steps, len(f.Trace.Steps), f.File)
	case f.Trace.Timed():
		return fmt.Errorf("from: %s is a timed run, but a search begins where an untimed run ends: one found with --time untimed", f.File)
	case c.Schedules > 0:
		return fmt.Errorf("from: schedules are sampled from the beginning: only a search begins where a run ends")
	case c.Reading != model.Untimed:
		return fmt.Errorf("from: time is %v, but a search that begins where a run ends is untimed", c.Reading)
	}
	for _, of := range pl.Rows {
		if met := of.Met(); len(met) > 0 {
			if _, err := fromRun(f, of, judge.Watched(met)); err != nil {
				return err
			}
		}
	}
	return nil
}

// run is the run, taken with the claims of a search watched. The error is a sentence that says why it is none, or none to begin behind.
func fromRun(f *verdict.From, of *plan.Row, claims []model.Claim) (*replay.Run, error) {
	t := verdict.NewTrace(of, claims, "", "")
	t.Boot, t.Steps = f.Trace.Boot, f.Trace.Steps
	run, err := replay.Until(of.Protocol, &t, claims, f.Steps)
	if err != nil {
		return nil, fmt.Errorf("from: %s is not a run of what is checked: %w", f.File, err)
	}
	for _, v := range run.World.Violations {
		return nil, fmt.Errorf("from: %s violates %s at step %d already: begin before it, with --step, or check other claims", f.File, v.Claim, v.Step)
	}
	return run, nil
}

// beginning is the run as the search takes it.
func (x *exhaustive) beginning() (*runs.Beginning, error) {
	if x.opt.From == nil {
		return nil, nil
	}
	run, err := fromRun(x.opt.From, x.plan, x.claims)
	if err != nil {
		return nil, err
	}
	return confirm.Beginning(x.sys, x.codec, x.claims, run.World.Boot, run.Records)
}

// identity is what tells a search behind the run from others, for checkpoints.
func fromIdentity(f *verdict.From) []checkpoint.Field {
	if f == nil {
		return nil
	}
	text, err := json.Marshal([]any{f.Trace.Boot, f.Trace.Steps[:f.Steps]})
	if err != nil {
		panic(err) // it was read from JSON
	}
	return []checkpoint.Field{{Name: "run that it begins with", Value: fmt.Sprintf("%d steps, %016x", f.Steps, xxh3.Hash(text))}}
}

// flags are those of the command line.
func fromFlags(f *verdict.From) string {
	if f == nil {
		return ""
	}
	flags := " --from " + kept.Quoted(f.File)
	if f.Steps < len(f.Trace.Steps) {
		flags += fmt.Sprintf(" --step %d", f.Steps)
	}
	return flags
}
