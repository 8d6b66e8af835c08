package plan_test

import (
	"slices"
	"testing"

	"contend/checker/plan"
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

type app struct{}

func (*app) Invoke(env model.Env, _ any) { env.Return(nil) }

// build makes a client that returns at once.
func build(c model.Config) (*model.System, error) {
	return &model.System{Config: c, Nodes: []model.NodeSpec{{Name: "c", New: func() model.Node { return &app{} }}}}, nil
}

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
			pl, err := plan.New(&model.Protocol{Name: "app", Params: []model.Parameter{model.Ops}, Build: build, Claims: c.claims}, before)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range pl.Rows {
				if len(s.Claims) == 0 {
					continue // nothing is searched
				}
				var names []string
				for _, claim := range s.Claims {
					names = append(names, claim.Name)
				}
				got = append(got, names)
				if want := s.Claims[0].Apart(before); s.Check.Config != want.Config || s.Check.Reading != want.Reading {
					t.Errorf("%v are searched in %+v, want %+v", names, s.Check, want)
				}
			}
			if !slices.EqualFunc(got, c.want, slices.Equal) {
				t.Errorf("searches of %v, want %v", got, c.want)
			}
		})
	}
}
