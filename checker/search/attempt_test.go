package search

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"contend/checker/search/runs"
	"contend/checker/search/storage/faulty"
	"contend/model"
)

// A search that cannot be made is refused before it begins.
func TestRefusedBeforeItBegins(t *testing.T) {
	twice := counting(1)
	twice.Faults.Duplication = 1
	for says, opt := range map[string]Options{
		"duplication: ": {Timed: true, Dense: true},
		"from: ":        {Timed: true, From: &runs.Beginning{}},
	} {
		if r, err := Run(twice, []model.Claim{never(1)}, pure(opt)); r != nil || err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%s%v", says, err)
		}
	}
}

// A search that cannot go on ends with an error, of a type that says why, or with the panic that is a mistake of whoever is asked.
func TestWhatEndsASearch(t *testing.T) {
	calls := 0
	impure := system(server("s", scripted{start: func(n *scripted, _ model.Env) { calls++; n.S = calls / 3 }}))
	for name, c := range map[string]struct {
		s      *model.System
		opt    Options
		is     any // a pointer to a value of the error's type; nil where it is a panic
		panics string
	}{
		"a run of another system":        {counting(5), Options{From: &runs.Beginning{}}, nil, "ends in another state"},
		"a run of impure handlers":       {impure, Options{From: &runs.Beginning{}}, new(model.Refusal), ""},
		"a mistake of who is told":       {counting(5), Options{Progress: func(Progress) { panic("a mistake") }}, nil, "a mistake"},
		"a directory that is not usable": {counting(5), Options{Checkpoint: kept, files: &faulty.FS{At: 1, Fault: faulty.Refused}}, new(BadCheckpoint), ""},
	} {
		func() {
			defer func() {
				if p := recover(); (p != nil) != (c.is == nil) || p != nil && !strings.Contains(fmt.Sprint(p), c.panics) {
					t.Errorf("%s: it panics with %v", name, p)
				}
			}()
			if r, err := Run(c.s, []model.Claim{never(1)}, pure(c.opt)); r != nil || err == nil || c.is != nil && !errors.As(err, c.is) {
				t.Errorf("%s: %T %v", name, err, err)
			}
		}()
	}
}
