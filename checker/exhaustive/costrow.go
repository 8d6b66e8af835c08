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

// A CostRow is what a cost came to in one configuration: the least and the most of all runs. Its
// JSON is a stable contract.
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
	Command  string             `json:"command"` // the command line that finds it again
	Time     string             `json:"time"`    // untimed, grid or dense
	// Least and Most are nil where no run came to a number.
	Least *Reading `json:"least"`
	Most  *Reading `json:"most"`
	// Complete says that these are the least and the most of all runs in this configuration;
	// else Limit says what is missing: the cuts that kept runs from going on, the limit that
	// stopped the search, or why a number is not sure.
	Complete    bool             `json:"complete"`
	Limit       decide.Limit     `json:"limit"`
	Text        string           `json:"text,omitempty"` // the limit in a sentence
	Cut         map[string]int64 `json:"cut"`            // by cut, the states in which it kept a step back
	States      int64            `json:"states"`
	Transitions int64            `json:"transitions"`
	Depth       int              `json:"depth"`
	Seconds     float64          `json:"seconds"`
	Reductions  []string         `json:"reductions"`
	Omission    float64          `json:"omission"` // expected number of states lost to equal fingerprints
	Notes       []string         `json:"notes,omitempty"`
	Merged      *merging.Report  `json:"merged,omitempty"` // as of a [Row]
}

// A Reading is a number that a run came to.
type Reading struct {
	Number int `json:"number"`
	// More says that the number is the largest that the cost tells apart, and the run comes to
	// more.
	More bool `json:"more,omitempty"`
	// Confirmed says that the run was taken by the independent interpreter, in exact time.
	Confirmed bool   `json:"confirmed"`
	Steps     int    `json:"steps"`
	Trace     string `json:"trace"` // the file the run was written to

	Run *traces.Trace `json:"-"`
}

func (r *Reading) String() string {
	if r.More {
		return fmt.Sprintf("more than %d", r.Number)
	}
	return fmt.Sprint(r.Number)
}

func costRow(cost *model.Cost, of *plan.Row) *CostRow {
	p, c, s := of.Protocol, of.Check, of.System
	return &CostRow{
		Schema: 1, Protocol: p.Name, Variant: c.Variant, Cost: cost.Name, Unit: cost.Unit, Meaning: cost.Meaning, Source: cost.Source,
		Config: verdict.NewConfig(p, s.Config), Faults: s.Faults, Command: verdict.CommandOf(p, c, s) + " --costs", Time: c.Reading.String(),
		Cut: map[string]int64{}, Reductions: []string{},
	}
}
