package validating

import (
	"fmt"
	"io"
	"strings"

	"contend/checker/conform"
	"contend/checker/conform/coverage"
	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/model"
	"contend/traces"
)

// print prints a result for people.
func print(out io.Writer, p *model.Protocol, variant string, r *conform.Result, file string) error {
	var b strings.Builder
	name := p.Name
	if variant != "" {
		name += "/" + variant
	}
	header := traces.New(p, variant, r.Config, false, "", "")
	fmt.Fprintf(&b, "%s %s: ", name, header.Config)
	entries := console.Counted(r.Entries, "entry", "entries")
	switch r.Verdict {
	case conform.Explained:
		fmt.Fprintf(&b, "explained: %s by a run of %s\n", entries, console.Counted(r.Steps, "step", "steps"))
	case conform.NotExplained:
		fmt.Fprintf(&b, "not explained: the longest run found shows %d of %s\n", r.Prefix, entries)
	default:
		fmt.Fprintf(&b, "inconclusive (%s): the longest run found shows %d of %s\n", r.Limit, r.Prefix, entries)
	}
	for _, s := range r.Stuck {
		s.File, s.Entry = console.Plain(s.File), console.Plain(s.Entry)
		fmt.Fprintf(&b, "\n%s\n", s)
	}
	what := "run"
	if r.Verdict != conform.Explained {
		what = "run of the prefix"
	}
	seen := map[string]bool{}
	for _, v := range r.Violations {
		if seen[v.Claim] {
			continue
		}
		seen[v.Claim] = true
		fmt.Fprintf(&b, "\nthe %s violates %s at step %d: %s\n", what, v.Claim, v.Step, v.Text)
	}
	if len(r.Violations) == 0 && len(r.Judged) > 0 {
		fmt.Fprintf(&b, "the %s violates none of: %s\n", what, strings.Join(r.Judged, ", "))
	}
	if file != "" {
		fmt.Fprintf(&b, "the %s is in %s\n", what, console.Plain(file))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// A validation is the JSON of a result, a stable contract.
type validation struct {
	Schema     int                `json:"schema"`
	Protocol   string             `json:"protocol"`
	Variant    string             `json:"variant"`
	Config     verdict.ConfigJSON `json:"config"`
	Faults     model.Faults       `json:"faults"`
	Verdict    string             `json:"verdict"`
	Limit      string             `json:"limit"`
	Entries    int                `json:"entries"`
	Prefix     int                `json:"prefix"`
	Steps      int                `json:"steps"`
	States     int                `json:"states"`
	Stuck      []stuck            `json:"stuck"`
	Judged     []string           `json:"judged"`
	Violations []broken           `json:"violations"`
	Trace      string             `json:"trace"`
	Coverage   *coverage.Report   `json:"coverage,omitempty"`
}

// A stuck is the JSON of a [conform.Stuck].
type stuck struct {
	Node    string   `json:"node"`
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Entry   string   `json:"entry"`
	Waits   bool     `json:"waits"`
	Reason  string   `json:"reason"`
	Field   string   `json:"field"`
	Instead []string `json:"instead"`
}

// A broken is the JSON of a violation.
type broken struct {
	Claim string `json:"claim"`
	Text  string `json:"text"`
	Step  int    `json:"step"`
}

// JSON returns a result as an object for JSON. File is the file with the run, or "".
func JSON(p *model.Protocol, variant string, r *conform.Result, file string) any {
	return newValidation(p, variant, r, file)
}

func newValidation(p *model.Protocol, variant string, r *conform.Result, file string) validation {
	v := validation{Schema: 1, Protocol: p.Name, Variant: variant, Config: verdict.NewConfig(p, r.Config), Faults: r.Config.Faults, Verdict: string(r.Verdict), Limit: r.Limit,
		Entries: r.Entries, Prefix: r.Prefix, Steps: r.Steps, States: r.States, Stuck: []stuck{}, Judged: append([]string{}, r.Judged...),
		Violations: []broken{}, Trace: file}
	for _, s := range r.Stuck {
		v.Stuck = append(v.Stuck, stuck{s.Node, s.File, s.Line, s.Entry, s.Waits, s.Reason, s.Field, append([]string{}, s.Instead...)})
	}
	for _, x := range r.Violations {
		v.Violations = append(v.Violations, broken{x.Claim, x.Text, x.Step})
	}
	return v
}
