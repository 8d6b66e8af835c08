package check

import (
	"slices"
	"testing"

	"contend/checker/verdict"
	"contend/model"
)

// Functions of checks, each declared once.
func smaller(c model.Check) model.Check     { c.Config = once(c); return c }
func alsoSmaller(c model.Check) model.Check { c.Config = once(c); return c }
func once(c model.Check) model.Config       { return c.Config.With(model.Ops.Is(1)) }

// app is a client that returns at once.
type app struct{}

func (*app) Invoke(env model.Env, _ any) { env.Return(nil) }

// apps is a protocol of one client that returns at once, as often as it has operations.
func apps(claims ...model.Claim) *model.Protocol {
	build := func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c, Nodes: []model.NodeSpec{{Name: "c", New: func() model.Node { return &app{} }}}}
		for range model.Ops.Of(c) {
			s.Nodes[0].Script = append(s.Nodes[0].Script, model.Op{Call: "go", After: model.Anytime()})
		}
		return s, nil
	}
	return &model.Protocol{Name: "app", Params: []model.Parameter{model.Ops}, Build: build, Claims: claims}
}

// A protocol's check has a row for the claims that are searched together and one for
// each search apart, whatever number of claims shares it; every claim has one verdict.
func TestClaimsThatShareASearchShareARow(t *testing.T) {
	p := apps(
		model.Claim{Name: "together", Kind: model.Always, Done: true},
		model.Claim{Name: "first", Kind: model.Always, Done: true, Apart: smaller},
		model.Claim{Name: "fair", Kind: model.Eventually, Done: true, Apart: smaller},
		model.Claim{Name: "second", Kind: model.PossibleFromEverywhere, Done: true, Apart: alsoSmaller},
	)
	rows, err := Run(p, model.Check{Config: model.Config{}.With(model.Ops.Is(3))}, verdict.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"together"}, {"first", "second"}, {"fair"}}
	states := []int64{7, 3, 3}
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(rows), len(want))
	}
	for i, row := range rows {
		var names []string
		for _, c := range row.Claims {
			names = append(names, c.Name)
			if c.Verdict != verdict.Holds {
				t.Errorf("%s is %s: %s", c.Name, c.Verdict, c.Text)
			}
		}
		if !slices.Equal(names, want[i]) || row.States != states[i] {
			t.Errorf("row %d has claims %v and %d states, want %v and %d", i+1, names, row.States, want[i], states[i])
		}
	}
}
