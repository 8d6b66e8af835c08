package driving

import (
	"fmt"
	"io"

	"contend/checker/drive"
	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/model"
	"contend/traces"
)

// titleOf returns the protocol with its configuration.
func titleOf(p *model.Protocol, variant string, c model.Config) string {
	name := p.Name
	if variant != "" {
		name += "/" + variant
	}
	return fmt.Sprintf("%s %s", name, traces.New(p, variant, p.Filled(c), false, "", "").Config)
}

// print prints a result for people.
func print(out io.Writer, p *model.Protocol, variant string, c model.Config, r *drive.Result, file string) error {
	if d := r.Difference; d != nil {
		d.Shown, d.Reason = console.Plain(d.Shown), console.Plain(d.Reason)
	}
	text := fmt.Sprintf("%s: %s\n", titleOf(p, variant, c), r)
	if file != "" {
		text += fmt.Sprintf("the run is in %s; the next time it is replayed first\n", console.Plain(file))
	}
	_, err := io.WriteString(out, text)
	return err
}

// A driven is the JSON of a result, a stable contract.
type driven struct {
	Schema      int                `json:"schema"`
	Protocol    string             `json:"protocol"`
	Variant     string             `json:"variant"`
	Config      verdict.ConfigJSON `json:"config"`
	Faults      model.Faults       `json:"faults"`
	Verdict     string             `json:"verdict"`
	Limit       string             `json:"limit"`
	States      int                `json:"states"`
	Transitions int                `json:"transitions"`
	Suite       suiteJSON          `json:"suite"`
	Runs        int                `json:"runs"`
	Steps       int                `json:"steps"`
	Taken       int                `json:"taken"`
	Diverted    int                `json:"diverted"`
	Difference  []difference       `json:"difference"`
	Trace       string             `json:"trace"`
}

// A suiteJSON is the JSON of a suite.
type suiteJSON struct {
	Runs    int `json:"runs"`
	Steps   int `json:"steps"`
	Goals   int `json:"goals"`
	Covered int `json:"covered"`
}

// A difference is the JSON of a [drive.Difference].
type difference struct {
	Step     string   `json:"step"`
	Shown    string   `json:"shown"`
	Reason   string   `json:"reason"`
	Field    string   `json:"field"`
	Page     []string `json:"page"`
	Steps    int      `json:"steps"`
	Before   int      `json:"before"`
	Failed   bool     `json:"failed"`
	Unsteady bool     `json:"unsteady"`
}

func newDriven(p *model.Protocol, variant string, c model.Config, r *drive.Result, file string) driven {
	s := r.Suite
	x := driven{Schema: 1, Protocol: p.Name, Variant: variant, Config: verdict.NewConfig(p, p.Filled(c)), Faults: c.Faults, Verdict: string(r.Verdict), Limit: r.Limit,
		States: s.States, Transitions: s.Transitions, Suite: suiteJSON{len(s.Runs), s.Steps(), s.Goals, s.CoveredGoals},
		Runs: r.Runs, Steps: r.Steps, Taken: r.Taken, Diverted: r.Diverted, Difference: []difference{}, Trace: file}
	if d := r.Difference; d != nil {
		one := difference{Step: d.Step, Shown: d.Shown, Reason: d.Reason, Field: d.Field, Page: append([]string{}, d.Page...), Before: d.Before, Failed: d.Failed, Unsteady: d.Unsteady}
		if d.Trace != nil {
			one.Steps = len(d.Trace.Steps)
		}
		x.Difference = append(x.Difference, one)
	}
	return x
}
