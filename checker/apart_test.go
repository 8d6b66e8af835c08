package checker

import (
	"slices"
	"testing"

	"contend/model"
)

// Functions of checks and of observations, each declared once.
func smaller(c model.Check) model.Check        { c.Config = once(c); return c }
func alsoSmaller(c model.Check) model.Check    { c.Config = once(c); return c }
func faulty(c model.Check) model.Check         { c.Config = once(c); c.Config.Faults.Loss = 1; return c }
func onGrid(c model.Check) model.Check         { c.Config, c.Reading = once(c), model.Grid; return c }
func once(c model.Check) model.Config          { return c.Config.With(model.Ops.Is(1)) }
func invocations(o model.Observation) bool     { return o.Kind == model.Invoked }
func sameInvocations(o model.Observation) bool { return o.Kind == model.Invoked }

// Claims that ask for the same search share it, in the order in which they come; but
// none under fairness with another that is not, and none with other causal pasts.
func TestClaimsShareSearches(t *testing.T) {
	claim := func(name string, kind model.Kind, apart func(model.Check) model.Check, causal func(model.Observation) bool) model.Claim {
		return model.Claim{Name: name, Kind: kind, Done: true, Apart: apart, Causal: causal}
	}
	for _, c := range []struct {
		name   string
		claims []model.Claim
		want   [][]string
	}{
		{"none", nil, nil},
		{"the same function", []model.Claim{
			claim("a", model.Always, smaller, nil), claim("b", model.Sometimes, smaller, nil),
			claim("c", model.PossibleFromEverywhere, smaller, nil), claim("d", model.Linearizable, smaller, nil),
		}, [][]string{{"a", "b", "c", "d"}}},
		{"functions that ask for the same", []model.Claim{
			claim("a", model.Always, smaller, nil), claim("b", model.Always, alsoSmaller, nil),
		}, [][]string{{"a", "b"}}},
		{"other sizes, faults or readings", []model.Claim{
			claim("a", model.Always, smaller, nil), claim("b", model.Always, faulty, nil),
			claim("c", model.Always, onGrid, nil), claim("d", model.Always, faulty, nil), claim("e", model.Always, smaller, nil),
		}, [][]string{{"a", "e"}, {"b", "d"}, {"c"}}},
		{"fairness", []model.Claim{
			claim("a", model.Always, smaller, nil), claim("b", model.Eventually, smaller, nil),
			claim("c", model.PossibleFromEverywhere, smaller, nil), claim("d", model.Eventually, smaller, nil),
		}, [][]string{{"a", "c"}, {"b", "d"}}},
		{"fairness first", []model.Claim{
			claim("a", model.Eventually, smaller, nil), claim("b", model.Always, smaller, nil),
		}, [][]string{{"a"}, {"b"}}},
		{"causal pasts", []model.Claim{
			claim("a", model.Always, smaller, nil), claim("b", model.Always, smaller, invocations),
			claim("c", model.Always, smaller, sameInvocations), claim("d", model.Always, smaller, invocations),
			claim("e", model.Always, smaller, nil), claim("f", model.Always, onGrid, invocations),
		}, [][]string{{"a", "e"}, {"b", "d"}, {"c"}, {"f"}}},
		{"causal pasts and fairness", []model.Claim{
			claim("a", model.Always, smaller, invocations), claim("b", model.Eventually, smaller, invocations),
		}, [][]string{{"a"}, {"b"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := model.Check{Config: model.Config{}.With(model.Ops.Is(2))}
			var got [][]string
			for _, s := range searches(apps(c.claims...), before, c.claims, Options{}) {
				if len(s.claims) == 0 {
					continue // nothing is searched
				}
				var names []string
				for _, claim := range s.claims {
					names = append(names, claim.Name)
				}
				got = append(got, names)
				if want := s.claims[0].Apart(before); s.check.Config != want.Config || s.check.Reading != want.Reading {
					t.Errorf("%v are searched in %+v, want %+v", names, s.check, want)
				}
			}
			if !slices.EqualFunc(got, c.want, slices.Equal) {
				t.Errorf("searches of %v, want %v", got, c.want)
			}
		})
	}
}

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
	rows, err := Check(p, model.Check{Config: model.Config{}.With(model.Ops.Is(3))}, Options{})
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
			if c.Verdict != Holds {
				t.Errorf("%s is %s: %s", c.Name, c.Verdict, c.Text)
			}
		}
		if !slices.Equal(names, want[i]) || row.States != states[i] {
			t.Errorf("row %d has claims %v and %d states, want %v and %d", i+1, names, row.States, want[i], states[i])
		}
	}
}
