package check

import (
	"strings"
	"testing"

	"contend/checker/verdict"
	"contend/model"
)

// A search that a limit stops names a smaller one of the protocol's own checks, which comes to its end.
func TestALimitNamesASmallerConfiguration(t *testing.T) {
	ops := func(n int) model.Config { return model.Config{}.With(model.Ops.Is(n)) }
	p := apps(model.Claim{Name: "done", Kind: model.Always, Done: true}, model.Claim{Name: "possible", Kind: model.PossibleFromEverywhere, Done: true})
	p.Checks = []model.Check{{Config: ops(2)}, {Config: ops(4), Claims: []string{"possible"}}, {Config: ops(3)}, {Config: ops(5)},
		{Config: ops(4), Reading: model.Grid}, {Config: ops(4), Schedules: 10}}
	for _, c := range []struct {
		of      model.Check
		opt     verdict.Options
		smaller string // the end of a note
	}{
		{model.Check{Config: ops(5)}, verdict.Options{MaxStates: 5}, "verify check app --ops 4 --time untimed --claim \"possible\""},
		{model.Check{Config: ops(5), Claims: []string{"done"}}, verdict.Options{MaxStates: 5}, "verify check app --ops 3 --time untimed --claim \"done\""},
		{model.Check{Config: ops(3)}, verdict.Options{MaxStates: 5}, "verify check app --ops 2 --time untimed"},
		{model.Check{Config: ops(2)}, verdict.Options{MaxStates: 2}, ""},
		{model.Check{Config: ops(5)}, verdict.Options{}, ""},
	} {
		rows, err := Run(p, c.of, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, note := range rows[len(rows)-1].Notes {
			if _, command, is := strings.Cut(note, "a smaller configuration that is searched to its end: "); is {
				said = command
			}
		}
		if said != c.smaller {
			t.Errorf("ops %d: %q, want %q", model.Ops.Of(c.of.Config), said, c.smaller)
		}
	}
}
