package conform

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"contend/checker/judge"
	"contend/model"
)

// Test fails a test if the logs in some files do not show a run of a protocol, if that run violates a claim, or if a
// limit stops the search.
func Test(t testing.TB, p *model.Protocol, c model.Config, files ...string) {
	t.Helper()
	var logs []Source
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		logs = append(logs, Source{path, f})
	}
	r, err := Validate(p, "", c, Options{Claims: judge.Watched(p.Claims)}, logs...)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != Explained || r.Violated() {
		t.Fatalf("%s: %s", p.Name, r)
	}
}

// String returns the verdict with its reasons, for people.
func (r *Result) String() string {
	var b strings.Builder
	b.WriteString(string(r.Verdict))
	if r.Limit != "" {
		fmt.Fprintf(&b, " (%s)", r.Limit)
	}
	if r.Verdict != Explained {
		fmt.Fprintf(&b, ": the longest run found shows %d of %d entries", r.Prefix, r.Entries)
	}
	for _, s := range r.Stuck {
		b.WriteString("\n" + s.String())
	}
	for _, v := range r.Violations {
		fmt.Fprintf(&b, "\nthe run violates %s at step %d: %s", v.Claim, v.Step, v.Text)
	}
	return b.String()
}

// String returns the entry with the reason and what the page has instead, in lines.
func (s Stuck) String() string {
	place := s.Node
	if s.Line > 0 {
		place = fmt.Sprintf("%s:%d: %s", s.File, s.Line, s.Node)
	}
	text := fmt.Sprintf("%s: %s\n  %s", place, s.Entry, s.Reason)
	if s.Field != "" {
		text += fmt.Sprintf(" (field %s differs)", s.Field)
	}
	if s.Waits {
		text += "\n  it waits for other nodes"
	}
	for i, x := range s.Instead {
		text += fmt.Sprintf("\n  %-12s %s", []string{"on the page:", ""}[min(i, 1)], x)
	}
	return text
}
