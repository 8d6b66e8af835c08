package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"contend/checker/judge"
	"contend/impl"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/why"
)

var update = flag.Bool("update", false, "draw the runs of docs/findings.md and docs/proofs anew")

// runs are the pictures of findings, which docs/findings.md and docs/proofs show.
const runs = "../../docs/runs"

// docs/findings.md shows the kept run of each finding, drawn from its trace.
func TestRuns(t *testing.T) {
	page, err := os.ReadFile("../../docs/findings.md")
	if err != nil {
		t.Fatal(err)
	}
	drawn := map[string]bool{}
	text := string(page)
	for _, p := range impl.Suite {
		for _, f := range p.Findings {
			name := f.Name
			for k := 2; drawn[name+".svg"]; k++ {
				name = fmt.Sprintf("%s-%d", f.Name, k)
			}
			drawn[name+".svg"] = true
			text = illustrated(t, text, f, name)
			golden(t, filepath.Join(runs, name+".svg"), picture(t, p, f))
		}
	}
	golden(t, "../../docs/findings.md", text)
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

// proofsShow holds the pages of proofs to showing each run, where they speak of it, and none that there is not.
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

// illustrated adds the picture to the end of its finding's section if the page lacks it. The alt text
// is a first draft: write what the run shows in its place.
func illustrated(t *testing.T, page string, f model.Finding, name string) string {
	t.Helper()
	file := "(runs/" + name + ".svg)"
	if strings.Contains(page, file) {
		return page
	}
	lines := strings.Split(strings.TrimRight(page, "\n"), "\n")
	from := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "## ") && anchor(l[3:]) == f.Name })
	if from < 0 {
		t.Fatalf("docs/findings.md has no heading for %s", f.Name)
	}
	to := len(lines)
	if k := slices.IndexFunc(lines[from+1:], func(l string) bool { return strings.HasPrefix(l, "## ") }); k >= 0 {
		to = from + 1 + k
	}
	for lines[to-1] == "" {
		to--
	}
	what := "A run"
	if f.Variant != "" {
		what += " of " + f.Variant
	}
	lines = slices.Insert(lines, to, "", fmt.Sprintf("![%s that violates %s]%s", what, f.Claim, file))
	return strings.Join(lines, "\n") + "\n"
}

// anchor is what a heading is linked by.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127:
			return r
		}
		return -1
	}, strings.ToLower(heading))
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
