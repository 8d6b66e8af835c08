package checker_test

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"contend/checker"
	"contend/checker/record"
	"contend/checker/verdict"
	"contend/impl"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/traces"
)

var update = flag.Bool("update", false, "search the counterexamples of all mutants again and keep them")

// keptAt is where the counterexample of a mutant is kept.
func keptAt(p *model.Protocol, v model.Variant) string {
	name := strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(p.Name+"-"+v.Name+"-"+v.Breaks), ",", ""), " ", "-")
	return filepath.Join("..", "traces", "testdata", name+".json")
}

// Every mutant has a kept counterexample of the claim that it names. That it replays is tested in package traces.
func TestKeptCounterexamples(t *testing.T) {
	for _, p := range impl.Suite {
		for _, v := range p.Variants {
			if !v.Mutant() {
				continue
			}
			t.Run(p.Name+"/"+v.Name, func(t *testing.T) {
				if *update {
					keepCounterexample(t, p, v)
				}
				tr, err := traces.Load(keptAt(p, v))
				if err != nil {
					t.Fatal(err)
				}
				if tr.Variant != v.Name || tr.Claim != v.Breaks {
					t.Errorf("the trace is of %s, claim %q", tr.Variant, tr.Claim)
				}
			})
		}
	}
}

func keepCounterexample(t *testing.T, p *model.Protocol, v model.Variant) {
	t.Helper()
	c := v.Show
	c.Variant, c.Claims = v.Name, []string{v.Breaks}
	rows, err := checker.Check(p, c, verdict.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for _, r := range row.Claims {
			if r.Counterexample != nil {
				if err := traces.Save(keptAt(p, v), r.Counterexample); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// Every finding of the suite reproduces from its kept trace.
func TestFindingsReproduce(t *testing.T) {
	for _, p := range impl.Suite {
		for _, f := range p.Findings {
			if _, err := record.Reproduce(p, f); err != nil {
				t.Errorf("%s: %s: %v", p.Name, f.Name, err)
			}
		}
	}
}

// A finding whose trace was tampered with is a violation, not a finding.
func TestFindingThatDoesNotReproduce(t *testing.T) {
	p := *ricartagrawala.Protocol
	trace := strings.Replace(string(p.Findings[0].Trace), `"occurrence":1`, `"occurrence":9`, 1)
	p.Findings = []model.Finding{{Name: "x", Claim: p.Findings[0].Claim, Trace: []byte(trace)}}
	rows, err := checker.Check(&p, model.Check{Config: model.Config{N: 2}.With(model.Ops.Is(1)), Claims: []string{p.Findings[0].Claim}}, verdict.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := rows[0].Claims[0]; c.Verdict != verdict.Violated || c.Finding != "" || !strings.Contains(c.Text, "does not reproduce") {
		t.Errorf("verdict %s, finding %q, text %q", c.Verdict, c.Finding, c.Text)
	}
}
