package verdict

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"contend/checker/merging"
	"contend/checker/plan"
	"contend/checker/search/decide"
	"contend/model"
	"contend/model/wrapped"
)

// A Row is the result of one configuration, searched or sampled. Its JSON is a stable contract.
type Row struct {
	Schema   int          `json:"schema"`
	Protocol string       `json:"protocol"`
	Variant  string       `json:"variant"`
	Config   ConfigJSON   `json:"config"`
	Faults   model.Faults `json:"faults"`
	Assumes  []string     `json:"assumes"` // the network's assumption: "synchronous", "stable from the start", or none
	Command  string       `json:"command"` // the command line that makes the row again
	Seed     string       `json:"seed"`
	// Cut has for each declared cut the number of states in which it withheld a step. For a sampled row it is the
	// number of schedules.
	Cut         map[string]int64 `json:"cut"`
	Time        string           `json:"time"`     // "untimed", "grid" or "dense"
	Strategy    string           `json:"strategy"` // "exhaustive", or a name of strategy.All
	Verdict     Verdict          `json:"verdict"`
	Complete    bool             `json:"complete"`
	States      int64            `json:"states"` // number of distinct stored states, after reductions
	Transitions int64            `json:"transitions"`
	Schedules   int64            `json:"schedules,omitempty"` // number of completed schedules
	// Then is the strategy of the schedules that were sampled after the search stopped at a limit: see
	// [Options.Beyond]. Their times are real-valued unless the row is untimed.
	Then         string       `json:"then,omitempty"`
	Depth        int          `json:"depth"` // in steps
	HandlerCalls int64        `json:"handlerCalls"`
	Seconds      float64      `json:"seconds"`
	BytesPer     float64      `json:"bytesPerState"`
	Reductions   []string     `json:"reductions"`
	Omission     float64      `json:"omission"` // expected number of states lost to equal fingerprints
	Limit        decide.Limit `json:"limit"`    // the reason why a search is incomplete, or a sampling ended
	// From is the run at whose end the search began; nil if it began at the initial state. The verdicts are about
	// runs that continue this run, and Depth is the number of steps after it. See [From].
	From *FromJSON `json:"from,omitempty"`
	// Claims are the results. If a handler fails, the last result is of model.NoHandlerFails.
	Claims []ClaimResult `json:"claims"`

	// Merged is the report on the merging of foreign objects' states, of a complete search; else nil.
	Merged *merging.Report `json:"merged,omitempty"`
	// Handlers has the handlers of the system's nodes, by type and name such as lock.Server.Receive, and whether
	// some run of the search calls them. An incomplete search has only handlers that ran. Sampled rows have none;
	// nor do searches that were resumed or began at the end of a run.
	Handlers map[string]bool `json:"-"`
	// Profile is the profile of the state space as text; see [Options.Profile].
	Profile string `json:"profile,omitempty"`
	// Notes are remarks for people, such as a refused reduction.
	Notes []string `json:"notes,omitempty"`

	system *model.System // of the plan; nil if the row was read from JSON
}

// A FromJSON is the run at whose end a search began.
type FromJSON struct {
	Trace string `json:"trace"` // the file
	Steps int    `json:"steps"` // number of the trace's steps that were taken
}

// New returns a row for a planned row. Its only results are those of claims that the row does not make.
func New(planned *plan.Row) *Row {
	p, c, s := planned.Protocol, planned.Check, planned.System
	row := &Row{
		Schema: 1, Protocol: p.Name, Variant: c.Variant, Config: NewConfig(p, s.Config), Faults: s.Faults,
		Assumes: []string{}, Cut: map[string]int64{}, Time: c.Reading.String(), Reductions: []string{}, Claims: []ClaimResult{},
		Command: CommandLine(p, c, s), Seed: "0",
		Notes: wrapped.Escapes(s), system: s,
	}
	switch {
	case c.Reading == model.Untimed:
	case s.Synchronous():
		row.Assumes = append(row.Assumes, string(model.Synchronous))
	case s.StableFromStart:
		row.Assumes = append(row.Assumes, string(model.StableFromStart))
	}
	for _, claim := range planned.Claims {
		if claim.Unclaimed != "" {
			res := NewClaim(claim.Claim)
			res.Verdict, res.Text = NotClaimed, claim.Unclaimed
			row.Claims = append(row.Claims, res)
		}
	}
	return row
}

// System returns the system of the row, for reading only. It is the planned system; the search has its own. A row
// that was read from JSON has none: System then builds it.
func (r *Row) System(p *model.Protocol) (*model.System, error) {
	if r.system != nil {
		return r.system, nil
	}
	return p.System(r.Variant, r.Config.Config)
}

// AddUnmet adds to each tested claim the assumptions that the row does not meet.
func AddUnmet(row *Row, planned *plan.Row) {
	for i := range row.Claims {
		res := &row.Claims[i]
		at := slices.IndexFunc(planned.Claims, func(c plan.Claim) bool { return c.Name == res.Name })
		if at < 0 || res.Verdict == NotClaimed {
			continue
		}
		for _, a := range planned.Claims[at].Unmet {
			res.Unmet = append(res.Unmet, string(a))
		}
	}
}

// Conclude sets the verdict of a row from its claims and its limit.
func Conclude(row *Row) {
	row.Verdict = Holds
	if !row.Tested() {
		row.Verdict, row.Limit = Inconclusive, decide.Limited(NothingClaimed)
		return
	}
	for _, c := range row.Claims {
		switch {
		case c.Verdict == Violated:
			row.Verdict = Violated
			return
		case c.Verdict == Inconclusive:
			row.Verdict = Inconclusive
		}
	}
	if !row.Limit.None() && row.Verdict == Holds {
		row.Verdict = Inconclusive
	}
}

// Tested reports whether the row tested some claim.
func (r *Row) Tested() bool {
	return slices.ContainsFunc(r.Claims, func(c ClaimResult) bool { return c.Verdict != NotClaimed })
}

// Uncalled returns a sentence that names the handlers that no run of any row calls; "" if there are none. Only
// handlers that the rows list are named. No verdict is about an uncalled handler.
func Uncalled(rows []*Row) string {
	called := map[string]bool{}
	for _, row := range rows {
		for name, ran := range row.Handlers {
			called[name] = called[name] || ran
		}
	}
	maps.DeleteFunc(called, func(_ string, ran bool) bool { return ran })
	if len(called) == 0 {
		return ""
	}
	do := map[bool]string{true: "it does", false: "they do"}[len(called) == 1]
	return fmt.Sprintf("No run that was searched calls %s, so no verdict is about what %s.", strings.Join(slices.Sorted(maps.Keys(called)), ", "), do)
}
