package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"contend/checker/judge"
	"contend/impl"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/why"
)

var update = flag.Bool("update", false, "draw the runs of docs/proofs anew")

// runs is the directory of the findings' pictures in docs/proofs.
const runs = "../../docs/runs"

// The pages of proofs show the stored run of each finding, drawn from its trace.
func TestRuns(t *testing.T) {
	drawn := map[string]bool{}
	for _, p := range impl.Suite {
		for _, f := range p.Findings {
			name := f.Name
			for k := 2; drawn[name+".svg"]; k++ {
				name = fmt.Sprintf("%s-%d", f.Name, k)
			}
			drawn[name+".svg"] = true
			golden(t, filepath.Join(runs, name+".svg"), picture(t, p, f))
		}
	}
	proofsShow(t, drawn)
	files, err := os.ReadDir(runs)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !drawn[file.Name()] {
			t.Errorf("docs/runs/%s is of no finding", file.Name())
		}
	}
}

// proofsShow checks that the proofs show each run where they mention it, and no other run.
func proofsShow(t *testing.T, drawn map[string]bool) {
	t.Helper()
	pages, err := filepath.Glob("../../docs/proofs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`!\[[^\]]+\]\(\.\./runs/([^)]+)\)`).FindAllSubmatch(text, -1) {
			shown[string(m[1])] = true
			if !drawn[string(m[1])] {
				t.Errorf("%s shows docs/runs/%s, which is of no finding", filepath.Base(page), m[1])
			}
		}
	}
	for file := range drawn {
		if !shown[file] {
			t.Errorf("no page of docs/proofs shows docs/runs/%s: put it where the page of its protocol speaks of it", file)
		}
	}
}

// picture draws the run of a finding.
func picture(t *testing.T, p *model.Protocol, f model.Finding) string {
	t.Helper()
	tr, err := traces.Read(bytes.NewReader(f.Trace))
	if err != nil {
		t.Fatal(f.Name, err)
	}
	run, err := replay.Replay(p, tr, judge.Watched(p.Statements()))
	if err != nil {
		t.Fatal(f.Name, err)
	}
	var b bytes.Buffer
	if err := why.SVG(&b, run, ""); err != nil {
		t.Fatal(f.Name, err)
	}
	return b.String()
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != got {
		t.Errorf("%s is not what it was made from, or is not there: go test ./cmd/verify -run TestRuns -update", filepath.Clean(file))
	}
}
