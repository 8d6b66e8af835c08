//go:build !wasip1 && !contend_native

package concurrent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"contend/program/concurrent/schedule"
)

// A file is a stored failing schedule: its deviations from the usual schedule, and a description for people.
type file struct {
	Test        string               `json:"test"`
	Go          string               `json:"go"`
	Guest       string               `json:"guest,omitempty"` // wasm, if it is not told
	Outcome     string               `json:"outcome"`
	Seed        uint64               `json:"seed,omitempty"` // of random numbers
	Preemptions []schedule.Deviation `json:"preemptions"`
	Picks       []schedule.Deviation `json:"picks"` // free choices of the next goroutine
	Cases       []schedule.Deviation `json:"cases"` // of select statements
	Text        []string             `json:"text"`
}

// deviations returns the deviations with their kinds.
func (f *file) deviations() (all []schedule.Deviation) {
	for kind, some := range [][]schedule.Deviation{schedule.Point: f.Preemptions, schedule.Pick: f.Picks, schedule.Case: f.Cases} {
		for _, d := range some {
			d.Kind = schedule.Kind(kind)
			all = append(all, d)
		}
	}
	return all
}

// extension is the extension of schedule files.
const extension = ".schedule"

// directory returns the directory of a test's failing schedules.
func (p *subject) directory() string {
	return filepath.Join("testdata", "contend", filepath.FromSlash(path.Clean("/"+p.test)))
}

// keep stores a failure, one for each outcome, and returns a text on the place.
func (p *subject) keep(f *Failure) string {
	is := file{Test: p.test, Go: p.program.Go, Guest: p.program.Guest.String(), Outcome: f.Outcome.String(), Seed: f.Seed, Text: strings.Split(strings.TrimSpace(f.String()), "\n")}
	for _, d := range f.Deviations {
		list := map[schedule.Kind]*[]schedule.Deviation{schedule.Point: &is.Preemptions, schedule.Pick: &is.Picks, schedule.Case: &is.Cases}[d.Kind]
		*list = append(*list, d)
	}
	name := filepath.Join(p.directory(), strings.ReplaceAll(is.Outcome, " ", "-")+extension)
	text, err := json.MarshalIndent(is, "", "\t")
	if err == nil {
		err = os.MkdirAll(p.directory(), 0o755)
	}
	if err == nil {
		err = os.WriteFile(name, append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Sprintf("not kept: %v", err)
	}
	return fmt.Sprintf("found by a %s schedule after %d; kept in %s, and run first from now on", f.By, f.After, name)
}

// kept runs the stored schedules, and returns the first that still fails. An unreadable file fails the test.
func (p *subject) kept(t *testing.T) *Failure {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(p.directory(), "*"+extension))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		var is file
		if err == nil {
			err = json.Unmarshal(text, &is)
		}
		if err != nil {
			t.Errorf("%s is not a schedule: %v", name, err)
			continue
		}
		f, err := p.told(is.deviations(), is.Seed)
		if err != nil {
			t.Fatal(err)
		}
		if f.Outcome != Passed {
			f.By = name
			return f
		}
		passes := fmt.Sprintf("the schedule in %s passes", name)
		if found := cmp.Or(is.Guest, Wasm.String()); found != p.program.Guest.String() {
			passes += fmt.Sprintf(" on %v; it was found on %s, where maps may have another order: CONTEND_GUEST=%s runs it there", p.program.Guest, found, found)
		}
		t.Log(passes)
	}
	return nil
}
