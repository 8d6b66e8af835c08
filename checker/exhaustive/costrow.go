package exhaustive

import (
	"fmt"

	"contend/checker/merging"
	"contend/checker/plan"
	"contend/checker/search/decide"
	"contend/checker/verdict"
	"contend/model"
	"contend/traces"
)

// A CostRow has the minimum and the maximum of a cost over all runs of a configuration. Its JSON is a stable contract.
type CostRow struct {
	Schema   int                `json:"schema"`
	Protocol string             `json:"protocol"`
	Variant  string             `json:"variant"`
	Cost     string             `json:"cost"`
	Unit     string             `json:"unit"`
	Meaning  string             `json:"meaning"`
	Source   string             `json:"source,omitempty"`
	Config   verdict.ConfigJSON `json:"config"`
	Faults   model.Faults       `json:"faults"`
	Command  string             `json:"command"` // the command line that makes the row again
	Time     string             `json:"time"`    // "untimed", "grid" or "dense"
	// Least and Most are the minimum and the maximum; nil if no run has a number.
	Least *Reading `json:"least"`
	Most  *Reading `json:"most"`
	// Complete reports whether Least and Most are those of all runs. If not, Limit is the reason: a cut, the limit of
	// the search, or an unconfirmed number.
	Complete    bool             `json:"complete"`
	Limit       decide.Limit     `json:"limit"`
	Text        string           `json:"text,omitempty"` // explains the limit
	Cut         map[string]int64 `json:"cut"`            // by cut, the number of states in which it withheld a step
	States      int64            `json:"states"`
	Transitions int64            `json:"transitions"`
	Depth       int              `json:"depth"`
	Seconds     float64          `json:"seconds"`
	Reductions  []string         `json:"reductions"`
	Omission    float64          `json:"omission"` // expected number of states lost to equal fingerprints
	Notes       []string         `json:"notes,omitempty"`
	Merged      *merging.Report  `json:"merged,omitempty"` // as in a [verdict.Row]
}

// A Reading is a number that a run has.
type Reading struct {
	Number int `json:"number"`
	// More reports whether the run has a larger number than Number, the largest that the cost distinguishes.
	More bool `json:"more,omitempty"`
	// Confirmed reports whether the interpreter replayed the run in exact time.
	Confirmed bool   `json:"confirmed"`
	Steps     int    `json:"steps"`
	Trace     string `json:"trace"` // the file of the run

	Run *traces.Trace `json:"-"`
}

// String returns the number, or "more than" and the number.
func (r *Reading) String() string {
	if r.More {
		return fmt.Sprintf("more than %d", r.Number)
	}
	return fmt.Sprint(r.Number)
}

// costRow returns the row of a cost, without a result.
func costRow(cost *model.Cost, planned *plan.Row) *CostRow {
	p, c, s := planned.Protocol, planned.Check, planned.System
	return &CostRow{
		Schema: 1, Protocol: p.Name, Variant: c.Variant, Cost: cost.Name, Unit: cost.Unit, Meaning: cost.Meaning, Source: cost.Source,
		Config: verdict.NewConfig(p, s.Config), Faults: s.Faults, Command: verdict.CommandLine(p, c, s) + " --costs", Time: c.Reading.String(),
		Cut: map[string]int64{}, Reductions: []string{},
	}
}
