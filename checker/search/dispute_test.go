package search

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/suspect"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/model/value"
)

// A disagreement with the interpreter costs one claim its verdict; the others have theirs, and
// the search comes to its end.
func TestDisagreementsCostOneClaim(t *testing.T) {
	s, claims := built(t, ricartagrawala.Protocol, "defer-on-tie", model.Config{N: 2}.With(model.Ops.Is(2)), safety...)
	broken := explore(t, s, Options{}, claims...).Violated()
	if len(broken) == 0 {
		t.Fatal("no claim is broken")
	}
	for _, disputed := range broken {
		asked := 0
		r := explore(t, s, Options{Confirm: func(c Candidate) (Confirmation, error) {
			if c.Claim != disputed {
				return Real, nil
			}
			asked++
			return Real, errors.New("it is not so")
		}}, claims...)
		if len(r.Violated()) != len(broken)-1 || asked != 1 || !strings.Contains(r.Claims[disputed].Disputed, "it is not so") || len(r.disputes()) != 1 {
			t.Errorf("claim %d: violated %v, asked %d times, disputed %v", disputed, r.Violated(), asked, r.disputes())
		}
		if !r.Complete && len(r.Violated())+1 < len(claims) {
			t.Errorf("claim %d: the search does not come to its end", disputed)
		}
	}
}

// So does a state to which no way is found again, and a step that cannot be taken again.
func TestLostWaysCostOneClaim(t *testing.T) {
	s, claims := built(t, ricartagrawala.Protocol, "", model.Config{N: 2}.With(model.Ops.Is(1)), safety...)
	graph := explored(t, s, append(slices.Clone(claims), reach(model.Eventually, 1)), Options{MaxSpurious: 1})
	if graph.confirm(suspect.Suspect{Claim: 1, Key: fingerprint.Print{A: 1, B: 2}}); !strings.Contains(graph.res.Claims[1].Disputed, "found again") {
		t.Errorf("of a graph: disputed %v", graph.res.disputes())
	}
	for _, c := range []suspect.Suspect{{Claim: 1, Key: fingerprint.Print{A: 1, B: 2}}, {Claim: 1, Boot: true, Step: true}} {
		for _, dense := range []bool{false, true} {
			if dense && !c.Boot {
				continue // a class is known by its number
			}
			x := explored(t, s, claims, Options{Timed: dense, Dense: dense, MaxSpurious: 1})
			x.confirm(c)
			x.confirm(c)
			if len(x.res.Violated()) != 0 || !strings.Contains(x.res.Claims[1].Disputed, "found again") {
				t.Errorf("%+v, dense %v: violated %v, disputed %v", c, dense, x.res.Violated(), x.res.disputes())
			}
		}
	}
}

// A first state is reached by no step, whatever the claim.
func TestTransitionsAreStepsOnly(t *testing.T) {
	s, claims := built(t, ricartagrawala.Protocol, "", model.Config{N: 2}.With(model.Ops.Is(1)), safety...)
	for _, kind := range []model.Kind{model.PossibleFromEverywhere, model.Eventually} {
		plain := explore(t, s, Options{}, claims...)
		got := explore(t, s, Options{}, append(claims, model.Claim{Name: "ends", Kind: kind, Done: true})...)
		if got.size() != plain.size() {
			t.Errorf("%v: %+v, want %+v", kind, got.size(), plain.size())
		}
	}
}

// explored is a search that has come to its end.
func explored(t *testing.T, s *model.System, claims []model.Claim, opt Options) *explorer {
	t.Helper()
	codec, err := value.For(s, claims)
	if err != nil {
		t.Fatal(err)
	}
	x := newExplorer(s, codec, claims, pure(opt).withDefaults(), component.Closing, newGuesses())
	x.traversal.open()
	t.Cleanup(x.traversal.close)
	if _, err := x.search(nil); err != nil {
		t.Fatal(err)
	}
	return x
}
