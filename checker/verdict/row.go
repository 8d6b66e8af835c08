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

// A Row is what one configuration came to. Its JSON is a stable contract.
type Row struct {
	Schema   int          `json:"schema"`
	Protocol string       `json:"protocol"`
	Variant  string       `json:"variant"`
	Config   ConfigJSON   `json:"config"`
	Faults   model.Faults `json:"faults"`
	Assumes  []string     `json:"assumes"` // what the network gives: "synchronous" or "stable from the start"
	Command  string       `json:"command"` // the command line that checks this row
	Seed     string       `json:"seed"`
	// Cut gives, for each declared cut, the number of states (of schedules, when
	// sampled) from which a step beyond it was not taken.
	Cut         map[string]int64 `json:"cut"`
	Time        string           `json:"time"`     // untimed, grid or dense
	Strategy    string           `json:"strategy"` // exhaustive, or a name of strategy.All
	Verdict     Verdict          `json:"verdict"`
	Complete    bool             `json:"complete"`
	States      int64            `json:"states"` // distinct, as stored, after reductions
	Transitions int64            `json:"transitions"`
	Schedules   int64            `json:"schedules,omitempty"` // sampled to their end
	// Then is the strategy by which the schedules were sampled after a search that a limit stopped:
	// see [Options.Beyond]. Times are then real-valued unless the row is untimed.
	Then         string       `json:"then,omitempty"`
	Depth        int          `json:"depth"` // steps
	HandlerCalls int64        `json:"handlerCalls"`
	Seconds      float64      `json:"seconds"`
	BytesPer     float64      `json:"bytesPerState"`
	Reductions   []string     `json:"reductions"`
	Omission     float64      `json:"omission"` // expected number of states lost to equal fingerprints
	Limit        decide.Limit `json:"limit"`    // what stopped an incomplete search
	// From is where the search began, unless at the beginning: then the verdicts are about the runs
	// that continue this one, and the depth counts from there. See [From].
	From *FromJSON `json:"from,omitempty"`
	// Claims are those checked. When a handler fails there is one more, the last, which every
	// protocol makes: model.NoHandlerFails.
	Claims []ClaimResult `json:"claims"`

	// Merged says, of a complete search of nodes over foreign objects, how the merging of their states
	// was put to the test.
	Merged *merging.Report `json:"merged,omitempty"`
	// Handlers are those of the system's nodes, by type and name such as lock.Server.Receive, and whether any run of
	// the search calls them. A search that is not complete gives only those that ran, and none are given of sampled runs,
	// and of searches that were resumed, began midway, or had parts.
	Handlers map[string]bool `json:"-"`
	// Profile, when asked for, is the state-space profile as text.
	Profile string `json:"profile,omitempty"`
	// Notes are remarks for people, such as a refused reduction.
	Notes []string `json:"notes,omitempty"`
}

// FromJSON is where a search began, as rows have it.
type FromJSON struct {
	Trace string `json:"trace"` // the file
	Steps int    `json:"steps"` // of it
}

// newRow starts a row for one that is planned.
func New(of *plan.Row) *Row {
	p, c, s := of.Protocol, of.Check, of.System
	row := &Row{
		Schema: 1, Protocol: p.Name, Variant: c.Variant, Config: NewConfig(p, s.Config), Faults: s.Faults,
		Assumes: []string{}, Cut: map[string]int64{}, Time: c.Reading.String(), Reductions: []string{}, Claims: []ClaimResult{},
		Command: CommandOf(p, c, s), Seed: "0",
		Notes: wrapped.Escapes(s),
	}
	switch {
	case c.Reading == model.Untimed:
	case s.Synchronous():
		row.Assumes = append(row.Assumes, string(model.Synchronous))
	case s.StableFromStart:
		row.Assumes = append(row.Assumes, string(model.StableFromStart))
	}
	for _, claim := range of.Claims {
		if claim.Unclaimed != "" {
			res := NewClaim(claim.Claim)
			res.Verdict, res.Text = NotClaimed, claim.Unclaimed
			row.Claims = append(row.Claims, res)
		}
	}
	return row
}

// passOver writes beside each verdict what its claim assumes and the row does not meet, where the
// claim was put to the test all the same.
func AddUnmet(row *Row, of *plan.Row) {
	for i := range row.Claims {
		res := &row.Claims[i]
		at := slices.IndexFunc(of.Claims, func(c plan.Claim) bool { return c.Name == res.Name })
		if at < 0 || res.Verdict == NotClaimed {
			continue
		}
		for _, a := range of.Claims[at].Unmet {
			res.Unmet = append(res.Unmet, string(a))
		}
	}
}

// overall draws a row's verdict from its claims'.
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

// tested reports whether any claim of a row was put to the test.
func (r *Row) Tested() bool {
	return slices.ContainsFunc(r.Claims, func(c ClaimResult) bool { return c.Verdict != NotClaimed })
}

// Uncalled says in a sentence which handlers of a protocol's nodes no run of any of its rows calls, as far as the
// rows know: no verdict is about what these do. It is "" where there are none.
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
