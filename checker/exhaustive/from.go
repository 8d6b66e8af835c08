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

// refuseFrom returns the reason why a check cannot begin at the end of a run, or nil.
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
	for _, row := range pl.Rows {
		if met := row.Met(); len(met) > 0 {
			if _, err := fromRun(f, row, judge.Watched(met)); err != nil {
				return err
			}
		}
	}
	return nil
}

// fromRun replays the run with the claims of a search. The error is the reason why no search can begin at its end.
func fromRun(f *verdict.From, planned *plan.Row, claims []model.Claim) (*replay.Run, error) {
	t := verdict.NewTrace(planned, claims, "", "")
	t.Boot, t.Steps = f.Trace.Boot, f.Trace.Steps
	run, err := replay.Until(planned.Protocol, &t, claims, f.Steps)
	if err != nil {
		return nil, fmt.Errorf("from: %s is not a run of what is checked: %w", f.File, err)
	}
	for _, v := range run.World.Violations {
		return nil, fmt.Errorf("from: %s violates %s at step %d already: begin before it, with --step, or check other claims", f.File, v.Claim, v.Step)
	}
	return run, nil
}

// beginning returns the run for the search; nil if the search begins at the initial state.
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

// fromIdentity returns the fields of a search's identity that describe the run; nil if there is no run.
func fromIdentity(f *verdict.From) []checkpoint.Field {
	if f == nil {
		return nil
	}
	text, err := json.Marshal([]any{f.Trace.Boot, f.Trace.Steps[:f.Steps]})
	if err != nil {
		panic(err) // the trace was read from JSON
	}
	return []checkpoint.Field{{Name: "run that it begins with", Value: fmt.Sprintf("%d steps, %016x", f.Steps, xxh3.Hash(text))}}
}

// fromFlags returns the flags for the run; "" if there is no run.
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
